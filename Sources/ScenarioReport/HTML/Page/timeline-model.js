// What the timeline shows, without a pixel: lanes, spans and marks, and how time becomes a line.

/**
 * Places on a line for moments: straight, or with long stretches in which nothing happens drawn short.
 *
 * A moment is a pair: the time of the axis, and what orders moments of one time (real time within an
 * instant of virtual time, where much can happen; 0 where that is not wanted).
 */
class Scale {
  constructor(moments, isCompressed) {
    const sorted = moments.toSorted(Scale.compare).filter((each, index, all) => index === 0 || Scale.compare(each, all[index - 1]) !== 0);
    if (sorted.length === 0) sorted.push([0, 0]);
    if (sorted.length === 1) sorted.push([sorted[0][0] + 1, sorted[0][1]]);
    this.moments = sorted;
    const share = ([time, rank], [former, formerRank]) => {
      if (!isCompressed) return time - former;
      // Of two gaps of which one is a thousand times the other, one is drawn twice as long, not a thousand times.
      if (time > former) return 1 + Math.log10(1 + (time - former) / 1e3);
      return 0.25 + 0.15 * Math.log10(1 + (rank - formerRank) / 1e3);
    };
    const shares = sorted.slice(1).map((each, index) => share(each, sorted[index]));
    const whole = shares.reduce((sum, each) => sum + each, 0) || 1;
    this.places = [0];
    for (const each of shares) this.places.push(this.places.at(-1) + each / whole);
    this.places[this.places.length - 1] = 1;
    const span = sorted.at(-1)[0] - sorted[0][0] || 1;
    this.breaks = [];
    shares.forEach((each, index) => {
      const gap = (sorted[index + 1][0] - sorted[index][0]) / span;
      if (isCompressed && gap > 4 * each / whole) this.breaks.push(index);
    });
  }

  static compare(a, b) { return a[0] - b[0] || a[1] - b[1]; }

  /** The place of a moment, 0 to 1. */
  place(moment) {
    const index = Scale.search(this.moments.length, (each) => Scale.compare(this.moments[each], moment) <= 0);
    const [low, high] = [this.moments[index], this.moments[index + 1]];
    const share = high[0] > low[0] ? (moment[0] - low[0]) / (high[0] - low[0])
      : high[1] > low[1] ? (moment[1] - low[1]) / (high[1] - low[1]) : 0;
    return this.places[index] + Math.max(0, Math.min(1, share)) * (this.places[index + 1] - this.places[index]);
  }

