// What the timeline shows, without a pixel: lanes, spans and marks, and how time becomes a line.

/**
 * Places on a line for moments: straight, or with long stretches in which nothing happens drawn short.
 *
 * A moment is a pair: the time of the axis, and a rank that orders moments of one time (real time within an
 * instant of virtual time, where much can happen; 0 where that is not wanted). There can be tens of thousands:
 * they are columns of numbers, which is several times faster than an object for each.
 */
class Scale {
  /** The columns have two moments at least, and `order` their numbers in order. */
  constructor(times, ranks, order, isCompressed) {
    const numbers = this.takeMoments(times, ranks, order);
    const shares = Scale.shares(this.times, this.ranks, isCompressed);
    const count = shares.length;
    let whole = 0;
    for (let index = 1; index < count; index++) whole += shares[index];
    whole ||= 1;
    const span = this.times[count - 1] - this.times[0] || 1;
    const places = new Float64Array(count);
    /** The moments before which a stretch is drawn short. */
    this.breaks = [];
    for (let index = 1; index < count; index++) {
      places[index] = places[index - 1] + shares[index] / whole;
      if (isCompressed && (this.times[index] - this.times[index - 1]) / span > 4 * shares[index] / whole) this.breaks.push(index);
    }
    places[count - 1] = 1;
    this.places = places;
    /** The place of each moment of the columns. */
    this.placeOf = numbers.map((each) => places[each]);
  }

  /** Stores the moments in order, each once, but two at least; what number each of the columns has among them. */
  takeMoments(times, ranks, order) {
    const numbers = new Float64Array(times.length);
    const [ownTimes, ownRanks] = [new Float64Array(times.length), new Float64Array(times.length)];
    let last = -1;
    for (let index = 0; index < order.length; index++) {
      const time = times[order[index]];
      const rank = ranks[order[index]];
      if (last < 0 || time !== ownTimes[last] || rank !== ownRanks[last]) {
        last += 1;
        ownTimes[last] = time;
        ownRanks[last] = rank;
      }
      numbers[order[index]] = last;
    }
    if (last === 0) ownTimes[++last] = ownTimes[0] + 1;
    this.times = ownTimes.subarray(0, last + 1);
    this.ranks = ownRanks.subarray(0, last + 1);
    return numbers;
  }

  /** What length each moment has from the one before it, compared to others. */
  static shares(times, ranks, isCompressed) {
    const shares = new Float64Array(times.length);
    for (let index = 1; index < times.length; index++) {
      const gap = times[index] - times[index - 1];
      if (!isCompressed) shares[index] = gap;
      // Of two gaps of which one is a thousand times the other, one is drawn twice as long, not a thousand times.
      else if (gap > 0) shares[index] = 1 + Math.log10(1 + gap / 1e3);
      else shares[index] = 0.25 + 0.15 * Math.log10(1 + (ranks[index] - ranks[index - 1]) / 1e3);
    }
    return shares;
  }

  /** The place of a moment, 0 to 1. */
  place(time, rank) {
    const { times, ranks, places } = this;
    const index = Scale.search(times.length, (each) => times[each] < time || (times[each] === time && ranks[each] <= rank));
    const next = index + 1;
    const share = times[next] > times[index] ? (time - times[index]) / (times[next] - times[index])
      : ranks[next] > ranks[index] ? (rank - ranks[index]) / (ranks[next] - ranks[index]) : 0;
    return places[index] + Math.max(0, Math.min(1, share)) * (places[next] - places[index]);
  }

  /** The time at a place. */
  time(place) {
    const index = Scale.search(this.places.length, (each) => this.places[each] <= place);
    const share = (place - this.places[index]) / (this.places[index + 1] - this.places[index] || 1);
    return this.times[index] + Math.max(0, Math.min(1, share)) * (this.times[index + 1] - this.times[index]);
  }

  /** The last index that holds, of a row in which those that hold stand first; never the very last one. */
  static search(count, holds) {
    let low = 0;
    let high = count - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (holds(middle)) low = middle; else high = middle;
    }
    return low;
  }
}

