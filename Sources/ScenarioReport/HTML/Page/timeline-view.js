// The timeline on the page: lanes from top to bottom, time from left to right.

const ZOOM_LIMIT = 1e-7;
let timelines = 0;

class Timeline extends TimelineDrawing {
  /** `choice` is which event of the case is chosen; `links` gives the ways from an event to the rest of the page. */
  constructor(model, choice, links) {
    super(model, `mark-${++timelines}`);
    this.choice = choice;
    this.links = links;
    this.axis = model.isVirtual ? 'v' : 'r';
    this.isCompressed = true;
    this.event = element('div', { class: 'event quiet', 'aria-live': 'polite' }, 'select an event to see its details');
    this.canvas = element('div', {
      class: 'canvas', role: 'listbox', tabindex: 0, 'aria-label': 'events in the order of time, lane by lane',
      keydown: (event) => this.press(event), pointerdown: (event) => this.grab(event), pointermove: (event) => this.drag(event),
      click: (event) => this.click(event), scroll: () => this.scrolled(), pointerup: () => this.release(), pointercancel: () => this.release(),
    });
    // Listeners to the wheel are passive elsewhere, and could not keep the page from zooming.
    this.canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.node = element('section', { class: 'timeline', 'aria-labelledby': 'world' }, this.tools(), this.canvas, this.legend(), this.event);
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    choice.listen((event) => this.show(event));
    this.rescale();
  }

  tools() {
    const toggle = (text, label, isOn, change) => {
      const button = element('button', { 'aria-pressed': isOn, title: label, click: () => change(button) }, text);
      return button;
    };
    this.virtualButton = toggle('virtual', 'the axis shows virtual time', true, () => this.setAxis('v'));
    this.realButton = toggle('real', 'the axis shows real time', false, () => this.setAxis('r'));
    this.compressButton = toggle('short pauses', 'shorten long periods without events', true, () => this.setCompressed(!this.isCompressed));
    const zoom = (text, label, factor) => element('button', { 'aria-label': label, title: label, click: () => this.zoom(factor, 0.5) }, text);
    const axes = this.model.isVirtual ? [this.virtualButton, this.realButton] : [];
    this.foldButton = this.model.groups.length === 0 ? null : element('button', {
      'aria-pressed': true, title: 'one lane for all siblings of one program (f for one group)',
      click: () => this.setFolded(!(this.isFolded ?? true)),
    }, 'fold');
    return element('div', { class: 'tools', role: 'group', 'aria-label': 'timeline' }, axes, this.compressButton, this.foldButton, element('span', { class: 'grow' }),
      zoom('+', 'zoom in (+)', 0.5), zoom('−', 'zoom out (−)', 2),
      element('button', { title: 'show all (0)', click: () => this.setWindow(0, 1) }, 'all'));
  }

  legend() {
    const used = new Set();
    for (const mark of this.model.marks) used.add(mark.kind);
    const entries = ['exec', 'wait', 'req', 'msg', 'hook', 'conn', 'cut', 'heal', 'fault', 'set', 'out', 'sig', 'end'].filter((kind) => used.has(kind)).map((kind) => {
      const svg = drawn('svg', { viewBox: '0 0 14 10', 'aria-hidden': true }, ...this.shape({ event: { k: kind, code: 0, state: 'established' } }, 7, 9, 5));
      return element('span', {}, svg, KINDS[kind]);
    });
    return element('div', { class: 'legend' }, entries, this.model.notes.map((note) => element('span', {}, note)));
  }

  setAxis(axis) {
    this.axis = axis;
    this.virtualButton.setAttribute('aria-pressed', axis === 'v');
    this.realButton.setAttribute('aria-pressed', axis === 'r');
    this.rescale();
  }

  setCompressed(isCompressed) {
    this.isCompressed = isCompressed;
    this.compressButton.setAttribute('aria-pressed', isCompressed);
    this.rescale();
  }

  /** Shows one lane for each group, or all of their lanes. */
  setFolded(isFolded) {
    this.isFolded = isFolded;
    this.foldButton?.setAttribute('aria-pressed', isFolded);
    for (const group of this.model.groups) group.isFolded = isFolded;
    this.model.show();
    this.draw();
  }

