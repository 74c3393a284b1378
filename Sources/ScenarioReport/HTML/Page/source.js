// The scenario as it was written, and what was expected beside what came.

/** How many lines of a file are shown around what matters. */
const SOURCE_LINES = 1_000;

/** The file of a case, and others in which something of it failed, each once. */
function filesOf(summary, attempt) {
  return [...new Set([summary.f, ...attempt.failures.map((failure) => failure.file).filter(Boolean)])];
}

/** A file with the lines that failed, and those of the steps; `null` if the page does not have it. */
function sourceView(file, first, failures, steps) {
  const text = sourceOf(file);
  if (text === undefined) return null;
  if (text === null) {
    return { file, node: element('p', { class: 'box quiet' }, 'changed since the run, or gone: its lines are not shown'), reveal: () => {}, target: null };
  }
  const lines = text.split('\n');
  const own = failures.filter((failure) => failure.file === file);
  const target = own[0]?.line ?? first ?? 1;
  const start = Math.max(1, Math.min(target, first ?? target) - SOURCE_LINES / 2);
  const end = Math.min(lines.length, Math.max(target, first ?? target) + SOURCE_LINES / 2);
  const rows = [];
  for (let number = start; number <= end; number++) {
    const here = own.filter((failure) => failure.line === number);
    const isStep = steps.some((step) => step.line === number && step.file === file);
    rows.push(element('div', { class: `source-line${here.length ? ' bad' : number === first ? ' first' : isStep ? ' step' : ''}`, 'data-line': number },
      element('span', { class: 'gutter' }, String(number)), element('code', {}, visible(lines[number - 1].replace(/\r$/, '')))));
    for (const failure of here) {
      rows.push(element('div', { class: 'source-note failed' }, element('span', { class: 'gutter' }, '✗'), element('span', {}, visible(failure.message))));
    }
  }
  const node = element('div', { class: 'box source', tabindex: 0, role: 'group', 'aria-label': `source of ${line(file)}` }, rows);
  const reveal = (number) => {
    const row = node.querySelector(`[data-line="${number}"]`);
    if (row) node.scrollTop = row.offsetTop - node.clientHeight / 3;
  };
  return { file, node, reveal, target };
}

/** What heads an expected text that was not to be the whole one. */
const EXPECTED = { start: 'expected beginning', end: 'expected end', part: 'expected part', expression: 'expected match' };

/** Two texts line by line, side by side; what differs within a line is marked. A relation says what the first was to be of the second. */
function comparisonView({ expected, actual, line: first, relation }, names = [EXPECTED[relation] ?? 'expected', 'actual']) {
  const rows = alignedLines(expected.split('\n'), actual.split('\n'));
  const number = { left: first - 1, right: first - 1 };
  return element('table', { class: 'comparison' },
    element('colgroup', {}, ['number', 'text', 'number', 'text'].map((kind) => element('col', { class: kind }))),
    element('thead', {}, element('tr', {}, names.map((name) => element('th', { scope: 'col', colspan: 2 }, name)))),
    element('tbody', {}, rows.map(([left, right], index) => {
      const isSame = left === right;
      const isBefore = (relation === 'part' || relation === 'end') && index === 0;
      const isBehind = (relation === 'part' || relation === 'start') && index === rows.length - 1;
      // An expression is not read letter by letter.
      const isMarked = left !== null && right !== null && !isSame && relation !== 'expression';
      const parts = isMarked ? (relation ? partsAround(left, right, isBefore, isBehind) : differingParts(left, right)) : null;
      const cells = (side, text, kind, own) => (text === null ? [element('td', { class: 'gutter' }), element('td', { class: 'none' })] : [
        // A part that is missing has no place.
        element('td', { class: 'gutter' }, relation && side === 'left' ? '' : String(number[side] += 1)),
        element('td', { class: isSame ? null : kind }, own ? [visible(own[0]), element(kind === 'gone' ? 'del' : 'ins', {}, visible(own[1])), visible(own[2])] : visible(text)),
      ]);
      return element('tr', {}, cells('left', left, 'gone', parts?.[0]), cells('right', right, 'come', parts?.[1]));
    })));
}

/** Beyond this many pairs of lines no alignment is searched for. */
const PAIRS = 4_000_000;

/** Pairs of lines: equal ones side by side, and changed ones beside what they were changed to. */
function alignedLines(left, right) {
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  const old = left.slice(head, left.length - tail);
  const fresh = right.slice(head, right.length - tail);
  const same = (from, to) => left.slice(from, to).map((each) => [each, each]);
  return [...same(0, head), ...changedLines(old, fresh), ...same(left.length - tail, left.length)];
}

function changedLines(old, fresh) {
  const rows = [];
  const pair = (gone, come) => {
    for (let index = 0; index < Math.max(gone.length, come.length); index++) rows.push([gone[index] ?? null, come[index] ?? null]);
  };
  if (old.length * fresh.length > PAIRS) {
    pair(old, fresh);
    return rows;
  }
  // The length of the longest common part of what is left of both.
  const width = fresh.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      table[i * width + j] = old[i] === fresh[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    }
  }
  let [i, j] = [0, 0];
  let gone = [];
  let come = [];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      pair(gone, come);
      [gone, come] = [[], []];
      rows.push([old[i], fresh[j]]);
      i += 1;
      j += 1;
    } else if (j >= fresh.length || (i < old.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) {
      gone.push(old[i++]);
    } else {
      come.push(fresh[j++]);
    }
  }
  pair(gone, come);
  return rows;
}

/** Two lines, each as what is before the difference, the difference, and what is behind it. */
function differingParts(left, right) {
  const [a, b] = [[...left], [...right]];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return [a, b].map((each) => [each.slice(0, head), each.slice(head, each.length - tail), each.slice(each.length - tail)].map((part) => part.join('')));
}

/** The same of a text and a line of which it was to be a part, with more before or behind it: that is no difference. */
function partsAround(wanted, line, isBefore, isBehind) {
  const letters = [...line];
  const [start, end] = placeOfPart([...wanted], letters, isBefore, isBehind);
  const [left, [head, middle, tail]] = differingParts(wanted, letters.slice(start, end).join(''));
  return [left, [letters.slice(0, start).join('') + head, middle, tail + letters.slice(end).join('')]];
}

/** Where a line comes nearest to a part of it, by the algorithm of P. H. Sellers (1980). */
function placeOfPart(wanted, line, isBefore, isBehind) {
  if (wanted.length * line.length > PAIRS) return [0, line.length];
  // For each end: how many letters must change, and where such a part begins.
  let former = [...line, ''].map((_, end) => (isBefore ? [0, end] : [end, 0]));
  for (let row = 1; row <= wanted.length; row++) {
    const current = [[row, 0]];
    for (let end = 1; end <= line.length; end++) {
      const ways = [[former[end - 1], wanted[row - 1] === line[end - 1] ? 0 : 1], [former[end], 1], [current[end - 1], 1]];
      const [[cost, start], more] = ways.reduce((best, each) => (each[0][0] + each[1] < best[0][0] + best[1] ? each : best));
      current.push([cost + more, start]);
    }
    former = current;
  }
  const end = isBehind ? former.reduce((best, [cost], index) => (cost <= former[best][0] ? index : best), 0) : line.length;
  return [former[end][1], end];
}