/** How many threads of a process have rows of their own; the others share the last. */
const THREAD_ROWS = 32;
/** More lanes than this are folded: as many siblings of one program, or more, are one lane at first. */
const LANES = 40;
const FOLD = 5;
/** What has no elements yet: most processes and lanes never get any, and ten thousand lists take their time. */
const NONE = Object.freeze([]);

/** A list with one element more. */
function extended(list, element) {
  if (list === NONE) return [element];
  list.push(element);
  return list;
}

/** A lane; its group is the lane that stands for it while that is folded. */
function newLane(key, name, depth = 0, group = null) {
  return { key, name, depth, group, process: null, host: null, members: null, shown: null, isFolded: false, isCopy: false, rows: 1, marks: NONE, y: 0, height: 0 };
}

/** The world of one attempt. */
class TimelineModel {
  constructor(attempt) {
    this.isVirtual = attempt.virtual !== undefined;
    this.events = attempt.world;
    this.processes = new Map();
    this.lanes = [];
    this.marks = [];
    this.copies = [];
    this.hosts = new Map();
    this.askers = new Map();
    this.bands = [];
    this.notes = [];
    this.end = { v: 0, r: attempt.duration };
    /** Every moment that matters, as columns of both times, and the pairs that tell one time by the other. */
    this.moments = { v: [0], r: [0] };
    this.orders = {};
    this.pairs = { v: [0], r: [0] };
    for (let index = 0; index < this.events.length; index++) {
      const event = this.events[index];
      event.id = index + 1;
      this.take(event, event.k);
    }
    this.closeBands();
    for (const band of this.bands) for (const each of [band, band.end]) this.addMoment(each.v, each.r);
    this.addMoment(this.end.v, this.end.r);
    this.addPair(this.end.v, this.end.r);
    this.moments = { v: new Float64Array(this.moments.v), r: new Float64Array(this.moments.r) };
    this.arrange();
  }

  take(event, kind) {
    const time = kind === 'wait' ? event.to : event.v;
    if (time > this.end.v) this.end.v = time;
    if (kind !== 'untold') this.addPair(time, event.r);
    switch (kind) {
      case 'step':
        this.closeBands(event);
        this.bands.push({ ...event, end: null });
        break;
      case 'stepend': {
        const band = this.bands.findLast((each) => each.index === event.index && !each.end);
        if (band) band.end = event;
        break;
      }
      case 'untold':
        for (const [count, word] of [[event.births, 'process start'], [event.waits, 'wait'], [event.pieces, 'piece'], [event.signals, 'signal'],
          [event.connections, 'state'], [event.messages, 'message'], [event.others, 'event']]) {
          if (!count) continue;
          const sum = word === 'wait' ? ` of ${length(event.waited)} in all` : word === 'piece' ? ` of output, ${plural(event.bytes, 'byte')},` : word === 'state' ? ' of connections' : '';
          this.notes.push(`${plural(count, `more ${word}`)}${sum} not shown individually`);
        }
        break;
      case 'move': break;
      case 'heal':
        for (const host of this.hosts.values()) this.heal(host, event);
        this.add(event, kind);
        break;
      case 'cut':
        for (const name of event.groups.flat()) this.host(name).cuts.push({ start: event, end: null, text: event.text, name: event.name });
        this.add(event, kind);
        break;
      default: {
        // A message goes over the connection of its request, and belongs to whom that belongs to.
        if (kind === 'req' && event.n) this.askers.set(event.n, event.p);
        if (kind === 'msg') event.p = this.askers.get(event.n);
        if (kind === 'conn') for (const name of [event.from, event.to]) this.host(name);
        const process = event.p ? this.process(event) : null;
        if (kind === 'born') {
          this.addMoment(event.v, event.r);
          process.born = event;
          process.parent = event.parent;
          process.program = event.program;
          process.host = event.host ? this.host(event.host) : null;
        } else {
          this.add(event, kind, process);
        }
        if (kind === 'end' && process) process.ended = event;
        if (kind === 'exec' && process) {
          const path = event.args[0] ?? '';
          process.program = path.slice(path.lastIndexOf('/') + 1) || process.program;
          process.programs = extended(process.programs, { r: event.r, id: event.id, program: process.program });
        }
      }
    }
  }