  /** The time at a place. */
  time(place) {
    const index = Scale.search(this.places.length, (each) => this.places[each] <= place);
    const share = (place - this.places[index]) / (this.places[index + 1] - this.places[index] || 1);
    return this.moments[index][0] + Math.max(0, Math.min(1, share)) * (this.moments[index + 1][0] - this.moments[index][0]);
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

  /** What belongs to a value, between two rows of numbers. */
  static between(from, to, value) {
    if (value <= from[0]) return to[0];
    if (value >= from.at(-1)) return to.at(-1);
    const index = Scale.search(from.length, (each) => from[each] <= value);
    const share = from[index + 1] === from[index] ? 0 : (value - from[index]) / (from[index + 1] - from[index]);
    return to[index] + share * (to[index + 1] - to[index]);
  }
}

/** How many threads of a process have rows of their own; the others share the last. */
const THREAD_ROWS = 32;
/** More lanes than this are folded: as many siblings of one program, or more, are one lane at first. */
const LANES = 40;
const FOLD = 5;

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
    this.end = { v: this.events.reduce((latest, each) => Math.max(latest, each.to ?? each.v), 0), r: attempt.duration };
    for (const [index, event] of this.events.entries()) {
      event.id = index + 1;
      this.take(event);
    }
    this.closeBands();
    this.arrange();
  }

  take(event) {
    switch (event.k) {
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
        this.add(event);
        break;
      case 'cut':
        for (const name of event.groups.flat()) this.host(name).cuts.push({ start: event, end: null, text: event.text, name: event.name });
        this.add(event);
        break;
      default: {
        // A message goes over the connection of its request, and belongs to whom that belongs to.
        if (event.k === 'req' && event.n) this.askers.set(event.n, event.p);
        if (event.k === 'msg') event.p = this.askers.get(event.n);
        if (event.k === 'conn') for (const name of [event.from, event.to]) this.host(name);
        const process = event.p ? this.process(event) : null;
        if (event.k === 'born') Object.assign(process, { born: event, parent: event.parent, program: event.program, host: event.host && this.host(event.host) });
        else this.add(event);
        if (event.k === 'end' && process) process.ended = event;
        if (event.k === 'exec' && process) {
          process.program = event.args[0]?.split('/').at(-1) || process.program;
          process.programs.push({ r: event.r, id: event.id, program: process.program });
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

  add(event) {
    this.marks.push({ index: this.marks.length, event, start: this.startOf(event), stop: this.stopOf(event) });
  }

  startOf(event) {
    return event.k === 'wait' ? { v: event.v, r: Math.max(0, event.r - event.rl) } : { v: event.v, r: event.r };
  }

  stopOf(event) {
    if (event.k === 'wait') return { v: event.to, r: event.r };
    // The reply goes out as soon as its time has come.
    if (event.k === 'req') return event.delay ? { v: event.v + event.delay, r: null } : { v: event.v, r: event.r };
    return { v: event.v, r: event.r };
  }

  process(event) {
    if (!this.processes.has(event.p)) {
      this.processes.set(event.p, { ordinal: event.p, born: event, parent: null, program: '', children: [], threads: new Set(), programs: [] });
    }
    const process = this.processes.get(event.p);
    if (event.th) process.threads.add(event.th);
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
      process.lane = this.processLane(process);
      if (parent && parent !== process) parent.children.push(process); else roots.push(process);
    }
    const others = new Map();
    for (const mark of this.marks) {
      const lane = this.processes.get(mark.event.p)?.lane ?? this.otherLane(mark.event, others);
      mark.own = lane;
      mark.row = lane.process?.rows.get(mark.event.th) ?? 0;
      lane.marks.push(mark);
    }
    this.tree = [...this.processLanes(roots.filter((each) => !each.host)), ...this.machineLanes(roots), ...others.values(), ...this.hostLanes()];
    this.groups = this.tree.filter((lane) => lane.members);
    for (const lane of this.tree) {
      if (lane.members) continue;
      for (let { group } = lane; group; group = group.group) for (const mark of lane.marks) group.marks.push(mark);
    }
    for (const lane of this.tree) lane.marks.sort((a, b) => a.start.v - b.start.v || a.start.r - b.start.r);
    this.show();
  }

  /** The lanes of processes, and of groups of them, each before those below it. */
  processLanes(roots, depth = 0) {
    const lanes = [];
    const seen = this.laid ??= new Set();
    const isMany = this.processes.size > LANES;
    // A stack of its own: a chain of ten thousand processes is deeper than the engine's.
    const waiting = [];
    const wait = (processes, depth, group) => waiting.push(...this.grouped(processes, isMany, depth, group).reverse());
    wait(roots, depth, null);
    // What is nobody's child, such as a process that is its own ancestor.
    const lost = depth > 0 ? [] : [...this.processes.values()].filter((each) => !each.host);
    for (const rest of [null, ...lost]) {
      if (rest && !seen.has(rest)) waiting.push({ process: rest, depth, group: null });
      while (waiting.length) {
        const { process, depth, group, lane } = waiting.pop();
        if (lane) {
          lanes.push(lane);
          waiting.push(...lane.members.map((each) => ({ process: each, depth: depth + 1, group: lane })).reverse());
        } else if (!seen.has(process)) {
          seen.add(process);
          lanes.push(Object.assign(process.lane, { depth, group }));
          wait(process.children, depth + 1, group);
        }
      }
    }
    return lanes;
  }

  /** Lanes of the hosts that targets are, each with its processes below it. */
  machineLanes(roots) {
    return [...this.hosts.values()].flatMap((host) => {
      host.lane = { process: null, host, group: null, name: host.name, depth: 0, rows: 1, marks: [], key: `machine ${host.name}` };
      return [host.lane, ...this.processLanes(roots.filter((each) => each.host === host), 1)];
    });
  }

  /** Where an arrow from an event leads: the lane of another host; `null` for none. */
  goalOf(mark) {
    const { event } = mark;
    if (event.k === 'conn') return ['pending', 'established', 'failed'].includes(event.state) ? this.hosts.get(event.to)?.lane ?? null : null;
    return event.k === 'req' && this.hosts.size > 0 && !mark.own.isCopy ? this.asked?.get(hostOf(event.url)) ?? null : null;
  }

  /** Siblings as they are laid out: those of one program together where there are many. */
  grouped(processes, isMany, depth, group) {
    const programs = new Map();
    for (const process of processes) {
      if (!programs.has(process.program)) programs.set(process.program, []);
      programs.get(process.program).push(process);
    }
    const parts = [];
    for (const process of processes) {
      const same = programs.get(process.program);
      if (!isMany || same.length < FOLD) {
        parts.push({ process, depth, group });
      } else if (same[0] === process) {
        const name = `${process.program || 'process'} × ${same.length.toLocaleString('en')}`;
        const lane = { process: null, name, members: same, isFolded: true, depth, group, rows: 1, marks: [], key: `group-${process.ordinal}` };
        parts.push({ lane, depth });
      }
    }
    return parts;
  }

  /** Lanes of the hosts that were asked, where there are several: each request stands there, too. */
  hostLanes() {
    const lanes = new Map();
    for (const mark of this.marks) {
      if (mark.event.k !== 'req') continue;
      const host = hostOf(mark.event.url);
      if (!lanes.has(host)) lanes.set(host, { process: null, group: null, name: host, depth: 0, rows: 1, marks: [], key: `host ${host}`, isCopy: true });
      lanes.get(host).marks.push({ ...mark, own: lanes.get(host), row: 0 });
    }
    if (lanes.size < (this.hosts.size ? 1 : 2) || lanes.size > LANES) return [];
    this.asked = lanes;
    this.copies = [...lanes.values()].flatMap((lane) => lane.marks);
    this.copies.forEach((mark, index) => { mark.index = this.marks.length + index; });
    return lanes.values();
  }

  processLane(process) {
    const threads = [...process.threads].sort((a, b) => a - b);
    process.rows = new Map(threads.map((thread, index) => [thread, Math.min(index, THREAD_ROWS - 1)]));
    return { process, group: null, depth: 0, rows: Math.max(1, Math.min(THREAD_ROWS, threads.length)), marks: [], key: process.ordinal };
  }

  /** The lanes that are shown: nothing of a group that is folded but its own. */
  show() {
    for (const lane of this.tree) lane.isHidden = lane.group !== null && (lane.group.isFolded || lane.group.isHidden);
    this.lanes = this.tree.filter((lane) => !lane.isHidden);
    for (const mark of [...this.marks, ...this.copies]) {
      mark.lane = mark.own;
      while (mark.lane.isHidden) mark.lane = mark.lane.group;
    }
  }

  /** Shows or hides the lanes of a group. */
  fold(group, isFolded) {
    group.isFolded = isFolded;
    this.show();
  }

  otherLane(event, others) {
    const name = { req: 'network', msg: 'network', conn: 'network', cut: 'network', heal: 'network', out: 'output', set: 'clock' }[event.k] ?? 'scenario';
    if (!others.has(name)) others.set(name, { process: null, group: null, name, depth: 0, rows: 1, marks: [], key: name });
    return others.get(name);
  }

  /** All marks and steps in the order of time. */
  inOrder() {
    this.ordered ??= [...this.events].filter((each) => each.k in KINDS).sort((a, b) => a.v - b.v || a.r - b.r || a.id - b.id);
    return this.ordered;
  }

  /** Every moment that matters: virtual and real time. */
  moments() {
    const list = [{ v: 0, r: 0 }, this.end];
    for (const mark of this.marks) list.push(mark.start, mark.stop);
    for (const band of this.bands) list.push(band, band.end);
    for (const process of this.processes.values()) list.push(process.born);
    return list;
  }

  /** The time on the other axis at a time on one of them. */
  translate(time, axis) {
    if (!this.pairs) {
      this.pairs = {};
      const stops = this.marks.filter((mark) => mark.stop.r !== null && mark.event.k === 'wait').map((mark) => mark.stop);
      const points = [...this.events.filter((each) => each.k !== 'untold' && each.k !== 'wait'), ...stops].map((each) => ({ v: each.v, r: each.r }));
      points.push({ v: 0, r: 0 }, this.end);
      for (const key of ['v', 'r']) {
        const rest = key === 'v' ? 'r' : 'v';
        const sorted = points.toSorted((a, b) => a[key] - b[key] || a[rest] - b[rest]);
        this.pairs[key] = { from: sorted.map((each) => each[key]), to: sorted.map((each) => each[rest]) };
      }
    }
    return Scale.between(this.pairs[axis].from, this.pairs[axis].to, time);
  }
}

function hostOf(url) {
  return url.match(/^[a-z]+:\/\/([^/?#]*)/i)?.[1] ?? 'network';
}

const KINDS = {
  step: 'step',
  exec: 'program', end: 'end', wait: 'wait', req: 'request', fault: 'fault', set: 'clock', out: 'output', sig: 'signal',
  conn: 'connection', cut: 'partition', heal: 'healed partition', msg: 'message', hook: 'webhook',
  limit: 'limit', escape: 'escaped wait', reach: 'out of reach', outside: 'change outside', fail: 'failure', warn: 'warning', other: 'event',
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
