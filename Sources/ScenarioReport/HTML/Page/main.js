// The page as a whole: what is shown follows the address, and nothing else.

const main = document.getElementById('main');
const title = document.getElementById('title');
const list = new List((place) => go({ place, attempt: deep.hits.get(place)?.attempt ?? 0, event: deep.hits.get(place)?.event ?? 0 }));
const deep = new DeepSearch(() => { if (address().place < 0) show(); });
const search = element('input', {
  type: 'search', placeholder: 'search: text  s:failed  @tag  file:login  -word', 'aria-label': 'search names, output, requests and steps',
  spellcheck: 'false', autocomplete: 'off',
  input: () => replace({ query: search.value }),
  keydown: (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    list.node.focus();
  },
});
const order = element('select', { 'aria-label': 'order', change: () => go({ order: order.value }) },
  [['plan', 'in order of the plan'], ['status', 'worst first'], ['duration', 'slowest first'], ['virtual', 'longest virtual time first'], ['name', 'by name']]
    .map(([value, text]) => element('option', { value }, text)));
const shown = element('span', { class: 'quiet number', role: 'status' });
const chips = element('div', { class: 'counts', role: 'group', 'aria-label': 'filter by status' });
const notes = element('div', {}, runView());
const overview = element('div', {}, notes, element('div', { class: 'bar' }, search, order, chips, shown),
  element('div', { class: 'head', 'aria-hidden': true }, ['', 'scenario', 'virtual', 'real'].map((text) => element('span', {}, text))), list.node);
let opened = -1;
let view = null;
const viewState = new ViewState();

function go(change) {
  location.hash = addressOf({ ...address(), place: -1, attempt: 0, event: 0, ...change });
}

function replace(change) {
  history.replaceState(null, '', addressOf({ ...address(), ...change }));
  show();
}

function runView() {
  const parts = [];
  if (run.interrupted) parts.push(element('p', { class: 'errored' }, 'the run was stopped before its end: not every scenario ran'));
  if (run.failures.length) parts.push(element('h2', {}, 'The run itself'), ...run.failures.map(failureView));
  return parts.length ? element('div', {}, parts) : null;
}

function drawChips(query) {
  const number = counts();
  const active = words(query).filter((word) => word.key === 's' && !word.not).map((word) => word.value);
  chips.replaceChildren(...STATES.filter((state) => number[state]).map((state) => element('button', {
    'aria-pressed': active.includes(state),
    click: () => {
      const rest = query.replace(/(^|\s)s:\S+/g, ' ').trim();
      const next = active.includes(state) ? active.filter((each) => each !== state) : [...active, state];
      go({ query: [...next.map((each) => `s:${each}`), rest].filter(Boolean).join(' ') });
    },
  }, element('span', { class: state }, element('span', { class: 'dot' })), `${number[state].toLocaleString('en')} ${state}`)));
}

/** Shows what the address says. */
function show() {
  const { query, order: wished, place, attempt, event, isLost } = address();
  if (place >= 0) {
    if (opened === place && main.firstChild?.className === 'case') {
      view.open(attempt);
      view.attempt.chooseNumber(event);
      return;
    }
    opened = place;
    view = caseView(place, attempt, close, keepChoice);
    main.replaceChildren(view.node);
    document.title = `${line(run.cases[place].n)} · scenario`;
    scrollTo(0, 0);
    view.heading.focus({ preventScroll: true });
    if (event) view.attempt.chooseNumber(event);
    return;
  }
  document.title = 'scenario report';
  if (search.value !== query) search.value = query;
  order.value = wished in ORDERS ? wished : 'plan';
  drawChips(query);
  const near = new Set(found(query, wished));
  deep.start(query, [...run.cases.keys()].filter((each) => !near.has(each)));
  const places = deep.hits.size ? found(query, wished, deep.hits) : [...near];
  if (!overview.isConnected) main.replaceChildren(overview);
  list.show(places, deep.hits, deep.isDone);
  shown.textContent = (isLost ? 'the linked scenario is not in this run'
    : places.length === run.cases.length ? plural(places.length, 'scenario') : `${places.length.toLocaleString('en')} of ${plural(run.cases.length, 'scenario')}`)
    + (deep.isDone ? '' : ', searching …');
  if (opened >= 0) {
    list.select(opened);
    list.node.focus({ preventScroll: true });
    opened = -1;
  }
}

function close() {
  go({});
}

/** The address names the attempt that is shown and the event that is chosen, without a step of the browser's history for each. */
function keepChoice(attempt, event) {
  history.replaceState(null, '', addressOf({ ...address(), attempt, event: event?.id ?? 0 }));
}

