// One case: why it failed, what it wrote, what happened in its world.

/** Everything about a case; the last attempt is shown, the others are a click away. */
function caseView(place, back) {
  const whole = wholeCase(place);
  const summary = run.cases[place];
  const body = element('div');
  const show = (index) => body.replaceChildren(...attemptView(whole, whole.attempts[index]));
  const heading = element('h1', { tabindex: -1, id: 'case-title' }, line(summary.n));
  const node = element('article', { class: 'case', 'aria-labelledby': 'case-title' },
    element('div', { class: 'title' },
      element('button', { class: 'back', click: back, 'aria-label': 'back to the list (Escape)' }, '← list'), heading,
      element('span', { class: summary.s }, element('span', { class: 'dot' }), summary.s),
      summary.t.map((tag) => element('button', {
        class: 'tag', click: () => { location.hash = addressOf({ query: `@${tag}` }); },
      }, `@${line(tag)}`))),
    element('div', { class: 'facts' }, element('span', { class: 'mono' }, `${line(summary.f)}:${summary.l}`),
      fact('real', length(summary.d)), summary.v === undefined ? null : fact('virtual', length(summary.v)),
      fact('seed', String(whole.seed))),
    attemptTabs(whole, show), body);
  show(whole.attempts.length - 1);
  return { node, heading };
}

function fact(name, value) {
  return element('span', {}, `${name} `, element('b', {}, value));
}

function attemptTabs(whole, show) {
  if (whole.attempts.length < 2) return null;
  const buttons = whole.attempts.map((attempt, index) => element('button', {
    'aria-pressed': index === whole.attempts.length - 1,
    click: () => {
      buttons.forEach((each, other) => each.setAttribute('aria-pressed', other === index));
      show(index);
    },
  }, element('span', { class: attempt.outcome }, element('span', { class: 'dot' })), `attempt ${index + 1}: ${attempt.outcome}`));
  return element('div', { class: 'tabs', role: 'group', 'aria-label': 'attempts' }, buttons);
}

function attemptView(whole, attempt) {
  const parts = [];
  if (attempt.reason) parts.push(element('h2', {}, 'Not run'), element('div', { class: 'box' }, visible(attempt.reason)));
  if (attempt.failures.length) {
    parts.push(element('h2', {}, attempt.failures.length === 1 ? 'Failure' : `${attempt.failures.length} failures`));
    parts.push(...attempt.failures.map(failureView));
    if (attempt.circumstances) parts.push(circumstancesView(attempt.circumstances));
  }
  if (whole.reproduce && !attempt.reason) parts.push(element('h2', {}, 'Reproduce'), commandView(whole.reproduce));
  if (attempt.warnings.length) {
    parts.push(element('h2', {}, 'Warnings'));
    parts.push(...attempt.warnings.map((warning) => element('pre', { class: 'box' }, visible(warning))));
  }
  if (attempt.world.length) {
    const heading = element('h2', { id: 'world' }, 'Timeline of the world');
    parts.push(heading, new Timeline(new TimelineModel(attempt)).node);
  }
  for (const [name, text] of [['stdout', attempt.stdout], ['stderr', attempt.stderr]]) {
    if (!text) continue;
    parts.push(element('h2', {}, name), element('pre', { class: 'box output', tabindex: 0, 'aria-label': name }, visible(text)));
  }
  if (attempt.files) parts.push(element('h2', { id: 'files' }, 'Files'), filesView(attempt.files));
  if (attempt.facts.length) {
    parts.push(element('h2', {}, 'Properties'), element('div', { class: 'box' }, factTable(attempt.facts)));
  }
  return parts;
}

function factTable(rows) {
  return element('table', { class: 'facts-table' }, rows.map(([name, value]) => element('tr', {},
    element('th', { scope: 'row' }, name), element('td', {}, visible(String(value))))));
}

function failureView(failure) {
  const details = failure.details.flatMap((text) => text.split('\n'));
  return element('section', { class: `box failure ${failure.category === 'error' ? 'errored-box' : ''}` },
    element('p', { class: 'message' }, visible(failure.message)),
    failure.place ? element('div', { class: 'mono quiet' }, line(failure.place), ` · ${failure.type}`) : element('div', { class: 'mono quiet' }, failure.type),
    failure.frame.length ? element('pre', { class: 'frame' }, failure.frame.map(frameLine)) : null,
    details.length ? element('pre', {}, details.map(detailLine)) : null,
    failure.help ? element('p', { class: 'help' }, element('b', {}, 'help: '), visible(failure.help)) : null);
}

/** What a case has left; a link opens beside the page. */
function filesView(files) {
  return element('ul', { class: 'box files' }, files.map(([kind, path, address]) => element('li', {},
    address ? element('a', { href: address, target: '_blank', rel: 'noopener' }, line(path)) : line(path),
    kind === 'file' ? null : element('span', { class: 'quiet' }, ` ${kind}`))));
}

/** When a case failed, and what happened last before that. */
function circumstancesView([time, title, ...events]) {
  return element('section', { class: 'box circumstances' },
    element('p', { class: 'quiet' }, line(time)),
    title ? element('pre', { 'aria-label': title.replace(/:$/, '') }, visible([title, ...events].join('\n'))) : null);
}

function frameLine(text) {
  const match = text.match(/^(\s*\d* \|)(.*)$/s);
  if (!match) return element('span', {}, visible(text), '\n');
  const isCaret = /^\s*\^/.test(match[2]);
  return element('span', {}, element('span', { class: 'gutter' }, match[1]),
    element('span', { class: isCaret ? 'caret' : null }, visible(match[2])), '\n');
}

function detailLine(text) {
  const kind = /^\s*\+/.test(text) ? 'added' : /^\s*-/.test(text) ? 'removed' : null;
  return element('span', { class: kind }, visible(text), '\n');
}

function commandView(command) {
  const button = element('button', {
    click: async () => {
      const isDone = await copy(command);
      button.textContent = isDone ? 'copied' : 'select and copy';
      setTimeout(() => { button.textContent = 'copy'; }, 1500);
    },
  }, 'copy');
  return element('div', { class: 'box command' }, element('code', { id: 'reproduce' }, visible(command)), button);
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
