// The run, and its cases: a case is read from its chunk when somebody opens it.

const run = JSON.parse(document.getElementById('run').textContent);
const chunks = new Map();
let sources = null;

/** The text of a scenario file as it was read; `undefined` if the page has none. */
function sourceOf(file) {
  sources ??= JSON.parse(document.getElementById('sources').textContent);
  return Object.hasOwn(sources, file) ? sources[file] : undefined;
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

const STATES = ['failed', 'errored', 'flaky', 'passed', 'skipped'];

function counts() {
  const result = Object.fromEntries(STATES.map((state) => [state, 0]));
  for (const each of run.cases) result[each.s] = (result[each.s] ?? 0) + 1;
  return result;
}
