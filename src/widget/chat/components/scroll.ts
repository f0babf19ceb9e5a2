// Where the reader is in the transcript: sticks to the bottom while they are there, keeps what they read in place
// when they are not. It moves nothing unasked.

export interface Scroll {
  toBottom(): void;
  /** After the window was hidden the browser may have forgotten the position. */
  restore(): void;
  dispose(): void;
}

/** Pixels from the end within which a reader counts as being at the bottom. */
const slack = 48;

/**
 * @param viewport the element that scrolls; `content` is its child that grows, with a `.line` in each row.
 * @param onBottom told when the reader arrives at the bottom or leaves it.
 */
export function createScroll(
  viewport: HTMLElement,
  content: HTMLElement,
  onBottom: (isAtBottom: boolean) => void,
): Scroll {
  const life = new AbortController();
  let isAtBottom = true;
  /** Where the reader was, and how tall the content was, when last looked. */
  let lastTop = 0;
  let lastHeight = 0;
  let lastClientHeight = 0;
  /** The reader has had their hands on it since it was at the bottom. */
  let isTouched = false;
  /** The first bubble in view, and how far its top is from the viewport's. */
  let anchor: { element: Element; offset: number } | undefined;

  const topOf = (element: Element) =>
    element.getBoundingClientRect().top - viewport.getBoundingClientRect().top;

  /** By halves, since lines stand one below the other: each look at a position costs a layout. */
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
    // Hidden: every measure is 0 and says nothing.
    if (viewport.clientHeight === 0) return;
    const { scrollTop, scrollHeight } = viewport;
    const moved = lastTop - scrollTop;
    lastTop = scrollTop;
    const isSame = scrollHeight === lastHeight && viewport.clientHeight === lastClientHeight;
    if (scrollHeight === lastHeight) {
      // The line, not the row around it: a day above it goes when older rows of that day come.
      const element = firstInView();
      anchor = element && { element, offset: topOf(element) };
    } else if (anchor) {
      // Rows came since the reader moved, and `restore` runs next: what they had in view is where they moved it.
      anchor.offset += moved;
    }
    // Only an upward move leaves the bottom: content that grew before this event was told is not the reader's doing.
    // And the first pixel does: a wheel moves in small steps, which an answer that grows must not take back. Content or
    // window that shrink move it, too, and when they grow again before this event is told, nobody has left.
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
    if (isAtBottom) toBottom();
    else if (anchor?.element.isConnected) viewport.scrollTop += topOf(anchor.element) - anchor.offset;
    lastTop = viewport.scrollTop;
    lastHeight = viewport.scrollHeight;
    lastClientHeight = viewport.clientHeight;
  };

  viewport.addEventListener('scroll', note, { passive: true, signal: life.signal });
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    const touch = () => {
      isTouched = true;
    };
    viewport.addEventListener(type, touch, { passive: true, signal: life.signal });
  }
  // Runs after layout and before paint: rows above, pictures that load, a keyboard that opens: nothing is seen to jump.
  // (No browser anchors at scrollTop 0, and Safari anchors nowhere before 27; so this is done for all, overflow-anchor is off.)
  const observer = new ResizeObserver(restore);
  observer.observe(viewport);
  observer.observe(content);

  return {
    toBottom() {
      isAtBottom = true;
      onBottom(true);
      toBottom();
    },
    restore,
    dispose() {
      life.abort();
      observer.disconnect();
    },
  };
}
