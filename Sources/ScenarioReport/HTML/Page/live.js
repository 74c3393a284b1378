// A page that `scenario ui` serves: how far the run has come, and what has come of it.

/** True while cases still run. */
let isUnderWay = false;

/** Why a list has nothing. */
function nothingText() {
  return isUnderWay ? 'no scenario has ended yet' : 'no scenario was run';
}

function followRun() {
  const round = document.querySelector('meta[name="scenario-round"]');
  if (!round) return;
  const bar = element('div', { class: 'live', role: 'status' });
  const mistakes = element('pre', { class: 'box mistakes', hidden: true, tabindex: 0, role: 'group', 'aria-label': 'mistakes of the files' });
  document.querySelector('header').after(bar, mistakes);
  let latest = Number(round.content);
  let isLoading = false;
  let isPressed = false;
  /** Nothing is drawn anew below a pointer that is down, nor, while there is more to come, text that is selected. */
  const isHeld = () => isPressed || (isUnderWay && !getSelection().isCollapsed && main.contains(getSelection().anchorNode));
  /** Takes the data of the latest page; this one stays, with all that its reader has opened and typed. */
  const load = async () => {
    if (isLoading) return;
    isLoading = true;
    try {
      while (latest !== Number(round.content) && !isHeld()) {
        const answer = await fetch(location.pathname, { cache: 'no-store' });
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        if (isHeld()) break;
        const former = openCase();
        takeData(page);
        round.content = page.querySelector('meta[name="scenario-round"]').content;
        renew(former);
        // One that was made meanwhile is newer than what was heard of.
        if (Number(round.content) > latest) latest = Number(round.content);
      }
    } catch {
      // It has ended, which the bar says.
    }
    isLoading = false;
  };
  addEventListener('pointerdown', (event) => { isPressed = event.button === 0; }, { capture: true });
  const release = () => {
    if (!isPressed) return;
    isPressed = false;
    // The click comes first.
    setTimeout(load, 0);
  };
  for (const kind of ['pointerup', 'pointercancel', 'blur']) addEventListener(kind, release, { capture: true });
  // It was released where nobody told this page.
  addEventListener('pointermove', (event) => { if (event.buttons === 0) release(); }, { capture: true });
  document.addEventListener('selectionchange', () => { if (getSelection().isCollapsed) load(); });
  const source = new EventSource('events');
  source.addEventListener('message', ({ data }) => {
    const state = JSON.parse(data);
    latest = state.page;
    if (isUnderWay !== state.isRunning) {
      isUnderWay = state.isRunning;
      drawTitle();
      if (run.cases.length === 0 && address().place < 0) show();
    }
    load();
    bar.textContent = state.isRunning
      ? `running: ${state.done.toLocaleString('en')} of ${plural(state.count, 'scenario')}${state.failed ? `, ${state.failed.toLocaleString('en')} failed` : ''}`
      : state.code === 2 ? 'the files have mistakes' : 'waiting for changes';
    bar.classList.toggle('failed', state.failed > 0 || state.code === 2);
    mistakes.hidden = state.isRunning || !state.mistakes;
    mistakes.replaceChildren(...visible(state.mistakes ?? ''));
  });
  source.addEventListener('error', () => { bar.textContent = 'scenario ui has ended'; });
}
