// One case: why it failed, what it wrote, what it asked for, what happened in its environment.

/** Everything about a case: an attempt by its number, or the last one; the others are a click away. */
function caseView(place, number, back, keep) {
  const whole = wholeCase(place);
  const summary = run.cases[place];
  const body = element('div');
  const last = whole.attempts.length;
  const view = { attempt: null, number: 0 };
  const show = (index) => {
    view.number = index + 1;
    view.attempt = new AttemptView(whole, summary, whole.attempts[index]);
    view.attempt.choice.listen((event) => keep(index + 1 === last ? 0 : index + 1, event));
    body.replaceChildren(...view.attempt.nodes);
  };
  const heading = element('h1', { tabindex: -1, id: 'case-title' }, line(summary.n));
  const tabs = attemptTabs(whole, (index) => {
    show(index);
    keep(index + 1 === last ? 0 : index + 1, null);
  });
  /** Shows another attempt, by its number; the last one for a number that none has. */
  view.open = (wished) => {
    const next = Number.isInteger(wished) && wished >= 1 && wished <= last ? wished : last;
    if (next === view.number) return;
    tabs?.press(next - 1);
    show(next - 1);
  };
  view.node = element('article', { class: 'case', 'aria-labelledby': 'case-title' },
    element('div', { class: 'title' },
      element('button', { class: 'back', click: back, 'aria-label': 'back to the list (Escape)' }, '← list'), heading,
      element('span', { class: summary.s }, element('span', { class: 'dot' }), summary.s),
      summary.t.map((tag) => element('button', {
        class: 'tag', click: () => { location.hash = addressOf({ query: `@${tag}` }); },
      }, `@${line(tag)}`))),
    element('div', { class: 'facts' }, element('span', { class: 'mono' }, `${line(summary.f)}:${summary.l}`),
      fact('real', length(summary.d)), summary.v === undefined ? null : fact('virtual', length(summary.v)),
      fact('seed', String(whole.seed))),
    tabs, body);
  view.heading = heading;
  view.open(number);
  return view;
}

function fact(name, value) {
  return element('span', {}, `${name} `, element('b', {}, value));
}

function attemptTabs(whole, show) {
  if (whole.attempts.length < 2) return null;
  const names = whole.attempts.map((attempt, index) => [index, [
    element('span', { class: attempt.outcome }, element('span', { class: 'dot' })), `attempt ${index + 1}: ${attempt.outcome}`,
  ]]);
  const group = choiceOf('attempts', names, whole.attempts.length - 1, show);
  group.classList.add('tabs');
  return group;
}

/** What is shown of one attempt, and how its parts lead to each other. */
class AttemptView {
  constructor(whole, summary, attempt) {
    this.attempt = attempt;
    this.choice = new Choice();
    this.nodes = [];
    const model = attempt.world.length ? new TimelineModel(attempt) : null;
    this.model = model ?? { isVirtual: attempt.virtual !== undefined, processes: new Map(), inOrder: () => [] };
    const steps = attempt.world.filter((event) => event.k === 'step');
    const files = filesOf(summary, attempt);
    this.sources = files.map((file) => sourceView(file, file === summary.f ? summary.l : undefined, attempt.failures, steps)).filter(Boolean);
    this.output = new OutputView(attempt, this.model, this.choice);
    this.requests = new RequestList(attempt, this.model, this.choice);
    this.timeline = model ? new Timeline(model, this.choice, (event) => this.links(event)) : null;
    this.finder = new Finder(() => textsOf(attempt, whole, files, this.output), (hit) => this.goTo(hit));
    this.nodes.push(this.finder.node);
    this.addFailures(whole);
    const difference = attempt.outcome === 'passed' || attempt.outcome === 'running' ? null : differenceView(summary.id, attempt, (event) => this.showEvent(event));
    if (difference) this.section('difference', 'Differences from the passing run', difference);
    if (this.timeline) this.section('world', 'Timeline', this.timeline.node);
    if (this.requests.requests.length) this.section('requests', `Requests (${this.requests.requests.length.toLocaleString('en')})`, this.requests.node);
    if (this.output.parts.length) this.section('output', 'Output', ...this.output.parts);
    if (this.sources.length) this.section('source', 'Source', ...this.sources.flatMap(({ file, node }) => [element('div', { class: 'mono quiet' }, line(file)), node]));
    if (attempt.files) this.section('files', 'Files', filesView(attempt.files));
    if (attempt.facts.length) this.section('properties', 'Properties', element('div', { class: 'box' }, factTable(attempt.facts)));
    requestAnimationFrame(() => { for (const source of this.sources) source.reveal(source.target); });
  }

  /** What its reader has chosen to see of it, where the case goes on and is drawn anew. */
  get state() {
    return {
      timeline: this.timeline?.state, requests: this.requests.state, output: this.output.state,
      sources: this.sources.map(({ file, node }) => ({ file, top: node.scrollTop })),
    };
  }

  restore({ timeline, requests, output, sources }) {
    if (timeline) this.timeline?.restore(timeline);
    this.requests.restore(requests);
    this.output.restore(output);
    // Behind what brings the line of the case into sight.
    requestAnimationFrame(() => {
      for (const { file, top } of sources) {
        const source = this.sources.find((each) => each.file === file);
        if (source) source.node.scrollTop = top;
      }
    });
  }

  section(id, title, ...nodes) {
    this.nodes.push(element('h2', { id }, title), ...nodes);
  }