  host(name) {
    if (!this.hosts.has(name)) this.hosts.set(name, { name, cuts: [] });
    return this.hosts.get(name);
  }

  /** Ends the partitions of a name, or all. */
  heal(host, event) {
    for (const cut of host.cuts) if (!cut.end && (!event.name || cut.name === event.name)) cut.end = event;
  }

  /** Adds a moment; its number. */
  addMoment(virtual, real) {
    this.moments.v.push(virtual);
    return this.moments.r.push(real) - 1;
  }

  addPair(virtual, real) {
    this.pairs.v.push(virtual);
    this.pairs.r.push(real);
  }

  /** Adds a mark, with the moments at which it begins and ends. */
  add(event, kind, process = null) {
    const start = kind === 'wait' ? this.startOf(event) : event;
    const first = this.addMoment(start.v, start.r);
    let last = first;
    if (kind === 'wait') last = this.addMoment(event.to, event.r);
    // The reply goes out as soon as its time has come.
    else if (kind === 'req' && event.delay) last = this.addMoment(event.v + event.delay, event.r);
    this.marks.push({ index: this.marks.length, kind, event, process, first, last, own: null, row: 0 });
  }

  /** The moment at which an event begins: itself, where it has no length. */
  startOf(event) {
    return event.k === 'wait' ? { v: event.v, r: Math.max(0, event.r - event.rl) } : event;
  }

  process(event) {
    let process = this.processes.get(event.p);
    if (!process) {
      process = { ordinal: event.p, born: event, ended: null, parent: null, program: '', host: null, lane: null, rows: null, children: NONE, threads: null, programs: NONE };
      this.processes.set(event.p, process);
    }
    if (event.th) (process.threads ??= new Set()).add(event.th);
    return process;
  }

  closeBands(next = null) {
    for (const band of this.bands) band.end ??= next ?? { v: this.end.v, r: this.end.r };
  }

  /** Orders the lanes as a tree, children below their parents, and gives each mark its lane. */
  arrange() {
    const roots = [];
    for (const process of this.processes.values()) {
      const parent = this.processes.get(process.parent);
      if (!parent || parent === process) roots.push(process);
      else parent.children = extended(parent.children, process);
    }
    const lanes = [...this.processLanes(roots.filter((each) => !each.host)), ...this.machineLanes(roots)];
    const others = new Map();
    for (const mark of this.marks) {
      mark.own = mark.process?.lane ?? this.otherLane(mark.event, others);
      if (mark.own.rows > 1) mark.row = mark.process.rows.get(mark.event.th) ?? 0;
    }
    this.tree = [...lanes, ...others.values(), ...this.hostLanes()];
    this.groups = this.tree.filter((lane) => lane.members);
    this.sorted = [...this.marksInOrder(this.marks), ...this.marksInOrder(this.copies)];
    this.show();
  }

  /** Marks in the order of virtual time, and of real time within it. */
  marksInOrder(marks) {
    if (marks.length === 0) return [];
    const at = new Array(this.moments.v.length).fill(null);
    for (const mark of marks) at[mark.first] = mark;
    const sorted = [];
    for (const number of this.orderOf('v')) if (at[number]) sorted.push(at[number]);
    return sorted;
  }

  /** The numbers of all moments in the order of one time, and of the other one within it. */
  orderOf(axis) {
    if (!this.orders[axis]) {
      const { [axis]: times, [axis === 'v' ? 'r' : 'v']: ranks } = this.moments;
      const order = new Uint32Array(times.length);
      for (let index = 0; index < order.length; index++) order[index] = index;
      this.orders[axis] = order.sort((a, b) => times[a] - times[b] || ranks[a] - ranks[b]);
    }
    return this.orders[axis];
  }

  /** The lanes of processes, and of groups of them, each before those below it. */
  processLanes(roots, depth = 0) {
    const lanes = [];
    // A stack of its own: a chain of ten thousand processes is deeper than the engine's.
    const waiting = [];
    const lay = (processes) => {
      this.wait(waiting, processes, depth, null);
      while (waiting.length) {
        const lane = waiting.pop();
        lanes.push(lane);
        if (lane.members) this.waitReversed(waiting, lane.members.map((each) => this.processLane(each, lane.depth + 1, lane)));
        else if (lane.process.children.length) this.wait(waiting, lane.process.children, lane.depth + 1, lane.group);
      }
    };
    lay(roots);
    // What is nobody's child, such as a process that is its own ancestor.
    if (depth === 0) for (const process of this.processes.values()) if (!process.lane && !process.host) lay([process]);
    return lanes;
  }

