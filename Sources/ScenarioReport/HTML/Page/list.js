// The list: only the rows that can be seen exist.

const ROW = 44;
const MARGIN = 8;
/** What stands for a state where there is no room for its word. */
const SIGNS = { failed: '✗', errored: '!', running: '…', flaky: '~', passed: '✓', skipped: '–' };

class List {
  constructor(open) {
    this.open = open;
    this.places = [];
    this.hits = new Map();
    this.selected = 0;
    this.selectedCase = null;
    this.rows = new Map();
    this.space = element('div', { class: 'space', role: 'presentation' });
    this.node = element('div', {
      class: 'list', role: 'listbox', tabindex: 0, 'aria-label': 'scenarios', id: 'list',
      scroll: () => this.draw(), keydown: (event) => this.press(event),
    }, this.space);
    new ResizeObserver(() => this.draw()).observe(this.node);
    addEventListener('beforeprint', () => this.draw(true));
    addEventListener('afterprint', () => this.draw());
  }

  show(places, hits, isAll) {
    this.places = places;
    this.hits = hits;
    const former = places.findIndex((place) => run.cases[place].id === this.selectedCase);
    this.selected = former >= 0 ? former : Math.max(0, Math.min(this.selected, places.length - 1));
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.space.style.height = `${Math.max(1, places.length) * ROW}px`;
    this.empty?.remove();
    this.empty = null;
    if (places.length === 0) {
      this.empty = element('div', { class: 'empty' }, !run.cases.length ? nothingText() : isAll ? 'no scenario matches' : 'searching …');
      this.node.append(this.empty);
    }
    this.draw();
  }

  select(place) {
    const position = this.places.indexOf(place);
    if (position >= 0) this.move(position);
  }

  /** Draws the rows in sight; for print up to a thousand. */
  draw(isPrint = false) {
    const first = isPrint ? 0 : Math.max(0, Math.floor(this.node.scrollTop / ROW) - MARGIN);
    const sight = isPrint ? 1000 : Math.ceil(this.node.clientHeight / ROW) + 2 * MARGIN;
    const last = Math.min(this.places.length, first + sight);
    for (const [position, row] of this.rows) {
      if (position >= first && position < last) continue;
      row.remove();
      this.rows.delete(position);
    }
    for (let position = first; position < last; position++) {
      if (!this.rows.has(position)) this.rows.set(position, this.row(position));
      this.rows.get(position).classList.toggle('selected', position === this.selected);
      this.rows.get(position).setAttribute('aria-selected', position === this.selected);
    }
    const row = this.rows.get(this.selected);
    if (row) this.node.setAttribute('aria-activedescendant', row.id);
    else this.node.removeAttribute('aria-activedescendant');
  }

  row(position) {
    const each = run.cases[this.places[position]];
    const tags = each.t.slice(0, 4).map((tag) => element('span', { class: 'tag' }, `@${line(tag)}`));
    const attempts = each.a > 1 ? ` ${each.a}×` : '';
    const hit = this.hits.get(this.places[position]);
    const row = element('div', {
      class: 'row', role: 'option', id: `row-${position}`, 'aria-posinset': position + 1,
      'aria-setsize': this.places.length, 'aria-selected': false,
      'aria-label': `${each.s}: ${line(each.n)}, ${line(each.f)} line ${each.l}${hit ? `, found in ${hit.where}` : ''}`,
      click: () => { this.move(position); this.open(this.places[position]); },
    },
    element('span', { class: `state ${each.s}`, 'data-sign': SIGNS[each.s] }, element('span', { class: 'dot' }), element('span', { class: 'word' }, each.s + attempts)),
    element('span', { class: 'what' }, line(each.n), tags, element('br'),
      element('span', { class: 'where' }, hit ? `${hit.where}: ${hit.excerpt}` : `${line(each.f)}:${each.l}`)),
    element('span', { class: 'length' }, each.v === null || each.v === undefined ? '' : length(each.v)),
    element('span', { class: 'length quiet real' }, length(each.d)));
    row.style.top = `${position * ROW}px`;
    this.space.append(row);
    return row;
  }

  move(position) {
    if (this.places.length === 0) return;
    this.selected = Math.max(0, Math.min(position, this.places.length - 1));
    this.selectedCase = run.cases[this.places[this.selected]].id;
    const top = this.selected * ROW;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    const bottom = top + ROW - this.node.clientHeight;
    if (bottom > this.node.scrollTop) this.node.scrollTop = bottom;
    this.draw();
  }

  press(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / ROW) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in moves) this.move(Math.max(0, Math.min(this.places.length - 1, this.selected + moves[event.key])));
    else if (event.key === 'Enter' && this.places.length) this.open(this.places[this.selected]);
    else return;
    event.preventDefault();
  }
}
