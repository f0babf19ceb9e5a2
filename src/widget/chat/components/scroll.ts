// The scroll position of the transcript: stays at the bottom while the reader is there, and otherwise keeps the text
// that is being read in place.
export interface Scroll {
  toBottom(): void;
  /** Restores the position, which the browser may have lost while the window was hidden. */
  restore(): void;
  dispose(): void;
}

/** Pixels from the end within which the reader is considered to be at the bottom. */
const slack = 48;
/** Milliseconds after the end of a press: on a touch screen, its click comes later. */
const clickTimeMs = 200;

/**
 * @param viewport the scrolling element; `content` is its growing child, with a `.line` in each row.
 * @param onBottom called when the reader arrives at the bottom or leaves it.
 */
export function createScroll(
  viewport: HTMLElement,
  content: HTMLElement,
  onBottom: (isAtBottom: boolean) => void,
): Scroll {
  const controller = new AbortController();
  let isAtBottom = true;
  /** The scroll position and the height of the content at the last check. */
  let lastTop = 0;
  let lastHeight = 0;
  let lastClientHeight = 0;
  /** The reader has used wheel, touch, keyboard or pointer since it was last at the bottom. */
  let isTouched = false;
  /** The first visible line, and the distance of its top from that of the viewport. */
  let anchor: { element: Element; offset: number } | undefined;
  /** The element that the reader is pressing. It must not move before the click: a press that ends on another element does nothing. */
  let pressed: typeof anchor;

  const topOf = (element: Element) =>
    element.getBoundingClientRect().top - viewport.getBoundingClientRect().top;

  const anchorOf = (element: Element | undefined) => element && { element, offset: topOf(element) };

  /** Binary search, because reading a position forces a layout. */
  const firstInView = (): Element | undefined => {
    const lines = content.querySelectorAll('.line');
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const line = lines[middle] as Element;
      if (topOf(line) + line.clientHeight > 0) high = middle;
      else low = middle + 1;
    }
    return lines[low];
  };

  const note = () => {
    // While it is hidden, all measurements are 0.
    if (viewport.clientHeight === 0) return;
    const { scrollTop, scrollHeight } = viewport;
    const moved = lastTop - scrollTop;
    // It is the scroll bar that is pressed, or a text that is being selected.
    if (moved) pressed = undefined;
    lastTop = scrollTop;
    const isSame = scrollHeight === lastHeight && viewport.clientHeight === lastClientHeight;
    if (scrollHeight === lastHeight) {
      // The line and not its row: the heading of a day in the row disappears when older rows of that day are added.
      anchor = anchorOf(firstInView());
    } else if (anchor) {
      // Rows were added after the reader scrolled, and `restore` runs next: it must respect the reader's movement.
      anchor.offset += moved;
    }
    // Only an upward movement leaves the bottom: if the content grew before this event, the reader has not moved. The
    // first pixel is sufficient: a wheel moves in small steps, which a growing answer must not undo. Shrinking content
    // or window also moves the position; if it grows again before this event, the reader is still at the bottom.
    const distance = scrollHeight - scrollTop - viewport.clientHeight;
    const isLeft = moved >= 1 && (isTouched || isSame);
    const next = isLeft ? distance < 1 : isAtBottom || distance < slack;
    isTouched &&= !next;
    if (next === isAtBottom) return;
    isAtBottom = next;
    onBottom(next);
  };

  const toBottom = () => {
    viewport.scrollTop = viewport.scrollHeight;
  };

  const restore = () => {
    if (viewport.clientHeight === 0) return;
    const reference = pressed ?? anchor;
    if (isAtBottom && !pressed) toBottom();
    else if (reference?.element.isConnected)
      viewport.scrollTop += topOf(reference.element) - reference.offset;
    lastTop = viewport.scrollTop;
    lastHeight = viewport.scrollHeight;
    lastClientHeight = viewport.clientHeight;
  };

  const on = (target: EventTarget, type: string, listener: (event: Event) => void) =>
    target.addEventListener(type, listener, { passive: true, signal: controller.signal });
  on(viewport, 'scroll', note);
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown', 'click', 'contextmenu']) {
    on(viewport, type, ({ target }) => {
      isTouched = true;
      pressed = type === 'pointerdown' ? anchorOf(target as Element) : undefined;
    });
  }
  const release = () => {
    pressed = undefined;
    restore();
  };
  for (const type of ['pointerup', 'pointercancel']) {
    on(window, type, () => pressed && setTimeout(release, clickTimeMs));
  }
  // Runs after layout and before paint, so that older rows, loading images or an opening keyboard cause no jump.
  // (No browser anchors at scrollTop 0, and Safari does not anchor before 27; so overflow-anchor is off everywhere.)
  // A page may have removed ResizeObserver: then changes of the content are observed, a moment before their layout.
  const observer = new (window.ResizeObserver ?? MutationObserver)(restore);
  // The line above the content, too: it grows when older messages are loading.
  for (const element of [viewport, ...viewport.children]) {
    observer.observe(element, { childList: true, subtree: true, characterData: true } as object);
  }

  return {
    toBottom() {
      isAtBottom = true;
      onBottom(true);
      toBottom();
    },
    restore,
    dispose() {
      controller.abort();
      observer.disconnect();
    },
  };
}
