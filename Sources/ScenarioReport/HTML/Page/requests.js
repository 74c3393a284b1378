// The requests of a case: headers, bodies, and the forms in which each is used elsewhere.

/** How many requests are listed at first. */
const REQUESTS = 200;

/** Requests with what is known of each: its event, its messages. */
function requestsOf(attempt) {
  const messages = messagesOf(attempt);
  const waiting = [...attempt.exchanges ?? []];
  const byNumber = new Map(waiting.filter((each) => each.n).map((each) => [each.n, each]));
  const list = attempt.world.filter((event) => event.k === 'req').map((event) => {
    const exchange = byNumber.get(event.n)
      ?? waiting.find((each) => !each.n && each.m === event.method && each.u === event.url && !each.isTaken);
    if (exchange) exchange.isTaken = true;
    return { event, exchange, messages: messages.get(event.n), method: event.method, url: event.url, status: event.status };
  });
  // A request that the timeline had no room for.
  for (const exchange of waiting) {
    if (!exchange.isTaken) list.push({ event: null, exchange, method: exchange.m, url: exchange.u, status: exchange.s });
  }
  return list;
}

class RequestList {
  constructor(attempt, model, choice) {
    this.model = model;
    this.choice = choice;
    this.failures = attempt.failures;
    this.requests = requestsOf(attempt);
    this.rows = [];
    this.table = element('div', { class: 'requests box' });
    this.node = element('div', {}, this.table);
    this.more(REQUESTS);
    choice.listen((event) => this.mark(event));
  }

  /** How many are listed, and which of them are open. */
  get state() {
    return { count: this.rows.length, open: [...this.rows.keys()].filter((index) => !this.rows[index].body.hidden).map((index) => ({ index, form: this.rows[index].form })) };
  }

  restore({ count, open }) {
    if (count > this.rows.length) this.more(count - this.rows.length);
    for (const { index, form } of open) {
      const row = this.rows[index];
      if (!row) continue;
      row.form = form;
      this.open(row, true);
    }
  }

  more(count) {
    for (const request of this.requests.slice(this.rows.length, this.rows.length + count)) {
      this.rows.push(this.row(request));
      this.table.append(this.rows.at(-1).node);
    }
    this.rest?.remove();
    const rest = this.requests.length - this.rows.length;
    if (rest === 0) return;
    this.rest = element('button', { click: () => this.more(1_000) }, `show ${plural(Math.min(rest, 1_000), 'more request')}`);
    this.node.append(this.rest);
  }

  row(request) {
    const { event } = request;
    const isVirtual = this.model.isVirtual;
    const body = element('div', { class: 'request-body', hidden: true });
    const status = request.status === undefined ? 'no reply' : String(request.status);
    const isBad = request.status === undefined || request.status >= 400;
    const process = event && this.model.processes.get(event.p);
    const head = element('button', {
      class: 'request-head', 'aria-expanded': false,
      click: () => {
        this.open(row, body.hidden);
        if (event) this.choice.choose(event);
      },
    },
    element('span', { class: 'when number' }, event ? momentText(event, isVirtual) : ''),
    element('span', { class: 'method mono' }, line(request.method)),
    element('span', { class: 'url mono' }, line(request.url)),
    element('span', { class: `status number ${isBad ? 'failed' : ''}` }, status),
    element('span', { class: 'quiet number' }, event?.delay ? `after ${length(event.delay)}` : ''),
    element('span', { class: 'quiet' }, process ? `#${event.p} ${line(process.program)}` : ''));
    const row = { request, head, body, form: 'messages', node: element('div', { class: 'request' }, head, body) };
    return row;
  }

  open(row, isOpen) {
    row.head.setAttribute('aria-expanded', isOpen);
    row.body.hidden = !isOpen;
    if (!isOpen || row.body.firstChild) return;
    row.body.append(...requestView(row, this.model.isVirtual, this.failures));
    if (!row.request.messages) return;
    row.messages = new MessageList(row.request.messages, this.model.isVirtual, this.choice);
    row.body.append(row.messages.node);
  }

  mark(event) {
    for (const row of this.rows) {
      row.node.classList.toggle('chosen', row.request.event !== null && row.request.event === event);
      row.messages?.mark(event);
    }
  }

