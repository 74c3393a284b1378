// The timeline on the page: lanes from top to bottom, time from left to right.

const LANE = 26;
const TOP = 58;
const ZOOM_LIMIT = 1e-7;
let marksDrawn = 0;

class Timeline {
  constructor(model) {
    this.model = model;
    this.axis = model.isVirtual ? 'v' : 'r';
    this.isCompressed = true;
    this.window = [0, 1];
    this.selected = null;
    this.prefix = `mark-${++marksDrawn}`;
    this.event = element('div', { class: 'event quiet', 'aria-live': 'polite' }, 'choose an event to see all of it');
    this.canvas = element('div', {
      class: 'canvas', role: 'listbox', tabindex: 0, 'aria-label': 'events in the order of time, lane by lane',
      keydown: (event) => this.press(event), pointerdown: (event) => this.grab(event), pointermove: (event) => this.drag(event),
      scroll: () => this.keepHead(), pointerup: () => this.release(), pointercancel: () => this.release(),
    });
    // Listeners to the wheel are passive elsewhere, and could not keep the page from zooming.
    this.canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.node = element('section', { class: 'timeline', 'aria-labelledby': 'world' }, this.tools(), this.canvas, this.legend(), this.event);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.rescale();
  }

  tools() {
    const toggle = (text, label, isOn, change) => {
      const button = element('button', { 'aria-pressed': isOn, title: label, click: () => change(button) }, text);
      return button;
    };
    this.virtualButton = toggle('virtual', 'the axis shows the scenario\'s time', true, () => this.setAxis('v'));
    this.realButton = toggle('real', 'the axis shows the time that it took', false, () => this.setAxis('r'));
    const compress = toggle('short pauses', 'draw long stretches in which nothing happens short', true, (button) => {
      this.isCompressed = !this.isCompressed;
      button.setAttribute('aria-pressed', this.isCompressed);
      this.rescale();
    });
    const zoom = (text, label, factor) => element('button', { 'aria-label': label, title: label, click: () => this.zoom(factor, 0.5) }, text);
    const axes = this.model.isVirtual ? [this.virtualButton, this.realButton] : [];
    return element('div', { class: 'tools', role: 'group', 'aria-label': 'timeline' }, axes, compress, element('span', { class: 'grow' }),
      zoom('+', 'zoom in (+)', 0.5), zoom('−', 'zoom out (−)', 2),
      element('button', { title: 'show all (0)', click: () => this.setWindow(0, 1) }, 'all'));
  }

  legend() {
    const used = new Set(this.model.marks.map((mark) => mark.event.k));
    const entries = ['exec', 'wait', 'req', 'fault', 'set', 'out', 'sig', 'end'].filter((kind) => used.has(kind)).map((kind) => {
      const svg = drawn('svg', { viewBox: '0 0 14 10', 'aria-hidden': true }, ...this.shape({ event: { k: kind, code: 0 } }, 7, 9, 5));
      return element('span', {}, svg, KINDS[kind]);
    });
    return element('div', { class: 'legend' }, entries, this.model.notes.map((note) => element('span', {}, note)));
  }

  // MARK: Time and place

  setAxis(axis) {
    this.axis = axis;
    this.virtualButton.setAttribute('aria-pressed', axis === 'v');
    this.realButton.setAttribute('aria-pressed', axis === 'r');
    this.rescale();
  }

  rescale() {
    this.scale = new Scale(this.model.moments().filter((each) => each[this.axis] !== null).map((each) => this.moment(each)), this.isCompressed);
    this.setWindow(0, 1);
  }

  setWindow(start, end) {
    const span = Math.min(1, Math.max(ZOOM_LIMIT, end - start));
    const first = Math.max(0, Math.min(1 - span, start));
    this.window = [first, first + span];
    this.draw();
  }

  zoom(factor, centre) {
    const [start, end] = this.window;
    const fixed = start + centre * (end - start);
    this.setWindow(fixed - (fixed - start) * factor, fixed + (end - fixed) * factor);
  }

  /** A moment of the model as the scale has it. */
  moment(each) {
    if (this.axis === 'r') return [each.r, 0];
    return [each.v, this.isCompressed ? each.r ?? 0 : 0];
  }