  /** What is in sight: the axis, the times at its ends where it does not show all, the groups that are unfolded. */
  get state() {
    const [start, end] = this.window;
    return {
      axis: this.axis, isCompressed: this.isCompressed, isFolded: this.isFolded, open: this.model.groups.filter((group) => !group.isFolded).map((group) => group.key),
      times: end - start < 1 ? [this.scale.time(start), this.scale.time(end)] : null, top: this.canvas.scrollTop,
    };
  }

  restore({ axis, isCompressed, isFolded, open, times, top }) {
    const isSame = axis === this.axis || this.model.isVirtual;
    if (axis !== this.axis && isSame) this.setAxis(axis);
    if (isCompressed !== this.isCompressed) this.setCompressed(isCompressed);
    if (isFolded !== undefined) this.setFolded(isFolded);
    for (const group of this.model.groups) if (open.includes(group.key)) this.model.fold(group, false);
    if (times && isSame) this.setWindow(this.scale.place(times[0], 0), this.scale.place(times[1], Infinity));
    else this.draw();
    this.canvas.scrollTop = top;
  }

  // MARK: Choosing

  /** Chooses an event, here and everywhere else on the page. */
  select(mark) {
    this.choice.choose(mark.event);
  }

  click(event) {
    const node = event.target.closest('.mark');
    const dot = node && this.dots.find((each) => each.node === node);
    if (dot) this.select(dot.mark);
  }

  /** Shows the event that was chosen, wherever that was. */
  show(event) {
    this.chosen = event;
    const mark = event && (this.byEvent ??= new Map(this.model.marks.map((each) => [each.event, each]))).get(event);
    this.selected = mark ?? null;
    if (mark) this.reveal(mark);
    this.markSelected();
    this.event.classList.toggle('quiet', !event);
    this.event.replaceChildren(...event ? [factTable(this.factsOf(event)), this.links(event)] : ['select an event to see its details']);
  }

  reveal(mark) {
    const place = this.startOf(mark);
    const [start, end] = this.window;
    const lane = mark.own.shown;
    const top = lane.y - TOP;
    const bottom = lane.y + lane.height - this.canvas.clientHeight;
    if (top < this.canvas.scrollTop) this.canvas.scrollTop = top;
    else if (bottom > this.canvas.scrollTop) this.canvas.scrollTop = bottom + 10;
    if (place < start || place > end) this.setWindow(place - (end - start) / 2, place + (end - start) / 2);
    else if (!this.nodeOf(mark)?.isConnected) this.draw();
  }

  markSelected() {
    for (const node of this.canvas.querySelectorAll('.mark.selected')) {
      node.classList.remove('selected');
      node.setAttribute('aria-selected', false);
    }
    const node = this.selected ? this.nodeOf(this.selected) : null;
    if (!node) return this.canvas.removeAttribute('aria-activedescendant');
    node.classList.add('selected');
    node.setAttribute('aria-selected', true);
    this.canvas.setAttribute('aria-activedescendant', node.id);
  }

  factsOf(event) {
    const start = this.model.startOf(event);
    const rows = [[KINDS[event.k] ?? event.k, sentence(event)]];
    if (this.model.isVirtual) rows.push(['virtual time', length(start.v)]);
    rows.push(['real time', length(start.r)]);
    const process = this.model.processes.get(event.p);
    if (process) rows.push(['process', `#${event.p} ${process.program}${event.th > 1 ? `, thread ${event.th}` : ''}`]);
    if (event.k === 'wait') rows.push(['requested', length(event.req)], ['took', `${length(event.rl)} of real time`], ['ended', event.end]);
    if (event.k === 'req' && event.entry) rows.push(['answered by', event.entry]);
    if (event.k === 'req' && event.delay) rows.push(['reply after', length(event.delay)]);
    if (event.k === 'req' && event.state) rows.push(['state', line(event.state)]);
    if (event.k === 'hook') rows.push(['after the reply of', event.entry]);
    if (event.k === 'conn' && event.began < event.v) rows.push(['requested', `${length(event.began)}, answered ${length(event.v - event.began)} later`]);
    if (event.k === 'exec') rows.push(['arguments', event.args.join(' ')]);
    if (event.k === 'exec' && event.trust) rows.push(['certificates from', event.trust]);
    if (event.k === 'fault' && event.error) rows.push(['error', event.error]);
    if ((event.k === 'fault' || event.k === 'hook') && event.occ) rows.push(['occurrence', event.occ]);
    if (event.text) rows.push([event.k === 'out' && event.n > event.text.length ? 'begins' : 'text', event.text]);
    return rows;
  }

