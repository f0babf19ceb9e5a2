// Moves the focus between the panes. Each finds its target after the next drawing, because what it looks for may be new.

/** Runs after the components have been drawn again. */
const afterDrawing = (work: () => void): void => {
  requestAnimationFrame(() => requestAnimationFrame(work));
};

/** At once, so that the next key is for the target; or after the drawing, if it is not there yet. */
const soon = (work: () => boolean): void => {
  if (!work()) afterDrawing(work);
};

const focus = (selector: string): boolean => {
  const target = document.querySelector<HTMLElement>(selector);
  target?.focus({ preventScroll: selector.includes('.transcript') });
  return document.activeElement === target && target !== null;
};

/** The row of a conversation, or the first one that Tab reaches. */
export function focusRow(id: string | undefined): void {
  if (id && focus(`.list .row[data-id="${CSS.escape(id)}"]`)) return;
  afterDrawing(() => {
    const isFound = id && focus(`.list .row[data-id="${CSS.escape(id)}"]`);
    if (!isFound) focus('.list .row[tabindex="0"]') || focus('.list .back, .lists [aria-current]');
  });
}

/**
 * Focuses the heading of the conversation that was just opened, so that its name is read and Tab continues from there.
 */
export const focusConversation = (): void => afterDrawing(() => focus('.conversation h2'));

export const focusTranscript = (): void => soon(() => focus('.conversation .transcript'));

export const focusComposer = (): void => afterDrawing(() => focus('.composer textarea'));

/** After sending by the button, back to the text. Another key may have led away meanwhile: then the focus stays there. */
export function stayInComposer(): void {
  if (document.activeElement?.closest('.composer .send')) focus('.composer textarea');
}

/** True if focusing a text box would open an on-screen keyboard over the messages. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

/** Goes to the next of the panes that are visible, or with -1 to the one before. */
export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('.pane')].filter(
    (pane) => pane.getClientRects().length > 0,
  );
  const index = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes.at((index + step + panes.length) % panes.length);
  const target =
    next?.querySelector<HTMLElement>('.row[tabindex="0"], .transcript, [aria-current]') ??
    next?.querySelector<HTMLElement>('a, button, [tabindex]');
  target?.focus();
}
