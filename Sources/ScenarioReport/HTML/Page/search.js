// Search over all that is known of cases: output, requests, steps, faults, processes, failures, source.

/** How many places are found in one case. */
const PLACES = 1_000;

/** What an event says, for whoever searches. */
function eventText(event) {
  return [event.name, event.args?.join(' '), event.method, event.url, event.op, event.status, event.entry, event.action, event.call, event.subject, event.error,
    event.reason, event.text, event.from, event.to, event.state, event.signal && `SIG${event.signal}`].filter((each) => each !== undefined && each !== null && each !== '').join(' ');
}

/** Everything of an attempt that is searched: where it is, its text, and the event that it belongs to. */
function* textsOf(attempt, whole, files, output = null) {
  if (attempt.reason) yield { where: 'reason', text: attempt.reason, event: 0 };
  for (const failure of attempt.failures) yield { where: 'failure', text: [failure.message, ...failure.details].join('\n'), event: 0 };
  const requests = new Map();
  const messages = [];
  for (const [index, event] of attempt.world.entries()) {
    if (!(event.k in KINDS)) continue;
    if (event.k === 'msg') messages.push(index + 1);
    if (event.k === 'req' && event.n) requests.set(event.n, index + 1);
    // Where pieces of output are whole, what an event says is their beginning.
    if (event.k === 'out' && output?.tied.has(event.stream)) continue;
    yield { where: KINDS[event.k], text: eventText(event), event: index + 1 };
  }
  for (const piece of output?.pieces ?? []) {
    if (output.tied.has(piece.stream)) yield { where: 'output', text: piece.text, event: piece.event?.id ?? 0 };
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
  for (const stream of ['stdout', 'stderr']) {
    if (!output?.tied.has(stream)) yield { where: stream, text: attempt[stream], event: 0 };
  }
  for (const warning of attempt.warnings) yield { where: 'warning', text: warning, event: 0 };
  for (const [name, value] of attempt.facts) yield { where: name, text: value, event: 0 };
  if (attempt.circumstances) yield { where: 'last events', text: attempt.circumstances.join('\n'), event: 0 };
  if (whole.reproduce) yield { where: 'reproduce', text: whole.reproduce, event: 0 };
  for (const file of files) {
    for (const [index, text] of (sourceOf(file) ?? '').split('\n').entries()) yield { where: 'source', text, event: 0, file, line: index + 1 };
  }
}

const lowerSources = new Map();

/** The text of a file in small letters; empty if the page has none. */
function lowerSource(file) {
  if (!lowerSources.has(file)) lowerSources.set(file, (sourceOf(file) ?? '').toLowerCase());
  return lowerSources.get(file);
}

/** The surroundings of a word at a place in a text, on one line. */
function excerpt(text, word, place) {
  const start = Math.max(0, place - 40);
  return `${start > 0 ? '…' : ''}${shortened(line(text.slice(start, place + word.length + 120)).trim(), 160)}`;
}

/** Where words are found: in texts that have all of them, each place of the first one. */
function placesOf(texts, list, limit) {
  const [first, ...others] = list;
  const hits = [];
  for (const each of texts) {
    const lower = each.text.toLowerCase();
    if (!others.every((word) => lower.includes(word))) continue;
    // What an output event says stands in the whole text as well.
    if ((each.where === 'stdout' || each.where === 'stderr') && hits.some((hit) => hit.where === 'output')) continue;
    for (let place = lower.indexOf(first); place >= 0; place = lower.indexOf(first, place + first.length)) {
      if (hits.length >= limit) return hits;
      hits.push({ ...each, text: undefined, excerpt: excerpt(each.text, first, place) });
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
    this.files = null;
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
    if (rest.some((word) => isPlain(word) && !json.includes(word) && !this.isInSource(each, word))) return;
    const whole = wholeCase(place);
    const last = whole.attempts.length;
    // The last attempt first, which is the one that a case opens with.
    const texts = whole.attempts.flatMap((attempt, index) => (
      [...textsOf(attempt, whole, filesOf(each, attempt))].map((text) => ({ ...text, attempt: index + 1 === last ? 0 : index + 1, lower: text.text.toLowerCase() }))
    )).sort((a, b) => (a.attempt === 0 ? 0 : 1) - (b.attempt === 0 ? 0 : 1));
    if (!rest.every((word) => texts.some((text) => text.lower.includes(word)))) return;
    const wished = rest.length ? rest : this.words;
    const best = placesOf(texts, wished, 1)[0] ?? placesOf(texts, wished.slice(0, 1), 1)[0];
    if (best) this.hits.set(place, best);
  }

  /** Whether the text of a file of a case has a word: its own, or one that no case is in, which it may include. */
  isInSource(summary, word) {
    this.files ??= new Set(run.cases.map((other) => other.f));
    return lowerSource(summary.f).includes(word) || Object.keys(allSources()).some((file) => !this.files.has(file) && lowerSource(file).includes(word));
  }
}

/** The field that finds within one case. */
class Finder {
  constructor(texts, go) {
    this.texts = texts;
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

  /** Takes what was typed before. */
  take(text) {
    this.field.value = text;
    this.find();
  }

  find() {
    const list = words(this.field.value).map((word) => word.value);
    this.hits = list.length ? placesOf(this.texts(), list, PLACES) : [];
    this.position = -1;
    this.tell();
  }

  tell() {
    const at = this.position < 0 ? '' : `${this.position + 1} of `;
    this.count.textContent = this.field.value === '' ? '' : this.hits.length === 0 ? 'nothing found' : `${at}${this.hits.length === PLACES ? 'the first ' : ''}${plural(this.hits.length, 'place')}`;
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
