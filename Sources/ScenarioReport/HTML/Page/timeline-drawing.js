// The picture of a timeline: lanes from top to bottom, time from left to right.

const LANE = 26;
const TOP = 58;
/** How far beyond what is in sight lanes are drawn. */
const BEYOND = 400;
/** How far apart the signs of stretches that are drawn short are at least. */
const BREAK = 10;

/** The marks that are drawn in a lane: those of a group that is unfolded have lanes of their own. */
function marksOf(lane) {
  return lane.members && !lane.isFolded ? [] : lane.marks;
}

class TimelineDrawing {
  constructor(model, prefix) {
    this.model = model;
    this.prefix = prefix;
    this.window = [0, 1];
    this.selected = null;
    /** What is drawn of marks, and which of it stands for each mark. */
    this.dots = [];
    this.dotOf = new Int32Array(model.marks.length + model.copies.length);
    this.drawnAt = 0;
  }

  // MARK: Time and place

  rescale() {
    const { [this.axis]: times, r } = this.model.moments;
    // Within an instant of virtual time real time tells what came first.
    const ranks = this.axis === 'v' && this.isCompressed ? r : new Float64Array(r.length);
    this.scale = new Scale(times, ranks, this.model.orderOf(this.axis), this.isCompressed);
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

  /** What orders moments of one time. */
  rank(each) {
    return this.axis === 'v' && this.isCompressed ? each.r : 0;
  }

  x(each) {
    return this.across(this.scale.place(each[this.axis], this.rank(each)));
  }

  /** The place on the scale at which a mark begins. */
  startOf(mark) {
    return this.scale.placeOf[mark.first];
  }

  /** The time at which a mark begins. */
  timeOf(mark) {
    return this.model.moments[this.axis][mark.first];
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
    this.drawnAt = this.canvas.scrollTop;
    const bottom = this.drawnAt + Math.max(this.canvas.clientHeight, LANE) + BEYOND;
    this.drawnWidth = width;
    this.drawnTo = bottom < this.height ? bottom : Infinity;
    const clip = `${this.prefix}-clip`;
    const inside = drawn('g', { 'clip-path': `url(#${clip})`, role: 'presentation' });
    const svg = drawn('svg', { width, height: this.height, role: 'presentation' },
      drawn('clipPath', { id: clip }, drawn('rect', { x: this.gutter - 8, y: 0, width: this.breadth + 22, height: this.height })), inside);
    // Times and steps stay in sight when lanes scroll below them.
    this.head = drawn('g', { role: 'presentation' }, drawn('rect', { class: 'head-ground', width, height: TOP - 4 }));
    inside.append(...this.bandNodes(), ...this.axisNodes());
    this.dots = [];
    this.dotOf.fill(-1);
    this.asking = [];
    for (const lane of this.model.lanes) {
      if (lane.y + lane.height > this.drawnAt - BEYOND && lane.y < bottom) this.drawLane(lane, svg, inside);
    }
    this.drawArrows(inside);
    svg.append(this.head);
    this.canvas.replaceChildren(svg);
    this.keepHead();
    this.markSelected();
  }

  /** Draws again if another width or more lanes are in sight; that it is as high as what was drawn is no reason. */
  resized() {
    const { clientWidth, clientHeight, scrollTop } = this.canvas;
    if (clientWidth !== this.drawnWidth || scrollTop + clientHeight > this.drawnTo) this.draw();
  }

  /** Draws the lanes that have come in sight. */
  scrolled() {
    this.keepHead();
    if (Math.abs(this.canvas.scrollTop - this.drawnAt) > BEYOND / 2) this.draw();
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
        this.head.lastChild.addEventListener('click', () => this.choice.choose(this.model.events[band.id - 1]));
      }
      return nodes;
    });
  }

  /** Ticks with the time of the axis above the time that passed beside it. */
  axisNodes() {
    const nodes = [];
    for (const [time, rank] of this.ticks()) {
      const x = this.across(this.scale.place(time, rank));
      nodes.push(drawn('line', { class: 'grid', x1: x, x2: x, y1: 24, y2: this.height }));
      const anchor = x < this.gutter + 30 ? 'start' : x > this.gutter + this.breadth - 30 ? 'end' : 'middle';
      this.head.append(drawn('text', { x, y: 36, 'text-anchor': anchor, class: 'tick' }, length(time)));
      if (this.model.isVirtual) {
        this.head.append(drawn('text', { x, y: 50, 'text-anchor': anchor, class: 'quiet small' }, length(this.axis === 'v' && rank > 0 ? rank : this.model.translate(time, this.axis))));
      }
    }
    let last = -Infinity;
    for (const index of this.scale.breaks) {
      const x = this.across((this.scale.places[index - 1] + this.scale.places[index]) / 2);
      if (x < this.gutter || x > this.gutter + this.breadth || x - last < BREAK) continue;
      last = x;
      nodes.push(drawn('path', { class: 'break', d: `M${x - 4} ${this.height - 2}l4 -8M${x} ${this.height - 2}l4 -8` },
        drawn('title', {}, `${length(this.scale.times[index] - this.scale.times[index - 1])}, drawn short`)));
    }
    return nodes;
  }

  ticks() {
    const room = 86 / this.breadth * (this.window[1] - this.window[0]);
    if (!this.isCompressed) return this.evenTicks(room);
    const { times, ranks, places } = this.scale;
    const list = [];
    let last = -Infinity;
    for (let index = 0; index < times.length; index++) {
      const place = places[index];
      if (place < this.window[0] || place > this.window[1] || place - last < room) continue;
      if (index > 0 && times[index - 1] === times[index] && place - last < 3 * room) continue;
      list.push([times[index], ranks[index]]);
      last = place;
    }
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

  /** Lines from what a process asks for to the lane of the host that it asks. */
  drawArrows(inside) {
    const drawnAt = new Map();
    for (const mark of this.asking) {
      const goal = this.model.goalOf(mark);
      const lane = mark.own.shown;
      if (!goal || goal === lane) continue;
      const x = this.across(this.startOf(mark));
      const key = `${lane.key} ${goal.key} ${mark.event.state}`;
      // Lines on the same spot are one.
      if (x < this.gutter || x > this.gutter + this.breadth || x - (drawnAt.get(key) ?? -Infinity) < 4) continue;
      drawnAt.set(key, x);
      const from = lane.y + lane.height / 2;
      const to = goal.y + goal.height / 2;
      const by = to > from ? -1 : 1;
      const bad = mark.event.state === 'failed' ? ' bad' : mark.event.state === 'pending' ? ' waiting' : '';
      const head = bad ? '' : `M${x - 3} ${to + by * 6}L${x} ${to + by}L${x + 3} ${to + by * 6}`;
      inside.append(drawn('path', { class: `arrow${bad}`, d: `M${x} ${from - by * 6}V${to + by * (bad ? 8 : 1)}${head}` }));
    }
  }

  /** The stretches in which a host was cut off from others. */
  cutNodes(lane) {
    return lane.host.cuts.map((cut) => {
      const start = this.x(cut.start);
      const end = cut.end ? this.x(cut.end) : this.gutter + this.breadth + 14;
      return drawn('rect', { class: 'cut', x: start, y: lane.y + 3, width: Math.max(2, end - start), height: lane.height - 6, rx: 2 }, drawn('title', {}, `cut off: ${line(cut.text)}`));
    });
  }

  drawLane(lane, svg, inside) {
    const middle = lane.y + lane.height / 2;
    const name = lane.process ? lane.process.program || `process ${lane.key}` : lane.name;
    const indent = 10 + Math.min(lane.depth, 6) * 12;
    const room = Math.max(3, Math.floor((this.gutter - indent - 40) / 7));
    const label = drawn('text', { x: indent, y: middle + 4, class: 'lane', 'data-lane': lane.key, 'data-depth': lane.depth },
      shortened(`${lane.members ? (lane.isFolded ? '▸ ' : '▾ ') : ''}${line(name)}`, room + (lane.members ? 5 : 0)), drawn('title', {}, line(name)));
    svg.append(label);
    if (lane.members) {
      label.classList.add('group');
      label.addEventListener('click', () => this.fold(lane));
    }
    if (lane.host) {
      label.classList.add('machine');
      inside.append(drawn('line', { class: 'machine-line', x1: this.gutter, x2: this.gutter + this.breadth + 14, y1: middle, y2: middle }), ...this.cutNodes(lane));
    }
    if (lane.process) {
      svg.append(drawn('text', { x: this.gutter - 14, y: middle + 4, 'text-anchor': 'end', class: 'quiet small' }, `#${lane.key}`));
      const { born, ended } = lane.process;
      const start = this.x(born);
      const end = ended ? this.x(ended) : this.gutter + this.breadth + 14;
      inside.append(drawn('rect', { class: 'life', x: start, y: middle - 1, width: Math.max(1, end - start), height: 2 }));
    }
    for (const dot of this.dotsOf(lane)) {
      const y = lane.rows > 1 ? lane.y + 13 + dot.mark.row * 12 : middle;
      dot.node = this.markNode(dot.mark, dot.start, dot.stop, y);
      inside.append(dot.node);
    }
  }

  /** What is drawn of the marks of a lane: what falls on the same dot is one, and waits of a group that overlap are one bar. */
  dotsOf(lane) {
    const first = this.dots.length;
    const last = new Map();
    const { placeOf } = this.scale;
    // What lasts is drawn first, so that it hides nothing.
    for (const isWait of [true, false]) {
      for (const mark of marksOf(lane)) {
        const { kind } = mark;
        if ((kind === 'wait') !== isWait) continue;
        const start = this.across(placeOf[mark.first]);
        const stop = mark.last === mark.first ? start : this.across(placeOf[mark.last]);
        if (stop < this.gutter - 8 || start > this.gutter + this.breadth + 8) continue;
        if (kind === 'req' || kind === 'conn') this.asking.push(mark);
        const key = lane.rows > 1 ? `${kind} ${mark.row}` : kind;
        const former = last.get(key);
        const isSame = former && (lane.members && isWait ? start < former.stop : stop - former.start < (lane.members ? 6 : 1.5));
        if (isSame && this.selected !== mark) {
          this.dotOf[mark.index] = former.index;
          if (lane.members && isWait) former.stop = Math.max(former.stop, stop);
          continue;
        }
        const dot = { index: this.dots.length, mark, start, stop, node: null };
        this.dotOf[mark.index] = dot.index;
        this.dots.push(dot);
        last.set(key, dot);
      }
    }
    return this.dots.slice(first);
  }

  /** What is drawn of a mark; `undefined` if that is nothing. */
  nodeOf(mark) {
    return this.dots[this.dotOf[mark.index]]?.node;
  }

  markNode(mark, start, stop, y) {
    const { event } = mark;
    const label = `${KINDS[event.k] ?? event.k}: ${sentence(event)}, at ${length(this.timeOf(mark))}`;
    return drawn('g', {
      class: 'mark', role: 'option', 'aria-label': label, 'aria-selected': false, 'data-kind': event.k,
      id: `${this.prefix}-${mark.index}`,
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
      case 'conn': return this.connectionShape(event, start, y);
      case 'cut': return [drawn('path', { class: 'fault', d: `M${start - 5} ${y - 5}h4v10h-4zM${start + 1} ${y - 5}h4v10h-4z` })];
      case 'heal': return [drawn('path', { class: 'exec', d: `M${start - 5} ${y - 5}h4v4h2v-4h4v10h-4v-4h-2v4h-4z` })];
      case 'msg': return [drawn('path', { class: 'request', d: event.sent ? `M${start} ${y + 6}l-3 -6h6z` : `M${start} ${y - 6}l-3 6h6z` })];
      case 'set': return [drawn('path', { class: 'clock', d: `M${start} ${y - 6}l6 6l-6 6l-6 -6z` })];
      case 'exec': return [drawn('circle', { class: 'exec', cx: start, cy: y, r: 4 })];
      case 'end': return [drawn('rect', { class: event.signal || event.code ? 'ended bad' : 'ended', x: start - 4, y: y - 4, width: 8, height: 8 })];
      case 'out': return [drawn('rect', { class: `written ${event.stream ?? ''}`, x: start - 1, y: y + 2, width: 2.5, height: 9 })];
      case 'fail': return [drawn('path', { class: 'fail', d: `M${start - 5} ${y - 5}l2 0l3 3l3 -3l2 0v2l-3 3l3 3v2h-2l-3 -3l-3 3h-2v-2l3 -3l-3 -3z` })];
      default: return [drawn('circle', { class: 'warn', cx: start, cy: y, r: 4 })];
    }
  }

  connectionShape(event, x, y) {
    switch (event.state) {
      case 'established': return [drawn('circle', { class: 'connection', cx: x, cy: y, r: 4 })];
      case 'pending': return [drawn('circle', { class: 'connection open', cx: x, cy: y, r: 4 })];
      case 'closed': return [drawn('rect', { class: 'connection open', x: x - 3, y: y - 3, width: 6, height: 6 })];
      default: return [drawn('path', { class: 'fail', d: `M${x - 5} ${y - 5}l2 0l3 3l3 -3l2 0v2l-3 3l3 3v2h-2l-3 -3l-3 3h-2v-2l3 -3l-3 -3z` })];
    }
  }
}
