// Keeps the focus where the visitor has put it. Browsers let a frame take it at any time.

/** As often the app may try. */
const maxAttempts = 3;
/** Milliseconds between the key that moves the focus into the frame and the event that it is there. */
const keyTimeMs = 500;

export interface KeptFocus {
  /** The sandbox page has answered whether the visitor has used the app lately, so that its focus does not surprise. */
  decide(isUsed: boolean): void;
}

/**
 * Returns the focus to where it was when the app takes it by itself.
 * @param ask asks the sandbox page whether the visitor uses the app: it sees what is pressed there, and nothing of this page.
 * @param onLimit the app does not stop.
 */
export function keepFocus(
  root: ShadowRoot,
  frame: () => HTMLElement | null,
  signal: AbortSignal,
  { ask, onLimit }: { ask(): void; onLimit(): void },
): KeptFocus {
  // Without names that a page has added to all objects.
  const options = { __proto__: null, capture: true, signal } as AddEventListenerOptions;
  let tabTime = 0;
  let attempts = 0;
  let focused = root.activeElement ?? document.activeElement;
  const isTaken = () => root.activeElement !== null && root.activeElement === frame();
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Tab') tabTime = Date.now();
  };
  const onFocus = (event: Event) => {
    const target = event.composedPath()[0] as Element;
    if (target !== frame()) focused = target;
  };
  // Events of the chat do not reach the window (launcher/shield.ts).
  for (const place of [window, root] as EventTarget[]) {
    place.addEventListener('keydown', onKey as EventListener, options);
    place.addEventListener('focusin', onFocus, options);
  }
  addEventListener('blur', () => isTaken() && Date.now() - tabTime > keyTimeMs && ask(), options);
  return {
    decide(isUsed) {
      if (isUsed) attempts = 0;
      else if (isTaken()) {
        attempts += 1;
        (root.activeElement as HTMLElement).blur();
        (focused as HTMLElement | null)?.focus();
        if (attempts >= maxAttempts) onLimit();
      }
    },
  };
}
