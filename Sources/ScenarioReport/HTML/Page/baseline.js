// What happened differently from an earlier run that passed: of each process by itself, as nobody orders those of one moment.

/** How many lines of each run are shown before the first difference, and from there on. */
const LINES_BEFORE = 3;
const LINES_BEHIND = 40;
/** How many differences of one moment are shown. */
const DIFFERENCES = 5;
/** How much of a body a line shows. */
const BODY_SHOWN = 200;
let baseline = null;

/** The same case of the earlier run; `undefined` if it did not pass there, or there is none. */
function formerAttempt(id) {
  baseline ??= JSON.parse(document.getElementById('baseline')?.textContent ?? '{}');
  return Object.hasOwn(baseline, id) ? baseline[id].attempts.at(-1) : undefined;
}

/** When the run was in which it passed; `undefined` if that is not known. */
function formerTime(id) {
  return baseline?.[id]?.runAt?.replace('T', ' ').replace(/\.\d+/, '');
}

/** Processes of two runs that stand at the same place of their trees: children of one program, or else in the order of births. */
function processPairs(before, now) {
  const pairs = [];
  const roots = (model) => [...model.processes.values()].filter((each) => !model.processes.has(each.parent) || each.parent === each.ordinal);
  const match = (left, right) => {
    const rest = new Set(right);
    // Those that are alike stand in rows: ten thousand siblings are not searched through for each of them.
    const taker = (likeness) => {
      const rows = new Map();
      for (const process of right.toReversed()) rows.set(likeness(process), extended(rows.get(likeness(process)) ?? NONE, process));
      return (process) => {
        const row = rows.get(likeness(process)) ?? [];
        let other = row.pop();
        while (other && !rest.has(other)) other = row.pop();
        rest.delete(other);
        return other ?? null;
      };
    };
    const takeSame = taker((process) => `${nameOfTarget(process) ?? ''}\n${process.program}`);
    const takeOther = taker(nameOfTarget);
    const taken = left.map((process) => [process, takeSame(process)]);
    for (const [process, same] of taken) pairs.push([process, same ?? takeOther(process)]);
    for (const process of rest) pairs.push([null, process]);
  };
  match(roots(before), roots(now));
  // Pairs are added while they are gone through: those of a generation bring the next one.
  for (let index = 0; index < pairs.length; index++) {
    const [left, right] = pairs[index];
    match(left?.children ?? [], right?.children ?? []);
  }
  return pairs;
}

/** The events of an attempt in rows that have an order of their own: those of a process, of the steps, of a stream. */
class Happenings {
  constructor(attempt) {
    this.model = new TimelineModel(attempt);
    this.exchanges = new Map((attempt.exchanges ?? []).map((each) => [each.n, each]));
    this.pids = new Set([...this.model.processes.values()].map((each) => each.born.pid).filter(Boolean).map(String));
    this.rows = new Map();
    /** Those of a process, by its number and that of the thread: threads of one process are in no order either. */
    this.processes = new Map();
    for (const event of this.model.inOrder()) {
      if (event.k === 'fail' || (event.k === 'sig' && event.signal === 'CHLD')) continue;
      const isOfProcess = event.k !== 'out' && event.p;
      if (isOfProcess && !this.processes.has(event.p)) this.processes.set(event.p, new Map());
      const rows = isOfProcess ? this.processes.get(event.p) : this.rows;
      const key = isOfProcess ? (event.k === 'wait' && event.th) || 0 : this.keyOf(event);
      if (!rows.has(key)) rows.set(key, []);
      this.add(event, rows.get(key));
    }
  }

  keyOf(event) {
    if (event.k === 'out') return [nameOfTarget(this.model.processes.get(event.p)), event.stream].filter(Boolean).join(' ');
    return { req: 'network', msg: 'network', step: 'steps' }[event.k] ?? 'other events';
  }

  add(event, row) {
    const last = row.at(-1);
    // In how many pieces output comes, and whose of one moment comes first, is chance.
    if (event.k === 'out' && last && (last.event.v === event.v || !this.model.isVirtual)) {
      last.output += event.text;
      last.text = this.line(last.event, sortedLines(last.output));
      last.shown = this.line(last.event, last.output);
      return;
    }
    const output = event.k === 'out' ? event.text : null;
    const shown = this.line(event, output);
    row.push({ event, output, shown, text: output === null ? shown : this.line(event, sortedLines(output)) });
  }

  line(event, output) {
    const time = this.model.isVirtual ? `+${length(event.v)} ` : '';
    if (output !== null) return `${time}${event.stream}: ${line(output)}`;
    const exchange = event.k === 'req' && event.n ? this.exchanges.get(event.n) : null;
    const bodies = exchange ? [['sent', exchange.q.b], ['got', exchange.a.b]].filter(([, body]) => body).map(([word, body]) => `; ${word} ${line(body)}`).join('') : '';
    return `${time}${KINDS[event.k]}: ${sentence(event)}${bodies}`;
  }
}

function nameOfTarget(process) {
  return process?.born.target;
}

/** Lines in an order that depends neither on which of several writers came first, nor on numbers and names that are chance. */
function sortedLines(text) {
  const lines = text.split('\n').filter(Boolean).map((each) => ({ each, key: each.replace(/\/(?:tmp|dev\/shm)\/\S*/g, '/tmp').replace(/\d+/g, '0') }));
  return lines.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ each }) => each).join('\n');
}

