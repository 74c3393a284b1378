// Small things that everything else is made of: elements, safe text, lengths of time.

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes; what is a function among them listens, what is `null` is left out. */
function element(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

/** The same for SVG. */
function drawn(name, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, name), attributes, children);
}

function furnish(node, attributes, children) {
  for (const key in attributes) {
    const value = attributes[key];
    // What ARIA says is true or false; everywhere else an attribute is there or not.
    const isState = key.startsWith('aria-');
    if (value === null || value === undefined || (value === false && !isState)) continue;
    if (typeof value === 'function') node.addEventListener(key, value);
    else node.setAttribute(key, value === true && !isState ? '' : String(value));
  }
  addTo(node, children);
  return node;
}

/** Adds children, and those of lists among them. */
function addTo(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) addTo(node, child);
    else if (child !== null && child !== undefined) node.append(child);
  }
}

// What changes the order of text, or cannot be seen at all, must not hide what a program wrote.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffd]/g;
// Colours and titles of terminals are noise.
const SEQUENCES = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)/g;

function named(character) {
  if (character === '\ufffd') return '\ufffd';
  return '\\x{' + character.codePointAt(0).toString(16).toUpperCase().padStart(2, '0') + '}';
}

/** The text with every invisible character shown by its number, as nodes. */
function visible(text) {
  const nodes = [];
  const clean = text.replace(SEQUENCES, '').replace(/\r\n/g, '\n');
  let start = 0;
  for (const match of clean.matchAll(UNSAFE)) {
    if (match.index > start) nodes.push(clean.slice(start, match.index));
    nodes.push(element('span', { class: 'special' }, named(match[0])));
    start = match.index + match[0].length;
  }
  if (start < clean.length) nodes.push(clean.slice(start));
  return nodes;
}

/** The same as plain text on one line. */
function line(text) {
  return text.replace(SEQUENCES, '').replace(/[\r\n\t]+/g, ' ').replace(UNSAFE, named);
}

function shortened(text, limit) {
  return text.length > limit ? text.slice(0, limit - 1) + '…' : text;
}

/** A length of time in nanoseconds, in words that are short and exact enough to compare. */
function length(nanoseconds) {
  if (nanoseconds === null || nanoseconds === undefined) return '';
  if (nanoseconds === 0) return '0';
  if (nanoseconds < 0) return '−' + length(-nanoseconds);
  if (nanoseconds < 1e3) return `${Math.round(nanoseconds)} ns`;
  if (nanoseconds < 1e6) return `${rounded(nanoseconds / 1e3)} µs`;
  if (nanoseconds < 1e9) return `${rounded(nanoseconds / 1e6)} ms`;
  const seconds = nanoseconds / 1e9;
  if (seconds < 60) return `${rounded(seconds)} s`;
  const whole = Math.floor(seconds + 1e-9);
  const units = [[86400, 'd'], [3600, 'h'], [60, 'm'], [1, 's']];
  const first = units.findIndex(([size]) => whole >= size);
  let rest = whole;
  const parts = [];
  for (const [size, unit] of units.slice(first, first + 3)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

function rounded(value) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const text = value.toFixed(digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function plural(count, word) {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}

/** A button that copies what `text` gives when it is pressed. */
function copyButton(text, name = 'copy') {
  const button = element('button', {
    class: 'copy',
    click: async () => {
      button.textContent = await copy(text()) ? 'copied' : 'select and copy';
      setTimeout(() => { button.textContent = name; }, 1500);
    },
  }, name);
  return button;
}

/** Clipboards are closed to some pages that are opened from a file. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element('textarea', { readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    return isDone;
  }
}

/** Buttons of which one is pressed; `change` gets its value. The element's `press` presses another one without that. */
function choiceOf(label, values, pressed, change) {
  const buttons = values.map(([value, text]) => element('button', {
    'aria-pressed': value === pressed,
    click: () => {
      node.press(value);
      change(value);
    },
  }, text));
  const node = element('div', { class: 'choice', role: 'group', 'aria-label': label }, buttons);
  node.press = (value) => {
    for (const [index, [other]] of values.entries()) buttons[index].setAttribute('aria-pressed', other === value);
  };
  return node;
}
