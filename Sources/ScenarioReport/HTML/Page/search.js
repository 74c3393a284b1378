// Search over all that is known of cases: output, requests, steps, faults, processes, failures.

/** What an event says, for whoever searches. */
function eventText(event) {
  return [event.name, event.args?.join(' '), event.method, event.url, event.op, event.status, event.entry, event.action, event.call, event.subject, event.error,
    event.reason, event.text, event.from, event.to, event.state, event.signal && `SIG${event.signal}`].filter((each) => each !== undefined && each !== null && each !== '').join(' ');
}

/** Everything of an attempt that is searched: where it is, its text, and the event that it belongs to. */
function* textsOf(attempt) {
  for (const failure of attempt.failures) yield { where: 'failure', text: [failure.message, ...failure.details].join('\n'), event: 0 };
  const requests = new Map();
  const messages = [];
  for (const [index, event] of attempt.world.entries()) {
    if (!(event.k in KINDS)) continue;
    if (event.k === 'msg') messages.push(index + 1);
    if (event.k === 'req' && event.n) requests.set(event.n, index + 1);
    yield { where: KINDS[event.k], text: eventText(event), event: index + 1 };
  }
  for (const exchange of attempt.exchanges ?? []) {
    for (const [where, message] of [['request', exchange.q], ['reply', exchange.a]]) {
      const headers = message.h.map(([name, value]) => `${name}: ${value}`);
      yield { where, text: [`${exchange.m} ${exchange.u}`, ...headers, message.e ? '' : message.b ?? ''].join('\n'), event: requests.get(exchange.n) ?? 0 };
    }
  }
  // What an event says is only its beginning.
  for (const [index, message] of (attempt.messages ?? []).entries()) {
    if (!message.e && message.b.length > 400) yield { where: 'message', text: message.b, event: messages[index] ?? 0 };
  }
  yield { where: 'stdout', text: attempt.stdout, event: 0 };
  yield { where: 'stderr', text: attempt.stderr, event: 0 };
  for (const warning of attempt.warnings) yield { where: 'warning', text: warning, event: 0 };
  for (const [name, value] of attempt.facts) yield { where: name, text: value, event: 0 };
}

/** The surroundings of a word in a text, on one line. */
function excerpt(text, word) {
  const place = text.toLowerCase().indexOf(word);
  const start = Math.max(0, place - 40);
  return `${start > 0 ? '…' : ''}${shortened(line(text.slice(start, place + word.length + 120)).trim(), 160)}`;
}

/** Where words are found in an attempt: the first places, each once. */
function placesOf(attempt, list, limit) {
  const hits = [];
  for (const each of textsOf(attempt)) {
    if (hits.length >= limit) break;
    const lower = each.text.toLowerCase();
    const word = list.find((other) => lower.includes(other));
    // What an output event says stands in the whole text as well.
    if (word && !((each.where === 'stdout' || each.where === 'stderr') && hits.some((hit) => hit.where === 'output'))) {
      hits.push({ where: each.where, excerpt: excerpt(each.text, word), event: each.event });
    }
  }
  return hits;
}

/** Looks through the cases that a query does not find by name, a little at a time, so that typing goes on. */
class DeepSearch {
  /** How long one stretch of work may keep the page from its reader, in milliseconds. */
  static slice = 12;

  constructor(changed) {
    this.changed = changed;
    this.text = '';
    this.hits = new Map();
    this.isDone = true;
  }

  /** Begins with the words of a query, unless they are those of the last one. */
  start(text, places) {
    if (text === this.text) return;
    this.text = text;
    this.hits = new Map();
    clearTimeout(this.timer);
    this.words = words(text).filter((word) => word.key === 'text' && !word.not).map((word) => word.value);
    // One letter is in everything.
    this.isDone = this.words.every((word) => word.length < 2);
    if (this.isDone) return;
    this.waiting = places.values();
    this.timer = setTimeout(() => this.go(), 120);
  }

  go() {
    const end = performance.now() + DeepSearch.slice;
    const before = this.hits.size;
    do {
      const { value: place, done } = this.waiting.next();
      if (done) this.isDone = true;
      else this.look(place);
    } while (!this.isDone && performance.now() < end);
    if (this.isDone || this.hits.size > before) this.changed();
    if (!this.isDone) this.timer = setTimeout(() => this.go(), 0);
  }

  look(place) {
    const each = run.cases[place];
    const rest = this.words.filter((word) => !each.hay.includes(word));
    const json = caseText(place).toLowerCase();
    // As the page writes it; what is not plain is looked for in the values alone.
    const isPlain = (word) => /^[ !#-;=-\[\]-~]*$/.test(word);
    if (rest.some((word) => isPlain(word) && !json.includes(word))) return;
    const attempt = wholeCase(place).attempts.at(-1);
    const texts = [...textsOf(attempt)].map((each) => ({ ...each, lower: each.text.toLowerCase() }));
    if (!rest.every((word) => texts.some((each) => each.lower.includes(word)))) return;
    this.hits.set(place, placesOf(attempt, rest.length ? rest : this.words, 1)[0]);
  }
}

/** The field that finds within one case. */
class Finder {
  constructor(attempt, go) {
    this.attempt = attempt;
    this.go = go;
    this.hits = [];
    this.position = -1;
    this.field = element('input', {
      type: 'search', id: 'find', placeholder: 'find in this scenario', 'aria-label': 'find in this scenario', spellcheck: 'false', autocomplete: 'off',
      input: () => this.find(), keydown: (event) => this.press(event),
    });
    this.count = element('span', { class: 'quiet number', role: 'status' });
    this.where = element('span', { class: 'found quiet mono' });
    this.node = element('div', { class: 'finder', role: 'search' }, this.field, this.count, this.where);
  }

  find() {
    const list = words(this.field.value).map((word) => word.value);
    this.hits = list.length ? placesOf(this.attempt, list, 1_000) : [];
    this.position = -1;
    this.tell();
  }

  tell() {
    const at = this.position < 0 ? '' : `${this.position + 1} of `;
    this.count.textContent = this.field.value === '' ? '' : this.hits.length === 0 ? 'nothing found' : `${at}${plural(this.hits.length, 'place')}`;
    const hit = this.hits[Math.max(0, this.position)];
    this.where.textContent = hit ? `${hit.where}: ${hit.excerpt}` : '';
  }

  press(event) {
    if (event.key !== 'Enter' || this.hits.length === 0) return;
    event.preventDefault();
    const by = event.shiftKey ? -1 : 1;
    this.position = (this.position + by + this.hits.length) % this.hits.length;
    this.tell();
    this.go(this.hits[this.position]);
  }
}
