// What is typed into the search field: `s:failed @slow file:login -flaky "two words"`.

/** The words of a query; quotes hold words together. */
function words(text) {
  return [...text.matchAll(/(-?)(?:(s|file|seed):)?(@?)(?:"([^"]*)"?|(\S+))/g)].map((match) => ({
    not: match[1] === '-', key: match[3] ? 'tag' : match[2] ?? 'text',
    value: (match[4] ?? match[5]).toLowerCase(),
  })).filter((word) => word.value !== '');
}

function holds(word, each) {
  switch (word.key) {
    case 's': return each.s === word.value || (word.value === 'bad' && (each.s === 'failed' || each.s === 'errored'));
    case 'tag': return each.t.some((tag) => tag.toLowerCase() === word.value);
    case 'file': return each.f.toLowerCase().includes(word.value);
    case 'seed': return String(each.e) === word.value;
    default: return each.hay.includes(word.value);
  }
}

const ORDERS = {
  plan: () => 0,
  duration: (a, b) => b.d - a.d,
  virtual: (a, b) => (b.v ?? -1) - (a.v ?? -1),
  name: (a, b) => a.n.localeCompare(b.n, 'en'),
  status: (a, b) => STATES.indexOf(a.s) - STATES.indexOf(b.s),
};

/** The places of the cases that a query finds, in the order that is wished; `hits` are those found by what is in them. */
function found(text, order, hits = new Map()) {
  const list = words(text);
  // One status or another, one tag and another: statuses exclude each other.
  const states = list.filter((word) => word.key === 's' && !word.not);
  const others = list.filter((word) => word.key !== 's' || word.not);
  const places = [];
  run.cases.forEach((each, place) => {
    each.hay ??= `${each.n}\n${each.f}:${each.l}\n${each.m ?? ''}`.toLowerCase();
    const isWished = states.length === 0 || states.some((word) => holds(word, each));
    const fits = (word) => holds(word, each) !== word.not || (hits.has(place) && word.key === 'text' && !word.not);
    if (isWished && others.every(fits)) places.push(place);
  });
  const compare = ORDERS[order] ?? ORDERS.plan;
  return places.sort((a, b) => compare(run.cases[a], run.cases[b]) || a - b);
}

/** What the address says after its hash: which query, which order, which case, which of its events. */
function address() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const named = fields.get('case');
  const place = named === null ? -1 : run.cases.findIndex((each) => each.id === named);
  const event = Number(fields.get('event')) || 0;
  const attempt = Number(fields.get('attempt')) || 0;
  return { query: fields.get('q') ?? '', order: fields.get('sort') ?? 'plan', place, attempt, event, isLost: named !== null && place < 0 };
}

function addressOf({ query = '', order = 'plan', place = -1, attempt = 0, event = 0 }) {
  const fields = new URLSearchParams();
  if (query) fields.set('q', query);
  if (order !== 'plan') fields.set('sort', order);
  if (place >= 0) fields.set('case', run.cases[place].id);
  if (place >= 0 && attempt) fields.set('attempt', attempt);
  if (place >= 0 && event) fields.set('event', event);
  return `#${fields}`;
}
