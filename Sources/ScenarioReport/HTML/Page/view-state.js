// A page whose case is drawn anew while its reader looks at it: what was chosen, typed and scrolled to stays.

/** What stands for an element: two of one name are told apart by their order. */
function nameOf(node) {
  return node.getAttribute('aria-label') || node.title || (node.localName === 'button' ? node.textContent : node.className);
}

function namesakes(root, tag, name) {
  return [...root.querySelectorAll(tag)].filter((each) => nameOf(each) === name);
}

/** How its reader left a case. What is drawn without anybody's doing, such as a case that has just begun again, changes nothing of it. */
class ViewState {
  constructor() {
    this.isTouched = false;
    for (const kind of ['pointerdown', 'wheel', 'keydown', 'input']) {
      addEventListener(kind, () => { this.isTouched = true; }, { capture: true, passive: true });
    }
  }

  /** Takes down how a case is shown. */
  keep({ id, isRunning }, view) {
    const isKnown = this.id === id && this.number === view.number;
    if (isKnown && isRunning && !this.isTouched && scrollY === this.shown) return;
    const { field } = view.attempt.finder;
    Object.assign(this, {
      id, number: view.number, state: view.attempt.state, words: field.value, height: scrollY, focus: this.focusIn(view), isTouched: false,
    });
  }

  /** Shows the case as it was; of another attempt, only what was searched for. */
  restore(view) {
    if (view.number === this.number) view.attempt.restore(this.state);
    view.attempt.finder.take(this.words);
    if (this.focus) {
      const { tag, name, index, selection } = this.focus;
      const node = namesakes(view.node, tag, name)[index];
      node?.focus({ preventScroll: true });
      if (selection && node?.setSelectionRange) node.setSelectionRange(...selection);
    }
    scrollTo(0, this.height);
    this.shown = scrollY;
  }

  focusIn(view) {
    const node = document.activeElement;
    if (!node || !view.node.contains(node) || node === view.heading) return null;
    const name = nameOf(node);
    return {
      tag: node.localName, name, index: namesakes(view.node, node.localName, name).indexOf(node),
      selection: node.localName === 'input' ? [node.selectionStart, node.selectionEnd] : null,
    };
  }
}
