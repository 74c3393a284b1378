// The run, and its cases: a case is read from its chunk when somebody opens it.

let run = JSON.parse(document.getElementById('run').textContent);
const chunks = new Map();
let sources = null;

/** The text of a scenario file as it was read; `undefined` if the page has none, `null` if it is another one since the run. */
function sourceOf(file) {
  return Object.hasOwn(allSources(), file) ? sources[file] : undefined;
}

function allSources() {
  sources ??= JSON.parse(document.getElementById('sources').textContent);
  return sources;
}

/** Takes the data of another page in the place of this one's. */
function takeData(page) {
  const selector = 'script[type="application/json"]';
  for (const old of document.querySelectorAll(selector)) old.remove();
  document.body.append(...[...page.querySelectorAll(selector)].map((each) => document.importNode(each, true)));
  run = JSON.parse(document.getElementById('run').textContent);
  chunks.clear();
  sources = null;
  baseline = null;
  lowerSources.clear();
}

/** Everything about a case, by its place in the list. */
function wholeCase(place) {
  return JSON.parse(caseText(place));
}

/** The same as JSON. */
function caseText(place) {
  const summary = run.cases[place];
  if (!chunks.has(summary.c)) {
    // Few stay open: a long list of open chunks is what makes a page heavy.
    if (chunks.size >= 4) chunks.delete(chunks.keys().next().value);
    chunks.set(summary.c, document.getElementById(`chunk-${summary.c}`).textContent.split('\n'));
  }
  return chunks.get(summary.c)[summary.o];
}

const STATES = ['failed', 'errored', 'running', 'flaky', 'passed', 'skipped'];

function counts() {
  const result = Object.fromEntries(STATES.map((state) => [state, 0]));
  for (const each of run.cases) result[each.s] = (result[each.s] ?? 0) + 1;
  return result;
}
