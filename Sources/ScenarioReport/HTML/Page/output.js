// What a case wrote, each piece with its time: where it is on the timeline is a click away.

/** How many bytes of a piece an event has at most. */
const PIECE = 400;
/** Up to how many processes have buttons; of more, one is typed. */
const PROCESS_BUTTONS = 8;

/** The bytes of a stream's whole text, in which one piece after another is found. */
class OutputText {
  constructor(text) {
    this.bytes = new TextEncoder().encode(text);
    this.position = 0;
  }

  get isAtEnd() {
    return this.position >= this.bytes.length;
  }

  text(end = this.bytes.length) {
    return new TextDecoder().decode(this.bytes.subarray(this.position, end));
  }

  holds(part, place = this.position) {
    return place + part.length <= this.bytes.length && part.every((byte, index) => this.bytes[place + index] === byte);
  }

  /** Goes behind a text, if that is what comes; whether it is. */
  pass(text) {
    const part = new TextEncoder().encode(text);
    if (!this.holds(part)) return false;
    this.position += part.length;
    return true;
  }

  /** Goes behind the piece of an event; its text, or `null` if something else comes. */
  piece(event, next) {
    const end = this.endOf(event, next);
    if (end === null) return null;
    const text = this.text(end);
    this.position = end;
    return text;
  }

  endOf(event, next) {
    const whole = new TextEncoder().encode(event.text);
    if (event.n <= PIECE && this.holds(whole)) return this.position + whole.length;
    // A character that two pieces share is whole in the text only, and of a long piece there is only the beginning.
    const bare = event.text.replace(/^\ufffd+|[\ufffd…]+$/g, '');
    const piece = this.text(this.position + event.n).replace(/^\ufffd+|\ufffd+$/g, '');
    const end = this.position + event.n;
    if (event.n <= PIECE) return piece === bare && end <= this.bytes.length ? end : null;
    if (!piece.startsWith(bare) && !this.text(end + 4).startsWith(bare)) return null;
    const following = next ? new TextEncoder().encode(next.text.replace(/^\ufffd+|[\ufffd…]+$/g, '')) : null;
    if (end <= this.bytes.length && (!following || this.holds(following, end))) return end;
    if (!following) return this.bytes.length;
    // A secret that was taken out has made the piece shorter or longer.
    for (let place = this.position + new TextEncoder().encode(bare).length; place + following.length <= this.bytes.length; place++) {
      if (this.holds(following, place)) return place;
    }
    return null;
  }
}

/** Pieces of a stream's whole text, each with the event that told of it; `null` if they do not fit together. */
function piecesOf(text, stream, events, targets) {
  const output = new OutputText(text);
  const pieces = [];
  const take = (own, target) => {
    for (const [index, event] of own.entries()) {
      // The end of a long text was left out.
      if (output.isAtEnd) return true;
      const piece = output.piece(event, own[index + 1]);
      if (piece === null) return false;
      pieces.push({ event, stream, target, text: piece });
    }
    return true;
  };
  const all = events.filter((event) => event.stream === stream);
  if (targets.length < 2) {
    if (!take(all)) return null;
  } else {
    // One target behind the other, each below its name.
    const rest = new Set(targets);
    while (!output.isAtEnd) {
      const target = [...rest].find((name) => output.pass(`--- ${name} ---\n`) || output.pass(`\n--- ${name} ---\n`));
      if (target === undefined) return null;
      rest.delete(target);
      if (!take(all.filter((event) => event.target === target), target)) return null;
    }
  }
  if (pieces.length === 0 && output.bytes.length > 0) return null;
  if (!output.isAtEnd) pieces.push({ event: null, stream, text: output.text() });
  return pieces;
}