  addFailures(whole) {
    const { attempt } = this;
    if (attempt.reason) this.nodes.push(element('h2', { id: 'reason' }, 'Not run'), element('div', { class: 'box' }, visible(attempt.reason)));
    if (attempt.failures.length) {
      const title = attempt.failures.length === 1 ? 'Failure' : `${attempt.failures.length} failures`;
      this.section('failures', title, ...attempt.failures.map((failure) => failureView(failure)));
      if (attempt.circumstances) this.nodes.push(circumstancesView(attempt.circumstances));
    }
    if (whole.reproduce && !attempt.reason) this.section('again', 'Reproduce', commandView(whole.reproduce));
    if (attempt.warnings.length) this.section('warnings', 'Warnings', ...attempt.warnings.map((warning) => element('pre', { class: 'box' }, visible(warning))));
  }

  /** Ways from a chosen event to where it stands elsewhere. */
  links(event) {
    const buttons = [];
    const add = (text, click) => buttons.push(element('button', { click }, text));
    if (event.k === 'out' && this.output.byEvent.has(event)) add('show in the output', () => this.output.reveal(event));
    if (event.k === 'msg' && this.requests.hasMessage(event)) add('show the message', () => this.requests.revealMessage(event));
    if (event.k === 'req') add('show the request', () => this.requests.reveal(event));
    const source = event.k === 'step' ? this.sources.find((each) => each.file === event.file) : null;
    if (source) add('show in the source', () => this.revealLine(source, event.line));
    return element('div', { class: 'links' }, buttons);
  }

  /** Brings a line of a file into sight. */
  revealLine(source, number) {
    source.node.scrollIntoView({ block: 'center' });
    source.reveal(number);
  }

  /** Shows a place that was searched for. */
  goTo({ where, event, file, line: number }) {
    const source = this.sources.find((each) => each.file === file);
    if (source) {
      this.revealLine(source, number);
      this.finder.field.focus({ preventScroll: true });
      return;
    }
    const found = this.attempt.world[event - 1];
    if (!found) {
      const id = {
        stdout: 'output', stderr: 'output', output: 'output', failure: 'failures', 'last events': 'circumstances', reason: 'reason', reproduce: 'again', warning: 'warnings',
        request: 'requests', reply: 'requests', message: 'requests',
      }[where] ?? 'properties';
      document.getElementById(id)?.scrollIntoView({ block: 'start' });
      return;
    }
    this.choice.choose(found);
    if (found.k === 'out') this.output.reveal(found);
    else if (found.k === 'req') this.requests.reveal(found);
    else if (found.k === 'msg') this.requests.revealMessage(found);
    else this.timeline?.node.scrollIntoView({ block: 'nearest' });
    this.finder.field.focus({ preventScroll: true });
  }

  /** Chooses the next event in the order of time, or the one before. */
  step(by) {
    const all = this.model.inOrder();
    if (all.length === 0) return;
    const index = all.indexOf(this.choice.event);
    this.choice.choose(all[index < 0 ? (by > 0 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, index + by))]);
    this.timeline?.node.scrollIntoView({ block: 'nearest' });
  }

  /** Chooses the event that an address names. */
  chooseNumber(number) {
    const event = this.attempt.world[number - 1];
    if (event && event.k in KINDS) this.showEvent(event);
  }

  showEvent(event) {
    this.choice.choose(event);
    this.timeline?.node.scrollIntoView({ block: 'nearest' });
  }
}

function factTable(rows) {
  return element('table', { class: 'facts-table' }, rows.map(([name, value]) => element('tr', {},
    element('th', { scope: 'row' }, visible(String(name))), element('td', {}, visible(String(value))))));
}

function failureView(failure) {
  const details = failure.details.flatMap((text) => text.split('\n'));
  // What stands side by side is not told twice.
  const shown = failure.comparison ? details.filter((text, index) => !/^[-+ …]/.test(text) && !(text.endsWith(':') && /^[-+]/.test(details[index + 1] ?? ''))) : details;
  return element('section', { class: `box failure ${failure.category === 'error' ? 'errored-box' : ''}` },
    element('p', { class: 'message' }, visible(failure.message)),
    failure.place ? element('div', { class: 'mono quiet' }, line(failure.place), ` · ${failure.type}`) : element('div', { class: 'mono quiet' }, failure.type),
    failure.frame.length ? element('pre', { class: 'frame', tabindex: 0, role: 'group', 'aria-label': 'lines of the scenario' }, failure.frame.map(frameLine)) : null,
    failure.comparison ? comparisonView(failure.comparison) : null,
    shown.length ? element('pre', {}, shown.map(detailLine)) : null,
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
  return element('section', { class: 'box circumstances', id: 'circumstances' },
    element('p', { class: 'quiet' }, line(time)),
    title ? element('pre', { role: 'group', 'aria-label': title.replace(/:$/, '') }, visible([title, ...events].join('\n'))) : null);
}

function frameLine(text) {
  const match = text.match(/^(\s*\d* \|)(.*)$/s);
  if (!match) return element('span', {}, visible(text), '\n');
  const isCaret = /^\s*\^/.test(match[2]);
  return element('span', {}, element('span', { class: 'gutter' }, match[1]),
    element('span', { class: isCaret ? 'caret' : null }, visible(match[2])), '\n');
}

function detailLine(text) {
  // An indented dash with a space behind it begins an entry of YAML.
  const kind = /^\s*\+/.test(text) ? 'added' : /^-|^\s+-(?! )/.test(text) ? 'removed' : null;
  return element('span', { class: kind }, visible(text), '\n');
}

function commandView(command) {
  return element('div', { class: 'box command' }, element('code', { id: 'reproduce' }, visible(command)), copyButton(() => command));
}
