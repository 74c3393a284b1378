// Which event of a case is chosen: the timeline, the output and the requests show it, each in its place.

class Choice {
  constructor() {
    this.event = null;
    this.listeners = [];
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  choose(event) {
    if (event === this.event) return;
    this.event = event;
    for (const listener of this.listeners) listener(event);
  }
}

/** The moment of an event in words: virtual time where there is any, and real time. */
function momentText(event, isVirtual) {
  return isVirtual ? `+${length(event.v)}` : `+${length(event.r)}`;
}