  /** True if a message has a place among those of its request. */
  hasMessage(event) {
    return this.requests.some((each) => each.messages?.some((message) => message.event === event));
  }

  /** Opens the request of a message, and brings the message into sight. */
  revealMessage(event) {
    const request = this.requests.find((each) => each.event && each.messages?.some((message) => message.event === event));
    if (!request) return;
    this.reveal(request.event);
    this.rows.find((row) => row.request === request)?.messages?.reveal(event);
  }

  /** Opens the request of an event, and brings it into sight. */
  reveal(event) {
    const index = this.requests.findIndex((each) => each.event === event);
    if (index < 0) return;
    if (index >= this.rows.length) this.more(index + 1 - this.rows.length);
    const row = this.rows[index];
    this.open(row, true);
    row.node.scrollIntoView({ block: 'nearest' });
    row.head.focus({ preventScroll: true });
  }
}

/** All of one request, in the form that was chosen. */
function requestView(row, isVirtual, failures) {
  const { event, exchange } = row.request;
  const facts = [];
  if (event) {
    if (isVirtual) facts.push(['virtual time', `+${length(event.v)}${event.delay ? `, reply at +${length(event.v + event.delay)}` : ''}`]);
    facts.push(['real time', `+${length(event.r)}`]);
    if (event.entry) facts.push(['answered by', event.entry]);
    if (event.op) facts.push(['operation', event.op]);
  }
  const parts = [factTable(facts)];
  if (!exchange) return [...parts, element('p', { class: 'quiet' }, 'headers and bodies of this request were not kept')];
  const pane = element('div');
  const panes = {
    messages: () => [element('div', { class: 'messages' }, messageView('request', exchange.q), messageView('reply', exchange.a))],
    curl: () => [formView('curl', curlForm(exchange))],
    yaml: () => [formView('entry of responses:', yamlForm(exchange, failures))],
  };
  const show = (name) => {
    row.form = name;
    pane.replaceChildren(...panes[name]());
  };
  parts.push(choiceOf('form', [['messages', 'request and reply'], ['curl', 'as curl'], ['yaml', 'as YAML']], row.form, show), pane);
  show(row.form);
  return parts;
}

function formView(name, text) {
  return element('div', { class: 'form' }, element('div', { class: 'form-head' }, element('span', { class: 'quiet' }, name), copyButton(() => text)),
    element('pre', { class: 'frame', tabindex: 0, 'aria-label': name }, visible(text)));
}

function messageView(name, message) {
  const rows = message.h.map(([header, value]) => [header, value]);
  const body = bodyText(message);
  return element('section', { class: 'message', 'aria-label': name },
    element('h3', {}, name), rows.length ? factTable(rows) : element('p', { class: 'quiet' }, 'no headers'),
    body === null ? element('p', { class: 'quiet' }, message.l ? `a body of ${plural(message.l, 'byte')} that is not shown` : 'no body')
      : element('div', { class: 'form' },
        element('div', { class: 'form-head' }, element('span', { class: 'quiet' }, body.note), copyButton(() => message.b)),
        element('pre', { class: 'frame body', tabindex: 0, 'aria-label': `body of the ${name}` }, visible(body.text))));
}

/** A body as it is read: JSON in lines; `null` for none. */
function bodyText(message) {
  if (!message.b) return null;
  const cut = message.x ? `the beginning of ${plural(message.l, 'byte')}` : plural(message.l, 'byte');
  if (message.e) return { text: message.b, note: `${cut}, as Base64` };
  return { text: message.x ? message.b : prettyJSON(message.b) ?? message.b, note: cut };
}

/** JSON with a member a line, each token as it was written; `null` if it is no JSON. */
function prettyJSON(text) {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let depth = 0;
  let result = '';
  const margin = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token.length > 1 && /^[{[]\s*[}\]]$/.test(token)) result += token[0] + token.at(-1);
    else if (token === '{' || token === '[') { depth += 1; result += token + margin(); }
    else if (token === '}' || token === ']') { depth -= 1; result += margin() + token; }
    else if (token === ',') result += token + margin();
    else if (token === ':') result += ': ';
    else result += token;
  }
  return result;
}
