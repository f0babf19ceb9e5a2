// Alerts the member to waiting conversations and to mentions: announcements, the title of the page, a sound and notifications of the
// browser.

import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { InboxRow } from '../../../protocol/inbox.ts';
import { playNotificationSound } from '../../../widget/extras/notification-sound.ts';
import type { PreferencesStore } from '../../ui/preferences.ts';
import { counted, t } from '../../ui/texts.ts';
import type { Me } from './api/inbox-api.ts';
import { isAsked } from './state/known-rows.ts';
import { visitorName } from './state/lists.ts';
import type { InboxStore } from './state/store.ts';

interface Dependencies {
  me: Me;
  store: InboxStore;
  announcer: Announcer;
  preferences: PreferencesStore;
  /** The conversation that is shown. */
  current(): string | undefined;
  open(conversationId: string): void;
}

/** Milliseconds between two announcements of the number of waiting conversations. */
const countMs = 10_000;

/** Whether the visitor has written in between. Taking, closing, and deleting a message raise the sequence number, too. */
export const isWritten = (row: InboxRow, previous: InboxRow): boolean =>
  row.lastAuthor === 'visitor' &&
  row.lastSeq > previous.lastSeq &&
  row.sortAt > previous.sortAt &&
  (row.revision === previous.revision || row.preview !== previous.preview);

/** Starts watching the store. Returns a function that stops it. */
export function startAlerts({ me, store, announcer, preferences, current, open }: Dependencies): () => void {
  /** Also what the store has forgotten since: what it reads again is nothing new. */
  const before = new Map(store.rows.peek());
  let waiting: number | undefined;
  let countTimer: ReturnType<typeof setTimeout> | undefined;

  /** `key`: of what happened; several tabs play one sound for it. */
  const alert = (conversationId: string, key: string, title: string) => {
    const { sound, notifications } = preferences.current.peek();
    if (sound) playNotificationSound(`inbox ${key}`);
    if (!notifications || document.visibilityState === 'visible') return;
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    // Without the text: others can read a lock screen.
    const notification = new Notification(title, { tag: conversationId });
    notification.onclick = () => {
      window.focus();
      open(conversationId);
      notification.close();
    };
  };

  const alertOf = (row: InboxRow, title: string) =>
    alert(row.conversationId, `${row.conversationId} ${row.lastSeq}`, title);

  const look = (row: InboxRow, previous: InboxRow | undefined) => {
    const name = visitorName(row);
    const isMine = row.assignee?.memberId === me.memberId;
    if (isMine && previous && previous.assignee?.memberId !== me.memberId && row.state === 'assigned') {
      announcer.announceNow(t('{name}: you answer now.', { name }));
    }
    if (row.state === 'waiting' && previous?.state !== 'waiting')
      alertOf(row, t('{name} waits for a person', { name }));
    if (!previous || !isWritten(row, previous)) return;
    if (row.conversationId === current()) announcer.announce(`${name}: ${row.preview}`);
    if (isMine) alertOf(row, t('{name} has written', { name }));
  };

  const stopRows = effect(() => {
    const rows = store.rows.value;
    for (const [id, row] of rows) {
      const previous = before.get(id);
      before.set(id, row);
      // A row of a list that is opened or read on has waited before.
      const isNew = previous !== undefined || !isAsked(row);
      if (row !== previous && isNew) look(row, previous);
    }
  });

  // An edited note mentions nobody again.
  const announcedNotes = new Set<string>();
  const stopMentions = effect(() => {
    const note = store.mention.value;
    if (!note || announcedNotes.has(note.id)) return;
    announcedNotes.add(note.id);
    const { name } = note.author;
    const title = t('{name} mentions you', { name });
    const row = store.rows.peek().get(note.conversationId);
    announcer.announceNow(
      row
        ? t('{name} mentions you in a note on {visitor}.', { name, visitor: visitorName(row) })
        : t('{name} mentions you in a note.', { name }),
    );
    alert(note.conversationId, note.id, title);
  });

  const stopCounts = effect(() => {
    const counts = store.counts.value;
    if (!counts) return;
    document.title = counts.waiting > 0 ? `(${counts.waiting}) ${t('Inbox')}` : t('Inbox');
    if (waiting === undefined) waiting = counts.waiting;
    else if (waiting !== counts.waiting) {
      countTimer ??= setTimeout(() => {
        countTimer = undefined;
        waiting = store.counts.peek()?.waiting ?? 0;
        announcer.announce(counted(waiting, '{count} waits', '{count} wait'));
      }, countMs);
    }
  });

  return () => {
    stopRows();
    stopMentions();
    stopCounts();
    clearTimeout(countTimer);
  };
}

/** Announcements for screen readers: two live regions whose texts change. The focus does not move. */
export interface Announcer {
  readonly polite: ReadonlySignal<string>;
  readonly assertive: ReadonlySignal<string>;
  announce(text: string): void;
  /** Interrupts what is being read. */
  announceNow(text: string): void;
}

/** Milliseconds after which a text is removed, so that the same text can be announced again. */
const clearMs = 5_000;

export function createAnnouncer(): Announcer {
  const polite = signal('');
  const assertive = signal('');
  const put = (target: typeof polite) => (text: string) => {
    target.value = text;
    setTimeout(() => {
      if (target.peek() === text) target.value = '';
    }, clearMs);
  };
  return { polite, assertive, announce: put(polite), announceNow: put(assertive) };
}