  x(each) {
    return this.across(this.scale.place(this.moment(each)));
  }

  across(place) {
    const [start, end] = this.window;
    return this.gutter + ((place - start) / (end - start)) * this.breadth;
  }

  // MARK: Drawing

  draw() {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    this.gutter = width < 560 ? 92 : 176;
    this.breadth = Math.max(60, width - this.gutter - 14);
    let y = TOP;
    for (const lane of this.model.lanes) {
      lane.y = y;
      lane.height = lane.rows * 12 + LANE - 12;
      y += lane.height;
    }
    this.height = y + 8;
    const clip = `${this.prefix}-clip`;
    const inside = drawn('g', { 'clip-path': `url(#${clip})`, role: 'presentation' });
    const svg = drawn('svg', { width, height: this.height, role: 'presentation' },
      drawn('clipPath', { id: clip }, drawn('rect', { x: this.gutter - 8, y: 0, width: this.breadth + 22, height: this.height })), inside);
    // Times and steps stay in sight when lanes scroll below them.
    this.head = drawn('g', { role: 'presentation' }, drawn('rect', { class: 'head-ground', width, height: TOP - 4 }));
    inside.append(...this.bandNodes(), ...this.axisNodes());
    for (const lane of this.model.lanes) this.drawLane(lane, svg, inside);
    svg.append(this.head);
    this.canvas.replaceChildren(svg);
    this.keepHead();
    this.markSelected();
  }

  keepHead() {
    this.head?.setAttribute('transform', `translate(0 ${this.canvas.scrollTop})`);
  }

  bandNodes() {
    return this.model.bands.flatMap((band, index) => {
      const start = this.x(band);
      const end = this.x(band.end);
      if (end < this.gutter || start > this.gutter + this.breadth) return [];
      const nodes = [];
      if (index % 2 === 0) nodes.push(drawn('rect', { class: 'band', x: start, y: 0, width: Math.max(1, end - start), height: this.height }));
      nodes.push(drawn('line', { class: 'step-line', x1: start, x2: start, y1: 0, y2: this.height }));
      const shown = Math.max(start, this.gutter) + 4;
      const room = Math.floor((end - shown) / 6.5);
      const name = `${band.index} ${line(band.name)}`;
      if (room >= 1) {
        this.head.append(drawn('text', { x: shown, y: 15, class: 'step', 'data-step': band.index },
          room >= 3 ? shortened(name, room) : String(band.index), drawn('title', {}, name)));
      }
      return nodes;
    });
  }

  /** Ticks with the time of the axis above the time that passed beside it. */
  axisNodes() {
    const nodes = [];
    for (const [time, rank] of this.ticks()) {
      const x = this.across(this.scale.place([time, rank]));
      nodes.push(drawn('line', { class: 'grid', x1: x, x2: x, y1: 24, y2: this.height }));
      const anchor = x < this.gutter + 30 ? 'start' : x > this.gutter + this.breadth - 30 ? 'end' : 'middle';
      this.head.append(drawn('text', { x, y: 36, 'text-anchor': anchor, class: 'tick' }, length(time)));
      if (this.model.isVirtual) {
        this.head.append(drawn('text', { x, y: 50, 'text-anchor': anchor, class: 'quiet small' }, length(this.axis === 'v' && rank > 0 ? rank : this.model.translate(time, this.axis))));
      }
    }
    for (const index of this.scale.breaks) {
      const x = this.across((this.scale.places[index] + this.scale.places[index + 1]) / 2);
      nodes.push(drawn('path', { class: 'break', d: `M${x - 4} ${this.height - 2}l4 -8M${x} ${this.height - 2}l4 -8` },
        drawn('title', {}, `${length(this.scale.moments[index + 1][0] - this.scale.moments[index][0])}, drawn short`)));
    }
    return nodes;
  }

  ticks() {
    const room = 86 / this.breadth * (this.window[1] - this.window[0]);
    if (!this.isCompressed) return this.evenTicks(room);
    const list = [];
    let last = -Infinity;
    this.scale.moments.forEach((moment, index) => {
      const place = this.scale.places[index];
      if (place < this.window[0] || place > this.window[1] || place - last < room) return;
      if (index > 0 && this.scale.moments[index - 1][0] === moment[0] && place - last < 3 * room) return;
      list.push(moment);
      last = place;
    });
    return list;
  }