  /** Lets siblings wait for being laid out: those of one program together where there are many. */
  wait(waiting, processes, depth, group) {
    const lanes = [];
    const isMany = this.processes.size > LANES && processes.length >= FOLD;
    const programs = new Map();
    for (const process of isMany ? processes : []) {
      if (!process.lane) programs.set(process.program, extended(programs.get(process.program) ?? NONE, process));
    }
    for (const process of processes) {
      if (process.lane) continue;
      const same = programs.get(process.program) ?? NONE;
      if (same.length < FOLD) {
        lanes.push(this.processLane(process, depth, group));
      } else if (same[0] === process) {
        const lane = newLane(`group-${process.ordinal}`, `${process.program || 'process'} × ${same.length.toLocaleString('en')}`, depth, group);
        lanes.push(Object.assign(lane, { members: same, isFolded: true }));
      }
    }
    this.waitReversed(waiting, lanes);
  }

  /** Lets lanes wait, of which the one that comes last is laid out first. */
  waitReversed(waiting, lanes) {
    for (let index = lanes.length - 1; index >= 0; index--) waiting.push(lanes[index]);
  }

  /** Lanes of the hosts that targets are, each with its processes below it. */
  machineLanes(roots) {
    return [...this.hosts.values()].flatMap((host) => {
      host.lane = Object.assign(newLane(`machine ${host.name}`, host.name), { host });
      return [host.lane, ...this.processLanes(roots.filter((each) => each.host === host), 1)];
    });
  }

  /** Where an arrow from an event leads: the lane of another host; `null` for none. */
  goalOf(mark) {
    const { event } = mark;
    if (event.k === 'conn') return ['pending', 'established', 'failed'].includes(event.state) ? this.hosts.get(event.to)?.lane ?? null : null;
    return event.k === 'req' && this.hosts.size > 0 && !mark.own.isCopy ? this.asked?.get(hostOf(event.url)) ?? null : null;
  }

  /** Lanes of the hosts that were asked, where there are several: each request stands there, too. */
  hostLanes() {
    const lanes = new Map();
    const copies = [];
    for (const mark of this.marks) {
      if (mark.kind !== 'req') continue;
      const host = hostOf(mark.event.url);
      if (!lanes.has(host)) lanes.set(host, Object.assign(newLane(`host ${host}`, host), { isCopy: true }));
      copies.push({ ...mark, index: this.marks.length + copies.length, own: lanes.get(host), row: 0 });
    }
    if (lanes.size < (this.hosts.size ? 1 : 2) || lanes.size > LANES) return [];
    this.asked = lanes;
    this.copies = copies;
    return lanes.values();
  }

  processLane(process, depth, group) {
    const lane = newLane(process.ordinal, '', depth, group);
    lane.process = process;
    process.lane = lane;
    const count = process.threads?.size ?? 0;
    if (count > 1) {
      process.rows = new Map([...process.threads].sort((a, b) => a - b).map((thread, index) => [thread, Math.min(index, THREAD_ROWS - 1)]));
      lane.rows = Math.min(THREAD_ROWS, count);
    }
    return lane;
  }

  /** The lanes that are shown, with their marks: nothing of a group that is folded but its own lane. */
  show() {
    this.lanes = [];
    for (const lane of this.tree) {
      const { group } = lane;
      lane.shown = group && (group.isFolded || group.shown !== group) ? group.shown : lane;
      lane.marks = NONE;
      if (lane.shown === lane) this.lanes.push(lane);
    }
    for (const mark of this.sorted) {
      const lane = mark.own.shown;
      lane.marks = extended(lane.marks, mark);
    }
  }

  /** Shows or hides the lanes of a group. */
  fold(group, isFolded) {
    group.isFolded = isFolded;
    this.show();
  }

