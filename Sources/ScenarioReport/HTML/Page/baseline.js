// What happened differently from an earlier run that passed: the first difference, and what follows it.

/** How many lines of each run are shown before the first difference, and from there on. */
const LINES_BEFORE = 3;
const LINES_BEHIND = 40;
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

/** What happened, a line each, with the event that it is about. */
function happenings(attempt) {
  const model = new TimelineModel(attempt);
  const programs = (event) => (event.p ? `[${event.p}] ${model.processes.get(event.p)?.program ?? ''} ` : '');
  const lines = model.inOrder().filter((event) => event.k !== 'fail').map((event) => ({
    event, text: `${model.isVirtual ? `+${length(event.v)} ` : ''}${programs(event)}${KINDS[event.k]}: ${sentence(event)}`,
  }));
  const exchanges = new Map((attempt.exchanges ?? []).map((each) => [each.n, each]));
  for (const each of lines) {
    const exchange = each.event.n && each.event.k === 'req' ? exchanges.get(each.event.n) : null;
    if (exchange?.q.b) each.text += ` ${shortened(line(exchange.q.b), 200)}`;
  }
  return lines;
}

/** The difference from the earlier run; `null` if there is nothing to compare with. */
function differenceView(id, attempt, choose) {
  const former = formerAttempt(id);
  if (!former || former === attempt) return null;
  const [before, now] = [happenings(former), happenings(attempt)];
  const count = Math.min(before.length, now.length);
  let first = 0;
  while (first < count && before[first].text === now[first].text) first += 1;
  if (first === before.length && first === now.length) return element('p', { class: 'box' }, 'every event is the same as in the run that passed');
  const part = (lines) => lines.slice(Math.max(0, first - LINES_BEFORE), first + LINES_BEHIND).map((each) => each.text).join('\n');
  const event = now[first]?.event;
  const time = formerTime(id);
  return element('div', { class: 'box' },
    time ? element('p', { class: 'quiet' }, `it passed in the run of ${time}`) : null,
    element('p', { class: 'first' }, event ? `the first of ${plural(now.length, 'event')} that differs is number ${first + 1}` : `the run that passed went on behind event ${first}`),
    event ? element('button', { click: () => choose(event) }, 'show on the timeline') : null,
    comparisonView({ expected: part(before), actual: part(now), line: Math.max(0, first - LINES_BEFORE) + 1 }, ['the run that passed', 'this run']));
}
