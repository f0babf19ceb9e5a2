// The keys of the page. Single keys do nothing in text fields, with Control, Alt or Meta, below a dialog, and where they are
// switched off (WCAG 2.1.4).
import { commandsFor, listKeys } from './commands.ts';
import { focusPane, focusRow, focusSearch, focusTranscript } from './components/focus.ts';
import type { Inbox } from './inbox.ts';
import { isInFront } from './state/route.ts';

/** Milliseconds in which the second key of `g m` is expected. */
const sequenceMs = 1_500;

/** Starts to listen; the result ends it. */
export function listenToKeys(inbox: Inbox): () => void {
  const controller = new AbortController();
  /** By the clock of events, so that a page that is busy between two keys does not separate them. */
  let sequenceUntil = 0;

  const currentRow = () => {
    const { conversationId } = inbox.router.route.peek();
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.id;
    return inbox.store.rows.peek().get(focused ?? conversationId ?? '');
  };

  /** From the composer to the messages, then to the list. */
  const goUp = (target: Element) => {
    const route = inbox.router.route.peek();
    const { conversationId, list, filter, isVisitorShown } = route;
    const to = { list: list ?? 'mine', filter, conversationId, isVisitorShown: false } as const;
    if (isInFront(route) || isVisitorShown) inbox.router.leave(to);
    else if (target.closest('.list-filter')) focusRow(undefined);
    else if (target.closest('.composer')) focusTranscript();
    else if (target.closest('.conversation') && conversationId) {
      if (isOnePane()) inbox.router.leave({ ...to, conversationId: undefined });
      focusRow(conversationId);
    }
  };

  const move = (step: 1 | -1) => {
    const { order = [], focus } = inbox.shownList.current ?? {};
    const focused = document.activeElement?.closest<HTMLElement>('.list .row')?.dataset.id;
    const index = order.indexOf(focused ?? inbox.router.route.peek().conversationId ?? '');
    const id = order[index < 0 ? 0 : index + step] ?? order[index];
    if (id) focus?.(id);
  };

  const press = ({ key, repeat, timeStamp }: KeyboardEvent): boolean => {
    // A key that is held only moves: a command would be executed on one conversation after another.
    if (repeat && key !== 'j' && key !== 'k') return false;
    if (timeStamp < sequenceUntil) {
      sequenceUntil = 0;
      const list = Object.entries(listKeys).find(([letter]) => letter === key)?.[1];
      if (!list) return false;
      inbox.router.go({ list, conversationId: undefined, isVisitorShown: false });
      focusRow(undefined);
      return true;
    }
    if (key === 'g') {
      sequenceUntil = timeStamp + sequenceMs;
      return true;
    }
    if (key === '?') {
      inbox.openDialog('keys');
      return true;
    }
    // The list and the conversation are not what the member looks at, and may not be visible.
    if (isInFront(inbox.router.route.peek())) return false;
    if (key === '/') {
      focusSearch(inbox);
      return true;
    }
    if (key === 'j' || key === 'k') {
      move(key === 'j' ? 1 : -1);
      return true;
    }
    const row = currentRow();
    const match = row && commandsFor(row, inbox.me.memberId).find(([, command]) => command.key === key);
    if (!match || !row) return false;
    const [, command] = match;
    const refusal = command.refusal?.(inbox, row);
    if (refusal) inbox.announcer.announceNow(refusal);
    else {
      // The effect of a key on a row of the list is shown with that conversation.
      const { list = 'mine', filter, conversationId } = inbox.router.route.peek();
      if (conversationId !== row.conversationId)
        inbox.router.go({ list, filter, conversationId: row.conversationId, isVisitorShown: false });
      command.run(inbox, row);
    }
    return true;
  };

  document.addEventListener(
    'keydown',
    (event) => {
      if (!inbox.router.isShown.peek()) return;
      const target = event.target as Element;
      // 229: Safari ends an IME composition before the keydown of its Enter or Escape.
      const isComposing = event.isComposing || event.keyCode === 229;
      if (event.defaultPrevented || isComposing || document.querySelector('dialog[open]')) return;
      const isText = target.matches('textarea, input:not([type="radio"], [type="checkbox"]), select');
      const { key } = event;
      let isDone = true;
      if (key === 'F6') focusPane(event.shiftKey ? -1 : 1);
      else if (key === 'Escape') goUp(target);
      else if (key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey)
        inbox.openDialog('actions');
      else if (event.ctrlKey || event.metaKey || event.altKey || isText) isDone = false;
      else isDone = inbox.preferences.current.peek().singleKeys && press(event);
      if (isDone) event.preventDefault();
    },
    { signal: controller.signal },
  );
  return () => controller.abort();
}

/** On a phone, one pane is shown at a time (style/panes.css). */
const isOnePane = (): boolean => !matchMedia('(min-width: 45rem)').matches;