  otherLane(event, others) {
    const name = { req: 'network', msg: 'network', conn: 'network', cut: 'network', heal: 'network', out: 'output', set: 'clock' }[event.k] ?? 'scenario';
    if (!others.has(name)) others.set(name, newLane(name, name));
    return others.get(name);
  }

  /** All marks and steps in the order of time. */
  inOrder() {
    this.ordered ??= [...this.events].filter((each) => each.k in KINDS).sort((a, b) => a.v - b.v || a.r - b.r || a.id - b.id);
    return this.ordered;
  }

  /** The time on the other axis at a time on one of them. */
  translate(time, axis) {
    // Both begin at once.
    if (time <= 0) return 0;
    const { [axis]: from, [axis === 'v' ? 'r' : 'v']: to } = this.pairs;
    // Between the last pair up to that time and the first one behind it. Few times are asked for: nothing need be sorted.
    let low = 0;
    let high = -1;
    for (let index = 0; index < from.length; index++) {
      if (from[index] <= time) {
        if (from[index] > from[low] || (from[index] === from[low] && to[index] > to[low])) low = index;
      } else if (high < 0 || from[index] < from[high] || (from[index] === from[high] && to[index] < to[high])) {
        high = index;
      }
    }
    return high < 0 ? to[low] : to[low] + (time - from[low]) / (from[high] - from[low]) * (to[high] - to[low]);
  }
}

function hostOf(url) {
  return url.match(/^[a-z]+:\/\/([^/?#]*)/i)?.[1] ?? 'network';
}

const KINDS = {
  step: 'step',
  exec: 'program', end: 'end', wait: 'wait', req: 'request', fault: 'fault', set: 'clock', out: 'output', sig: 'signal',
  conn: 'connection', cut: 'partition', heal: 'healed partition', msg: 'message', hook: 'webhook',
  limit: 'limit', escape: 'escaped wait', reach: 'out of reach', outside: 'change outside', port: 'port of the case', fail: 'failure', warn: 'warning', other: 'event',
};

/** The states of a connection between hosts, as they are read. */
const CONNECTION_STATES = { pending: 'has no answer yet', established: 'connected', failed: 'failed', abandoned: 'given up', timedOut: 'timed out', closed: 'closed', reset: 'reset' };

/** A mark in one line, for whoever cannot see it. */
function sentence(event) {
  const who = event.k === 'out' ? event.stream : '';
  switch (event.k) {
    case 'step': return `${event.index} ${line(event.name)}`;
    case 'exec': return `runs ${shortened(line(event.args.join(' ')), 120)}`;
    case 'end': return event.signal ? `killed by SIG${event.signal.replace(/^SIG/, '')}` : `exit code ${event.code}`;
    case 'sig': return `SIG${event.signal}`;
    case 'wait': return `${event.call} for ${length(event.to - event.v)}${event.end === 'due' ? '' : `, ${event.end}`}`;
    case 'req': return `${line(event.method)} ${shortened(line(event.url), 120)} → ${event.status ?? 'no reply'}${event.delay ? ` after ${length(event.delay)}` : ''}${event.state ? `; ${shortened(line(event.state), 120)}` : ''}`;
    case 'fault': return `${event.action} in ${event.call}${event.subject ? ` of ${shortened(line(event.subject), 80)}` : ''} (${line(event.entry)})`;
    case 'set': return `wall clock ${event.by < 0 ? 'back' : 'on'} by ${length(Math.abs(event.by))} by ${event.call}${event.error ? `: ${event.error}` : ''}`;
    case 'conn': return `${line(event.from)} → ${line(event.to)}:${event.port} ${CONNECTION_STATES[event.state] ?? event.state}${event.error ? `: ${event.error}` : ''}`;
    case 'hook': return `${line(event.method)} ${shortened(line(event.url), 120)} → ${shortened(line(event.outcome), 120)}`;
    case 'msg': return `${event.sent ? 'sent' : 'received'} ${plural(event.size, 'byte')}${event.text ? `: ${shortened(line(event.text), 80)}` : ''}`;
    case 'out': return `${who} ${plural(event.n, 'byte')}: ${shortened(line(event.text).trim(), 80)}`;
    default: return shortened(line(event.text ?? ''), 160);
  }
}
