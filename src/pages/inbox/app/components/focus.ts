// Moves the focus between the panes. Each finds its target after the next drawing, because what it looks for may be new.
import type { Inbox } from '../inbox.ts';
import { emptyVariables } from '../state/canned-answers.ts';

/** Runs after the components have been drawn again. */
const afterDrawing = (work: () => void): void => {
  requestAnimationFrame(() => requestAnimationFrame(work));
};

/**
 * Before the next key, which is then for the target and not a command: components are drawn in a microtask. Or after the drawing, if
 * the target is not there yet.
 */
const soon = (work: () => boolean): void =>
  queueMicrotask(() => {
    if (!work()) afterDrawing(work);
  });

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
export const focusConversation = (): void =>
  afterDrawing(() => {
    const selector = '.conversation h2';
    if (focus(selector)) return;
    // Its code is still being loaded.
    const before = document.activeElement;
    const observer = new MutationObserver(() => {
      if (document.activeElement !== before || focus(selector)) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });

/** The name of the list, before what has the focus in it is removed. */
export const focusListName = (): boolean => focus('#list-name');

/** The name of a page of the settings, after it was opened. */
export const focusSettingsName = (): boolean => focus('#settings-page');

/** The heading of the reports, before what has the focus in them is removed. */
export const focusReportsName = (): boolean => focus('#reports-name');

/**
 * After the settings or the reports were left without a target for the focus: what opened them, or where that is not visible,
 * the name of the conversation, or a row.
 */
export const focusBehind = (opener: Element | null, conversationId: string | undefined): void =>
  afterDrawing(() => {
    const isFree = () => document.activeElement === null || document.activeElement === document.body;
    if (!isFree()) return;
    if (opener instanceof HTMLElement && opener !== document.body) opener.focus();
    if (isFree() && !(conversationId && focus('.conversation h2'))) focusRow(conversationId);
  });

export const focusTranscript = (): void => soon(() => focus('.conversation .transcript'));

export const focusComposer = (): void => soon(() => focus('.composer textarea'));

/** The reply that something was put into: its first empty variable is selected, or the cursor is at its end. */
export const focusReply = (): void =>
  soon(() => {
    const box = document.querySelector<HTMLTextAreaElement>('.composer textarea');
    if (!box) return false;
    const [first] = emptyVariables(box.value);
    box.focus();
    box.setSelectionRange(first?.from ?? box.value.length, first?.to ?? box.value.length);
    return document.activeElement === box;
  });

/** The search field of the list, which a phone shows instead of a conversation. */
export function focusSearch({ router }: Pick<Inbox, 'router'>): void {
  const field = '.list-filter input';
  if (isVisible(field) && focus(field)) return;
  const { list = 'mine', filter } = router.route.peek();
  router.go({ list, filter, conversationId: undefined, isVisitorShown: false });
  afterDrawing(() => focus(field));
}

const isVisible = (selector: string): boolean =>
  (document.querySelector(selector)?.getClientRects().length ?? 0) > 0;

/** After sending by the button, back to the text. Another key may have led away meanwhile: then the focus stays there. */
export function stayInComposer(): void {
  if (document.activeElement?.closest('.composer .send')) focus('.composer textarea');
}

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