  evenTicks(room) {
    const from = this.scale.time(this.window[0]);
    const to = this.scale.time(this.window[1]);
    const least = (to - from) * (room / (this.window[1] - this.window[0]));
    const steps = [1, 2, 5].flatMap((one) => [...Array(10).keys()].map((power) => one * 10 ** power));
    const long = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800].map((each) => each * 1e9);
    const step = [...steps.filter((each) => each < 1e9), ...long].sort((a, b) => a - b).find((each) => each >= least) ?? least;
    const list = [];
    for (let time = Math.ceil(from / step) * step; time <= to && list.length < 200; time += step) list.push([time, 0]);
    return list;
  }

  drawLane(lane, svg, inside) {
    const middle = lane.y + lane.height / 2;
    const name = lane.process ? lane.process.program || `process ${lane.key}` : lane.name;
    const indent = 10 + Math.min(lane.depth, 6) * 12;
    const room = Math.max(3, Math.floor((this.gutter - indent - 40) / 7));
    svg.append(drawn('text', { x: indent, y: middle + 4, class: 'lane', 'data-lane': lane.key, 'data-depth': lane.depth },
      shortened(line(name), room), drawn('title', {}, line(name))));
    if (lane.process) {
      svg.append(drawn('text', { x: this.gutter - 14, y: middle + 4, 'text-anchor': 'end', class: 'quiet small' }, `#${lane.key}`));
      const { born, ended } = lane.process;
      const start = this.x(born);
      const end = ended ? this.x(ended) : this.gutter + this.breadth + 14;
      inside.append(drawn('rect', { class: 'life', x: start, y: middle - 1, width: Math.max(1, end - start), height: 2 }));
    }
    const last = new Map();
    // What lasts is drawn first, so that it hides nothing.
    for (const mark of lane.marks.toSorted((a, b) => (b.event.k === 'wait') - (a.event.k === 'wait'))) {
      const start = this.x(mark.start);
      const stop = mark.stop[this.axis] === null ? start : this.x(mark.stop);
      mark.node = null;
      if (stop < this.gutter - 8 || start > this.gutter + this.breadth + 8) continue;
      const key = `${mark.event.k} ${mark.row}`;
      const former = last.get(key);
      // What falls on the same dot is one dot.
      if (former && stop - former.x < 1.5 && this.selected !== mark) { mark.node = former.node; continue; }
      const y = lane.rows > 1 ? lane.y + 13 + mark.row * 12 : middle;
      mark.node = this.markNode(mark, start, stop, y);
      last.set(key, { x: start, node: mark.node });
      inside.append(mark.node);
    }
  }

  markNode(mark, start, stop, y) {
    const { event } = mark;
    const label = `${KINDS[event.k] ?? event.k}: ${sentence(event)}, at ${length(mark.start[this.axis])}`;
    return drawn('g', {
      class: 'mark', role: 'option', 'aria-label': label, 'aria-selected': false, 'data-kind': event.k,
      id: `${this.prefix}-${mark.index}`, click: () => this.select(mark),
    }, drawn('title', {}, label), ...this.shape(mark, start, stop, y));
  }

  shape({ event }, start, stop, y) {
    switch (event.k) {
      case 'wait': return [drawn('rect', { class: 'wait', x: start, y: y - 5, width: Math.max(2, stop - start), height: 10, rx: 2 })];
      case 'req': {
        const nodes = [drawn('path', { class: 'request', d: `M${start - 4} ${y - 5}h8l-4 9z` })];
        if (stop - start > 3) nodes.push(drawn('path', { class: 'reply', d: `M${start} ${y + 5}H${stop}v-8m-3 3l3 -3l3 3` }));
        return nodes;
      }
      case 'fault': return [drawn('path', { class: 'fault', d: `M${start} ${y - 6}l6 11h-12z` })];
      case 'set': return [drawn('path', { class: 'clock', d: `M${start} ${y - 6}l6 6l-6 6l-6 -6z` })];
      case 'exec': return [drawn('circle', { class: 'exec', cx: start, cy: y, r: 4 })];
      case 'end': return [drawn('rect', { class: event.signal || event.code ? 'ended bad' : 'ended', x: start - 4, y: y - 4, width: 8, height: 8 })];
      case 'out': return [drawn('rect', { class: `written ${event.stream ?? ''}`, x: start - 1, y: y + 2, width: 2.5, height: 9 })];
      case 'fail': return [drawn('path', { class: 'fail', d: `M${start - 5} ${y - 5}l2 0l3 3l3 -3l2 0v2l-3 3l3 3v2h-2l-3 -3l-3 3h-2v-2l3 -3l-3 -3z` })];
      default: return [drawn('circle', { class: 'warn', cx: start, cy: y, r: 4 })];
    }
  }

  // MARK: Choosing

  select(mark) {
    this.selected = mark;
    const place = this.scale.place(this.moment(mark.start));
    const [start, end] = this.window;
    if (place < start || place > end) this.setWindow(place - (end - start) / 2, place + (end - start) / 2);
    else if (!mark.node || !mark.node.isConnected) this.draw();
    this.markSelected();
    const node = mark.node?.querySelector('title');
    if (node) {
      if (mark.lane.y - TOP < this.canvas.scrollTop) this.canvas.scrollTop = mark.lane.y - TOP;
      const bottom = mark.lane.y + mark.lane.height - this.canvas.clientHeight;
      if (bottom > this.canvas.scrollTop) this.canvas.scrollTop = bottom + 10;
    }
    this.event.classList.remove('quiet');
    this.event.replaceChildren(factTable(this.factsOf(mark)));
  }

  markSelected() {
    for (const node of this.canvas.querySelectorAll('.mark.selected')) {
      node.classList.remove('selected');
      node.setAttribute('aria-selected', false);
    }
    const node = this.selected?.node;
    if (!node) return this.canvas.removeAttribute('aria-activedescendant');
    node.classList.add('selected');
    node.setAttribute('aria-selected', true);
    this.canvas.setAttribute('aria-activedescendant', node.id);
  }

  factsOf(mark) {
    const { event } = mark;
    const rows = [[KINDS[event.k] ?? event.k, sentence(event)]];
    if (this.model.isVirtual) rows.push(['virtual time', length(mark.start.v)]);
    rows.push(['real time', length(mark.start.r)]);
    const process = this.model.processes.get(event.p);
    if (process) rows.push(['process', `#${event.p} ${process.program}${event.th > 1 ? `, thread ${event.th}` : ''}`]);
    if (event.k === 'wait') rows.push(['asked for', length(event.req)], ['took', `${length(event.rl)} of real time`], ['ended', event.end]);
    if (event.k === 'req' && event.entry) rows.push(['answered by', event.entry]);
    if (event.k === 'req' && event.delay) rows.push(['reply after', length(event.delay)]);
    if (event.k === 'exec') rows.push(['arguments', event.args.join(' ')]);
    if (event.k === 'exec' && event.trust) rows.push(['told whom to trust by', event.trust]);
    if (event.k === 'fault' && event.error) rows.push(['error', event.error]);
    if (event.k === 'fault' && event.occ) rows.push(['occurrence', event.occ]);
    if (event.text) rows.push([event.k === 'out' && event.n > event.text.length ? 'begins' : 'text', event.text]);
    return rows;
  }

  // MARK: Keys and pointer

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const lanes = this.model.lanes.filter((lane) => lane.marks.length);
    const span = this.window[1] - this.window[0];
    if (lanes.length === 0) return;
    const lane = this.selected?.lane ?? lanes[0];
    const step = (by) => {
      const index = this.selected ? lane.marks.indexOf(this.selected) + by : by > 0 ? 0 : lane.marks.length - 1;
      this.select(lane.marks[Math.max(0, Math.min(lane.marks.length - 1, index))]);
    };
    const turn = (by) => {
      const next = lanes[Math.max(0, Math.min(lanes.length - 1, lanes.indexOf(lane) + (this.selected ? by : 0)))];
      const time = this.selected?.start[this.axis] ?? 0;
      const nearest = next.marks.reduce((best, mark) => (
        Math.abs(mark.start[this.axis] - time) < Math.abs(best.start[this.axis] - time) ? mark : best));
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
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  centre() {
    if (!this.selected) return 0.5;
    const place = this.scale.place(this.moment(this.selected.start));
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
