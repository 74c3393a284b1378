// Messages of WebSockets and of gRPC, and bodies that come in pieces: each with its direction and its time.

/** How many messages are listed at first. */
const MESSAGES = 100;

/** The messages of an attempt by the number of their request, each with its event. */
function messagesOf(attempt) {
  const events = attempt.world.filter((event) => event.k === 'msg');
  const byRequest = new Map();
  for (const [index, message] of (attempt.messages ?? []).entries()) {
    if (!byRequest.has(message.n)) byRequest.set(message.n, []);
    byRequest.get(message.n).push({ ...message, event: events[index] });
  }
  return byRequest;
}

/** The messages that went over one connection, in the order of time. */
class MessageList {
  constructor(messages, isVirtual, choice) {
    this.messages = messages;
    this.isVirtual = isVirtual;
    this.choice = choice;
    this.rows = new Map();
    this.list = element('div', { class: 'conversation', role: 'group', 'aria-label': 'messages in the order of time' });
    this.node = element('section', { class: 'message', 'aria-label': 'messages' }, element('h3', {}, plural(messages.length, 'message')), this.list);
    this.more(MESSAGES);
  }

  more(count) {
    const shown = this.list.childElementCount;
    this.list.append(...this.messages.slice(shown, shown + count).map((message) => this.row(message)));
    this.rest?.remove();
    const rest = this.messages.length - this.list.childElementCount;
    if (rest === 0) return;
    this.rest = element('button', { click: () => this.more(1_000) }, `show ${plural(Math.min(rest, 1_000), 'more message')}`);
    this.node.append(this.rest);
  }

  row(message) {
    const { event } = message;
    const way = message.i ? 'sent' : 'received';
    const time = this.isVirtual ? `+${length(message.v)}` : event ? momentText(event, false) : '';
    const note = message.x ? `the beginning of ${plural(message.l, 'byte')}` : message.e ? `${plural(message.l, 'byte')}, as Base64` : null;
    const row = element('div', { class: `utterance ${way}` },
      event ? element('button', { class: 'when number', 'aria-label': `${way} at ${time}: show on the timeline`, click: () => this.choice.choose(event) }, time)
        : element('span', { class: 'when number' }, time),
      element('span', { class: 'who quiet' }, `${message.i ? '→' : '←'} ${way}`),
      element('div', {}, element('pre', {}, visible(message.b.replace(/\r?\n$/, ''))), note ? element('span', { class: 'quiet small' }, note) : null));
    if (event) this.rows.set(event, row);
    return row;
  }

  /** Marks the message of an event. */
  mark(event) {
    this.marked?.classList.remove('chosen');
    this.marked = this.rows.get(event);
    this.marked?.classList.add('chosen');
  }

  /** Brings the message of an event into sight. */
  reveal(event) {
    while (!this.rows.has(event) && this.list.childElementCount < this.messages.length) this.more(1_000);
    this.mark(event);
    this.rows.get(event)?.scrollIntoView({ block: 'center' });
  }
}
