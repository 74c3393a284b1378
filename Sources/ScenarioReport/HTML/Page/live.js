// A page that `scenario ui` serves: how far the run has come, and the next page when it has ended.

function followRun() {
  const round = document.querySelector('meta[name="scenario-round"]');
  if (!round) return;
  const bar = element('div', { class: 'live', role: 'status' });
  document.querySelector('header').after(bar);
  const source = new EventSource('events');
  source.addEventListener('message', ({ data }) => {
    const state = JSON.parse(data);
    // The address says what is open, and the next page opens the same.
    if (state.page !== Number(round.content)) location.reload();
    bar.textContent = state.isRunning
      ? `running: ${state.done.toLocaleString('en')} of ${plural(state.count, 'scenario')}${state.failed ? `, ${state.failed.toLocaleString('en')} failed` : ''}`
      : state.code === 2 ? 'the files have mistakes: the terminal lists them' : 'waiting for changes';
    bar.classList.toggle('failed', state.failed > 0 || state.code === 2);
  });
  source.addEventListener('error', () => { bar.textContent = 'scenario ui has ended'; });
}