/** Shows the data that have come in the place of others: what is open stays, with what is searched for in it. */
function renew(former) {
  drawTitle();
  notes.replaceChildren(...[runView()].filter(Boolean));
  deep.text = null;
  const { place } = address();
  if (former && place >= 0 && former.id === run.cases[place].id) {
    opened = place;
    if (former.text === caseText(place)) return;
    viewState.keep(former, view);
    const attempts = wholeCase(place).attempts.length;
    const { attempt } = address();
    // Events are numbered in their attempt.
    if (attempt === 0 ? attempts !== view.number : attempt > attempts) keepChoice(0, null);
    const outside = main.contains(document.activeElement) ? null : document.activeElement;
    opened = -1;
    main.replaceChildren();
    show();
    viewState.restore(view);
    if (outside && outside !== document.body) outside.focus({ preventScroll: true });
    return;
  }
  show();
}

/** What is open; `null` for the list. */
function openCase() {
  return opened >= 0 ? { id: run.cases[opened].id, text: caseText(opened), isRunning: run.cases[opened].s === 'running' } : null;
}

// MARK: The frame

const help = document.getElementById('help');
const theme = document.getElementById('theme');

function setTheme(value) {
  document.documentElement.dataset.theme = value;
  theme.textContent = value === 'dark' ? 'light' : 'dark';
  theme.setAttribute('aria-label', `switch to ${theme.textContent} colours`);
}

/** Storage is closed to some pages that are opened from a file. */
function remembered(value) {
  try {
    if (value) localStorage.setItem('scenario-theme', value);
    return localStorage.getItem('scenario-theme');
  } catch {
    return null;
  }
}

const kept = remembered();
setTheme(kept === 'dark' || kept === 'light' ? kept : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
  if (!remembered()) setTheme(event.matches ? 'dark' : 'light');
});
theme.addEventListener('click', () => {
  const value = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  setTheme(value);
  remembered(value);
});
document.getElementById('keys').addEventListener('click', () => help.showModal());

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const isTyping = event.target.matches('input, select, textarea');
  // Before the address has been followed, there is no view yet.
  const finder = address().place >= 0 && view ? view.attempt.finder : null;
  if (event.key === 'Escape') {
    if (finder && isTyping) view.heading.focus();
    else if (finder) close();
    else if (isTyping && search.value) replace({ query: '' });
    else if (isTyping) list.node.focus();
    else return;
  } else if (isTyping) {
    return;
  } else if (event.key === '/') {
    const field = finder ? finder.field : search;
    field.focus();
    field.select();
  } else if (event.key === '?') {
    help.showModal();
  } else if ((event.key === 'n' || event.key === 'p') && address().place >= 0) {
    const { query, order: wished, place } = address();
    const places = found(query, wished, deep.hits);
    const next = places[places.indexOf(place) + (event.key === 'n' ? 1 : -1)];
    if (next !== undefined) go({ place: next });
  } else if (event.key === 't' && finder) {
    document.querySelector('.canvas')?.focus();
  } else if ((event.key === 'j' || event.key === 'k') && finder) {
    view.attempt.step(event.key === 'j' ? 1 : -1);
  } else if (['ArrowDown', 'ArrowUp', 'j', 'k', 'Enter'].includes(event.key) && address().place < 0 && event.target === document.body) {
    list.node.focus();
    list.press(event);
  } else {
    return;
  }
  event.preventDefault();
});

/** The verdict on the run in one line, and its colour. */
function verdict() {
  const number = counts();
  const bad = number.failed + number.errored;
  const good = number.passed + number.flaky;
  if (bad || run.failures.length) return ['failed', bad ? `${bad.toLocaleString('en')} of ${plural(run.cases.length, 'scenario')} failed` : 'the run failed'];
  if (run.cases.length === 0) return ['skipped', nothingText()];
  const parts = [good ? `${plural(good, 'scenario')} passed` : null, number.running ? `${number.running.toLocaleString('en')} running` : null, number.skipped ? `${number.skipped.toLocaleString('en')} skipped` : null];
  return [run.interrupted ? 'errored' : good ? 'passed' : 'skipped', parts.filter(Boolean).join(', ')];
}

function drawTitle() {
  const [colour, sentenceOfRun] = verdict();
  title.replaceChildren(
    element('h1', {}, element('span', { class: colour }, element('span', { class: 'dot' })), sentenceOfRun),
    element('span', { class: 'quiet number' }, [`in ${length(run.duration)}`, run.startedAt.replace('T', ' ').replace(/\.\d+/, ''), line(run.hostname), `scenario ${line(run.version)}`].filter(Boolean).join(' · ')));
}

drawTitle();
addEventListener('hashchange', show);
show();
followRun();