/** Whether two lines tell of the same, but for what is another one in each run: numbers of processes, names of temporary files, ports. */
function tellSame(before, now, pidsBefore, pidsNow) {
  if (before === now) return true;
  const [left, right] = [before, now].map((text) => text.match(/\w+|\W/g) ?? []);
  if (left.length !== right.length) return false;
  let word = '';
  for (const [index, token] of left.entries()) {
    const other = right[index];
    word = /\s|["'`]/.test(token) ? '' : word + token;
    if (token !== other && !(pidsBefore.has(token) && pidsNow.has(other)) && !(isPort(token, left, index) && isPort(other, right, index))
      && !areChance(token, other, word)) return false;
  }
  return true;
}

/** Whether a number is one of the ports that the kernel gives to whoever asks for none (ip(7), ip_local_port_range). */
function isPort(token, tokens, index) {
  return tokens[index - 1] === ':' && /^\d{5}$/.test(token) && Number(token) >= 32_768 && Number(token) < 61_000;
}

/** Whether two parts of a path below a folder for temporary files are what mkstemp(3) and the like make up. */
function areChance(left, right, path) {
  if (left.length !== right.length || !/^(?:[^/]*=)?\/(?:tmp|var\/tmp|dev\/shm)\//.test(path)) return false;
  let same = 0;
  while (left[same] === right[same]) same += 1;
  const rests = [left.slice(same), right.slice(same)];
  return rests[0].length >= 5 && rests.some((rest) => /[A-Z0-9_]/.test(rest));
}

/** Where two rows part; `null` if they do not. */
function partingOf(before, now, name, former, present) {
  const count = Math.min(before.length, now.length);
  let first = 0;
  while (first < count && tellSame(before[first].text, now[first].text, former.pids, present.pids)) first += 1;
  if (first === before.length && first === now.length) return null;
  const times = [before[first], now[first]].filter(Boolean).map((each) => each.event.v);
  return { name, before, now, first, time: Math.min(...times), event: now[first]?.event ?? null };
}

/** All rows of which two runs tell differently, the earliest first. */
function partings(former, present) {
  const result = [];
  const compare = (name, before, now) => {
    const parting = partingOf(before, now, name, former, present);
    if (parting) result.push(parting);
  };
  for (const [left, right] of processPairs(former.model, present.model)) {
    const process = right ?? left;
    const name = `[${process.ordinal}] ${line(process.program)}`;
    const [before, now] = [former.processes.get(left?.ordinal) ?? new Map(), present.processes.get(right?.ordinal) ?? new Map()];
    for (const thread of new Set([...before.keys(), ...now.keys()])) compare(name, before.get(thread) ?? [], now.get(thread) ?? []);
  }
  for (const key of new Set([...former.rows.keys(), ...present.rows.keys()])) compare(key, former.rows.get(key) ?? [], present.rows.get(key) ?? []);
  return result.sort((a, b) => a.time - b.time || (a.event?.id ?? Infinity) - (b.event?.id ?? Infinity));
}

/** The difference from the earlier run; `null` if there is nothing to compare with. */
function differenceView(id, attempt, choose) {
  const attemptBefore = formerAttempt(id);
  if (!attemptBefore || attemptBefore === attempt) return null;
  const [former, present] = [new Happenings(attemptBefore), new Happenings(attempt)];
  const all = partings(former, present);
  const time = formerTime(id);
  const heading = time ? element('p', { class: 'quiet' }, `it passed in the run of ${time}`) : null;
  if (all.length === 0) return element('div', { class: 'box' }, heading, element('p', { class: 'first' }, 'each process did the same as in the passing run'));
  // What is of one moment has no first.
  const shown = all.filter((each) => (present.model.isVirtual ? each.time === all[0].time : each === all[0])).slice(0, DIFFERENCES);
  const rest = all.length - shown.length;
  return element('div', { class: 'box' }, heading, shown.map((each) => partingView(each, present.model, choose)),
    rest ? element('p', { class: 'quiet' }, `${plural(rest, 'more row')} of events ${rest === 1 ? 'differs' : 'differ'}, after that or because of it`) : null);
}

function partingView({ name, before, now, first, time, event }, model, choose) {
  const start = Math.max(0, first - LINES_BEFORE);
  const part = (lines) => lines.slice(start, first + LINES_BEHIND).map((each, index) => (start + index !== first
    ? shortened(each.text, BODY_SHOWN)
    // Of a long line that part is shown where it differs, which the order of its lines must not hide.
    : each.shown.length <= BODY_SHOWN ? each.shown : shownLine(each.text, before[first]?.text, now[first]?.text))).join('\n');
  const what = before.length === 0 ? 'is new' : now.length === 0 ? 'is missing' : event ? `differs from event ${first + 1} on` : `went on behind event ${first} in the run that passed`;
  return element('div', { class: 'parting' },
    element('p', { class: 'first' }, `${name} ${what}${model.isVirtual ? `, at +${length(time)}` : ''}`),
    event ? element('button', { click: () => choose(event) }, 'show on the timeline') : null,
    comparisonView({ expected: part(before), actual: part(now), line: start + 1 }, ['the passing run', 'this run']));
}

/** A line of which so much is shown that what differs is among it. */
function shownLine(text, left = '', right = '') {
  if (text.length <= BODY_SHOWN || (text !== left && text !== right)) return shortened(text, BODY_SHOWN);
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  const start = Math.max(0, same - BODY_SHOWN / 2);
  return `${start ? '…' : ''}${shortened(text.slice(start), BODY_SHOWN)}`;
}
