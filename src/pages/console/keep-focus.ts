// Keeps the focus in a form while the chat in a frame beside it opens and focuses its text field.

/** The frame, of the same origin, gets the focus only by the pointer or the Tab key. Returns what ends this. */
export function keepFocus(frame: HTMLIFrameElement): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let isWanted = false;
  let last = document.activeElement;
  const want = () => {
    isWanted = true;
  };
  const giveBack = () => {
    if (isWanted || document.activeElement !== frame) return;
    frame.blur();
    if (last instanceof HTMLElement && last.isConnected) last.focus({ preventScroll: true });
  };
  // Scripts of the frame cannot take the focus at all: giving it back would end the composition of a character.
  frame.addEventListener(
    'load',
    () => {
      const { prototype } = (frame.contentWindow as Window & typeof globalThis).HTMLElement;
      const { focus } = prototype;
      prototype.focus = function (options) {
        if (isWanted || document.activeElement === frame) focus.call(this, options);
      };
    },
    { signal },
  );
  frame.addEventListener('pointerenter', want, { signal });
  frame.addEventListener(
    'pointerleave',
    () => {
      isWanted = document.activeElement === frame;
    },
    { signal },
  );
  addEventListener(
    'keydown',
    ({ key }) => {
      isWanted = key === 'Tab';
    },
    { signal, capture: true },
  );
  addEventListener(
    'focusin',
    ({ target }) => {
      if (target === frame) giveBack();
      else last = target as Element;
    },
    { signal },
  );
  addEventListener('blur', giveBack, { signal });
  return () => controller.abort();
}
