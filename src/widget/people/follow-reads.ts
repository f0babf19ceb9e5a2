// Read marks: shows which of the visitor's messages a person has read, and tells the server what the visitor has read.
import { setRead } from '../../client/operations/chat.ts';
import type { Message, Payload } from '../../protocol/message.ts';
import type { SessionInternals } from '../chat/session/context.ts';
import { readMark } from './read-handling.ts';
import { strings } from './strings.ts';

export interface Reads {
  /** A person has read the conversation up to this mark, which is from the wire. */
  setPersonRead(mark: unknown): void;
  /** The bot tells each side at once what the other one has read. */
  enableReceipts(): void;
}

/** Milliseconds for which further messages are awaited before the server is told. */
const delayMs = 1_000;
/** The id of the row "Seen": after all messages of its time. */
const seenId = '~seen';

/** Follows the conversation until `scope` ends. Without receipts, the server is told when the visitor leaves. */
export function followReads(internals: SessionInternals, conversationId: string, scope: AbortSignal): Reads {
  const { store } = internals;
  const client = internals.client.with({ setRead });
  let hasReceipts = false;
  /** Times in ISO 8601: up to where a person has read, and of the message under which that is shown. */
  let until = '';
  let shownAt = '';
  let sent: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const showSeen = () => {
    const own = store.state.outline.findLast(
      ({ id, side, createdAt }) => id && side === 'visitor' && createdAt <= until,
    );
    if (!own || own.createdAt === shownAt) return;
    shownAt = own.createdAt;
    const payload = { type: 'text', text: strings.seen } as Payload;
    const row: Message = { id: seenId, createdAt: shownAt, conversationId, userId: '', payload };
    store.receive([row], () => 'activity');
  };

  const isLooking = () => store.state.isOpen && document.visibilityState === 'visible';
  const newest = () => store.state.outline.findLast(({ id, side }) => id && side === 'bot')?.id;
  const send = () => {
    const messageId = newest();
    if (!messageId || messageId === sent || scope.aborted) return;
    const before = sent;
    sent = messageId;
    client.setRead({ id: conversationId, messageId }, { signal: scope }).catch(() => {
      // The next message, or the end of the visit, tries again.
      sent = before;
    });
  };
  const sendSoon = () => {
    clearTimeout(timer);
    const { handling } = store.state;
    if (!hasReceipts || !handling?.revision || handling.state === 'bot' || newest() === sent) return;
    timer = setTimeout(() => isLooking() && send(), delayMs);
  };

  let wasLooking = false;
  const onLook = () => {
    const looks = isLooking();
    if (looks) sendSoon();
    else if (wasLooking && store.state.configuration.conversationList) send();
    wasLooking = looks;
  };
  const ends = [store.observe(showSeen), store.observe(onLook)];
  document.addEventListener('visibilitychange', onLook, { signal: scope });
  scope.addEventListener('abort', () => {
    clearTimeout(timer);
    for (const end of ends) end();
  });

  return {
    setPersonRead(value) {
      const mark = readMark(value);
      if (!mark || mark.until <= until) return;
      until = mark.until;
      showSeen();
    },
    enableReceipts() {
      hasReceipts = true;
      onLook();
    },
  };
}
