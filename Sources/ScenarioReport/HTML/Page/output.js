// What a case wrote, each piece with its time: where it is on the timeline is a click away.

/** Pieces of a stream's whole text, each with the event that told of it; `null` if they do not fit together. */
function piecesOf(text, stream, events) {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const pieces = [];
  let position = 0;
  for (const event of events) {
    if (event.stream !== stream) continue;
    if (position >= bytes.length) break;
    const piece = decoder.decode(bytes.subarray(position, position + event.n));
    // The middle of a long text was left out, or some of it was no UTF-8.
    const start = event.text.slice(0, 40).replace(/…$/, '');
    if (!piece.startsWith(start.slice(0, piece.length))) return null;
    pieces.push({ event, stream, text: piece });
    position += event.n;
  }
  if (pieces.length === 0 && bytes.length > 0) return null;
  if (position < bytes.length) pieces.push({ event: null, stream, text: decoder.decode(bytes.subarray(position)) });
  return pieces;
}

/** Pieces of one moment that do not end with a line are one. */
function joined(pieces) {
  const result = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const isSame = last && last.event && piece.event && last.stream === piece.stream && last.event.v === piece.event.v
      && last.event.p === piece.event.p && !last.text.endsWith('\n');
    if (isSame) {
      last.text += piece.text;
      last.events.push(piece.event);
    } else {
      result.push({ ...piece, events: piece.event ? [piece.event] : [] });
    }
  }
  return result;
}

class OutputView {
  constructor(attempt, model, choice) {
    this.model = model;
    this.choice = choice;
    this.byEvent = new Map();
    this.filter = 'all';
    const events = attempt.world.filter((event) => event.k === 'out').sort((a, b) => a.r - b.r || a.id - b.id);
    const streams = ['stdout', 'stderr'].filter((stream) => attempt[stream]);
    this.parts = [];
    let pieces = [];
    for (const stream of streams) {
      const own = events.length ? piecesOf(attempt[stream], stream, events) : null;
      if (own) pieces.push(...own);
      else this.parts.push(wholeText(stream, attempt[stream]));
      // What cannot be placed in the whole text stands by itself.
      if (!own) pieces.push(...events.filter((event) => event.stream === stream).map((event) => ({ event, stream, text: event.text })));
    }
    const position = (piece) => piece.event?.r ?? Infinity;
    pieces = pieces.map((piece, index) => ({ ...piece, index })).sort((a, b) => position(a) - position(b) || a.index - b.index);
    this.pieces = joined(pieces);
    if (this.pieces.length) this.parts.unshift(this.view(streams));
    choice.listen((event) => this.mark(event));
  }

  view(streams) {
    this.list = element('div', { class: 'box output', tabindex: 0, role: 'group', 'aria-label': 'output in the order of time' },
      this.pieces.map((piece) => this.row(piece)));
    const processes = [...new Set(this.pieces.map((piece) => piece.event?.p).filter(Boolean))].sort((a, b) => a - b);
    const filters = [['all', 'all'], ...streams.length > 1 ? streams.map((stream) => [stream, stream]) : [],
      ...processes.length > 1 ? processes.slice(0, 30).map((p) => [p, `#${p} ${line(this.model.processes.get(p)?.program ?? '')}`]) : []];
    return element('div', {},
      filters.length > 1 ? choiceOf('output of', filters, 'all', (value) => this.show(value)) : null, this.list);
  }

  row(piece) {
    const { event } = piece;
    const process = event && this.model.processes.get(event.p);
    const who = [piece.stream, process ? `#${event.p} ${line(process.program)}` : null].filter(Boolean).join(' ');
    const button = event ? element('button', {
      class: 'when number', title: `real time +${length(event.r)}`,
      'aria-label': `${who} at ${length(event.v)}: show on the timeline`, click: () => this.choice.choose(event),
    }, momentText(event, this.model.isVirtual)) : element('span', { class: 'when' });
    piece.node = element('div', { class: `piece ${piece.stream}` }, button,
      element('span', { class: 'who quiet' }, who), element('pre', {}, visible(piece.text.replace(/\r?\n$/, ''))));
    if (event) piece.node.addEventListener('click', () => { if (getSelection().isCollapsed) this.choice.choose(event); });
    for (const each of piece.events) this.byEvent.set(each, piece);
    return piece.node;
  }

  show(filter) {
    for (const piece of this.pieces) piece.node.hidden = !(filter === 'all' || piece.stream === filter || piece.event?.p === filter);
  }

  mark(event) {
    this.marked?.node.classList.remove('chosen');
    this.marked = this.byEvent.get(event);
    if (!this.marked) return;
    this.marked.node.classList.add('chosen');
    this.marked.node.hidden = false;
    // Within the box only: the page stays where its reader has it.
    const { offsetTop, offsetHeight } = this.marked.node;
    if (offsetTop < this.list.scrollTop || offsetTop + offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = offsetTop - this.list.clientHeight / 3;
    }
  }

  /** Brings what an event wrote into sight. */
  reveal(event) {
    const piece = this.byEvent.get(event);
    piece?.node.scrollIntoView({ block: 'center' });
    piece?.node.querySelector('button')?.focus({ preventScroll: true });
  }
}

function wholeText(name, text) {
  return element('div', {}, element('h3', {}, name), element('pre', { class: 'box output', tabindex: 0, 'aria-label': name }, visible(text)));
}