/** Pieces of one moment that do not end with a line are one. */
function joined(pieces) {
  const result = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const isSame = last && last.event && piece.event && last.stream === piece.stream && last.event.v === piece.event.v
      && last.event.p === piece.event.p && last.target === piece.target && !last.text.endsWith('\n');
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
    this.process = '';
    const targets = [...new Set([...model.processes.values()].map(nameOfTarget).filter((name) => name !== undefined))];
    const events = attempt.world.filter((event) => event.k === 'out').sort((a, b) => a.r - b.r || a.id - b.id)
      .map((event) => Object.assign(event, { target: nameOfTarget(model.processes.get(event.p)) }));
    // The whole text comes with the end of a case.
    const isRunning = attempt.outcome === 'running';
    const streams = ['stdout', 'stderr'].filter((stream) => (isRunning ? events.some((event) => event.stream === stream) : attempt[stream]));
    this.parts = [];
    /** The streams of which each piece is tied to its event. */
    this.tied = new Set();
    let pieces = [];
    for (const stream of streams) {
      const own = events.length && !isRunning ? piecesOf(attempt[stream], stream, events, targets) : null;
      if (own) this.tied.add(stream);
      if (own) pieces.push(...own);
      else if (!isRunning) this.parts.push(wholeText(stream, attempt[stream]));
      // What cannot be placed in the whole text stands by itself.
      if (!own) pieces.push(...events.filter((event) => event.stream === stream).map((event) => ({ event, stream, target: event.target, text: event.text })));
    }
    const position = (piece) => piece.event?.r ?? Infinity;
    pieces = pieces.map((piece, index) => ({ ...piece, index })).sort((a, b) => position(a) - position(b) || a.index - b.index);
    this.pieces = joined(pieces);
    if (this.pieces.length) this.parts.unshift(this.view(streams, targets));
    choice.listen((event) => this.mark(event));
  }

  view(streams, targets) {
    this.list = element('div', { class: 'box output', tabindex: 0, role: 'group', 'aria-label': 'output in the order of time' },
      this.pieces.map((piece) => this.row(piece)));
    const processes = [...new Set(this.pieces.map((piece) => piece.event?.p).filter(Boolean))].sort((a, b) => a - b);
    const unknown = this.pieces.filter((piece) => !piece.event?.p).length;
    const isMany = processes.length > PROCESS_BUTTONS;
    const filters = [['all', () => true], ...streams.length > 1 ? streams.map((stream) => [stream, (piece) => piece.stream === stream]) : [],
      ...targets.length > 1 ? targets.map((target) => [line(target), (piece) => piece.target === target]) : [],
      ...processes.length > 1 && !isMany ? processes.map((p) => [this.nameOf(p), (piece) => piece.event?.p === p]) : [],
      ...processes.length > 0 && unknown > 0 ? [[`${plural(unknown, 'piece')}: process unknown`, (piece) => !piece.event?.p]] : []];
    this.filter = filters[0][0];
    const press = (index) => {
      this.filter = filters[index][0];
      this.show(filters[index][1]);
    };
    const choice = filters.length > 1 ? choiceOf('output of', filters.map(([name], index) => [index, name]), 0, press) : null;
    this.choose = (name) => {
      const index = filters.findIndex((each) => each[0] === name);
      if (index < 1) return;
      choice.press(index);
      press(index);
    };
    return element('div', {}, choice, isMany ? this.processField(processes) : null, this.list);
  }

  /** Which part of it is shown, and where it is scrolled to; at its end it stays there. */
  get state() {
    const { list } = this;
    if (!list) return null;
    return { filter: this.filter, process: this.field?.value, top: list.scrollTop + list.clientHeight >= list.scrollHeight ? Infinity : list.scrollTop };
  }

  restore(state) {
    if (!state || !this.list) return;
    this.choose(state.filter);
    if (state.process && this.field) {
      this.field.value = state.process;
      this.takeProcess();
    }
    this.list.scrollTop = Math.min(state.top, this.list.scrollHeight);
  }

  /** A field for one of many processes: its number, or a part of its name. */
  processField(processes) {
    const names = processes.map((p) => this.nameOf(p));
    const count = element('span', { class: 'quiet number', role: 'status' });
    this.takeProcess = () => {
      this.process = this.field.value.trim().toLowerCase();
      this.show(this.isShown);
      count.textContent = this.process ? plural(this.pieces.filter((piece) => !piece.node.hidden).length, 'piece') : '';
    };
    this.field = element('input', {
      type: 'search', id: 'process', list: 'processes', placeholder: `one of ${plural(processes.length, 'process').replace(/s$/, 'ses')}: #3 or a name`,
      'aria-label': 'output of a process: its number or name', spellcheck: 'false', autocomplete: 'off',
      input: () => this.takeProcess(),
    });
    return element('div', { class: 'bar' }, this.field, count, element('datalist', { id: 'processes' }, names.map((value) => element('option', { value }))));
  }

  nameOf(p) {
    return `#${p} ${line(this.model.processes.get(p)?.program ?? '')}`.trim();
  }

  /** Whether a piece is of the process that was typed: a whole `#3`, or a part of its name. */
  isOfProcess(piece) {
    if (this.process === '') return true;
    if (!piece.event?.p) return false;
    const name = this.nameOf(piece.event.p).toLowerCase();
    return /^#\d+$/.test(this.process) ? this.process === `#${piece.event.p}` : name.includes(this.process);
  }

  row(piece) {
    const { event } = piece;
    const process = event && this.model.processes.get(event.p);
    const who = [piece.target && line(piece.target), piece.stream, process ? `#${event.p} ${line(programAt(process, event))}`.trim() : null].filter(Boolean).join(' ');
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

  isShown = () => true;

  show(isShown) {
    this.isShown = isShown;
    for (const piece of this.pieces) piece.node.hidden = !(isShown(piece) && this.isOfProcess(piece));
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

/** The program that a process ran when something happened: it may have run another one since. */
function programAt(process, event) {
  const former = process.programs.findLast((each) => each.r < event.r || (each.r === event.r && each.id < event.id));
  return (former ?? process.born).program ?? process.program;
}

function wholeText(name, text) {
  return element('div', {}, element('h3', {}, name), element('pre', { class: 'box output', tabindex: 0, 'aria-label': name }, visible(text)));
}