  // MARK: Keys and pointer

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const lanes = this.model.lanes.filter((lane) => marksOf(lane).length && !lane.isCopy);
    const span = this.window[1] - this.window[0];
    if (lanes.length === 0) return;
    const lane = this.selected?.own.shown ?? lanes[0];
    const step = (by) => {
      const index = this.selected ? lane.marks.indexOf(this.selected) + by : by > 0 ? 0 : lane.marks.length - 1;
      this.select(lane.marks[Math.max(0, Math.min(lane.marks.length - 1, index))]);
    };
    const turn = (by) => {
      const next = lanes[Math.max(0, Math.min(lanes.length - 1, lanes.indexOf(lane) + (this.selected ? by : 0)))];
      const time = this.selected ? this.timeOf(this.selected) : 0;
      const nearest = next.marks.reduce((best, mark) => (
        Math.abs(this.timeOf(mark) - time) < Math.abs(this.timeOf(best) - time) ? mark : best));
      this.select(nearest);
    };
    switch (event.key) {
      case 'ArrowRight': event.shiftKey ? this.setWindow(this.window[0] + span / 5, this.window[1] + span / 5) : step(1); break;
      case 'ArrowLeft': event.shiftKey ? this.setWindow(this.window[0] - span / 5, this.window[1] - span / 5) : step(-1); break;
      case 'ArrowDown': turn(1); break;
      case 'ArrowUp': turn(-1); break;
      case '+': case '=': this.zoom(0.5, this.centre()); break;
      case '-': this.zoom(2, this.centre()); break;
      case '0': this.setWindow(0, 1); break;
      case 'Enter': if (this.selected) this.zoom(0.25, this.centre()); break;
      case 'f': this.fold(lane.members ? lane : lane.group); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Shows the lanes of a group, or one lane for them. */
  fold(group) {
    if (!group) return;
    this.model.fold(group, !group.isFolded);
    this.draw();
    if (this.selected) this.reveal(this.selected);
    this.markSelected();
  }

  centre() {
    if (!this.selected) return 0.5;
    const place = this.startOf(this.selected);
    return Math.max(0, Math.min(1, (place - this.window[0]) / (this.window[1] - this.window[0])));
  }

  wheel(event) {
    const isAcross = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (!event.ctrlKey && !isAcross) return;
    event.preventDefault();
    const span = this.window[1] - this.window[0];
    if (event.ctrlKey) {
      const box = this.canvas.getBoundingClientRect();
      this.zoom(Math.exp(event.deltaY / 200), Math.max(0, Math.min(1, (event.clientX - box.left - this.gutter) / this.breadth)));
    } else {
      const by = (event.deltaX || event.deltaY) / this.breadth * span;
      this.setWindow(this.window[0] + by, this.window[1] + by);
    }
  }

  grab(event) {
    if (event.button !== 0) return;
    this.held = { x: event.clientX, window: this.window, moved: false };
  }

  drag(event) {
    if (!this.held) return;
    const by = event.clientX - this.held.x;
    if (Math.abs(by) < 4 && !this.held.moved) return;
    if (!this.held.moved) this.canvas.setPointerCapture(event.pointerId);
    this.held.moved = true;
    this.canvas.classList.add('dragging');
    const share = by / this.breadth * (this.held.window[1] - this.held.window[0]);
    this.setWindow(this.held.window[0] - share, this.held.window[1] - share);
  }

  release() {
    this.held = null;
    this.canvas.classList.remove('dragging');
  }
}
