// Shares one stream between the visitor's tabs: the leader keeps the stream open and forwards its signals to the others,
// because HTTP/1.1 allows six connections for an origin. Without locks or channels (pages without TLS) each tab has its
// own stream.
import type { Signal } from '../../../protocol/signal.ts';
import type { StoredSession } from '../../launcher-chat-interface.ts';
import type { ConnectionStatus } from '../store/store.ts';
import type { SessionInternals } from './context.ts';
import type { ConversationConnection } from './conversation-connection.ts';

/** The messages between tabs. */
type TabMessage =
  /** A tab was opened or woke up, and requests the leader's state. */
  | { type: 'hello' }
  /** The state of the leader's stream, at each change and as a reply to each hello. */
  | { type: 'leading'; connection: ConnectionStatus }
  /** The leader's stream could not resume. */
  | { type: 'gap' }
  | { type: 'signal'; signal: Signal };

/** Milliseconds in which a leader must reply; after that a tab opens its own stream. */
const leaderTimeoutMs = 5_000;

/** Shares the stream of a conversation until the scope ends. */
export function shareStream(
  internals: SessionInternals,
  conversation: ConversationConnection,
  scope: AbortSignal,
): void {
  const { widget, store, incoming } = internals;
  const name = `platform-webchat:${widget.chatUrl}:${conversation.id}`;
  addEventListener('storage', (event) => followRecord(internals, event), { signal: scope });
  // Two tabs may have started before they knew of each other.
  internals.syncFromStorage();
  if (scope.aborted || !navigator.locks || !window.BroadcastChannel) return;

  /** From joining the other tabs to leaving them: a page in the back/forward cache must not hold the lock. */
  let membership = new AbortController();
  let isLeader = false;
  let tell = (_: TabMessage) => {};
  const leading = (): TabMessage => ({ type: 'leading', connection: store.state.connection });

  const join = () => {
    membership = new AbortController();
    const { signal } = membership;
    const channel = new BroadcastChannel(name);
    let unanswered: ReturnType<typeof setTimeout> | undefined;
    /** This tab may have missed signals since the last reply. */
    let isAsking = false;
    tell = (word) => channel.postMessage(word);

    const ask = () => {
      isAsking = true;
      tell({ type: 'hello' });
      clearTimeout(unanswered);
      // A leader that does not reply has stopped, even if it holds the lock.
      unanswered = setTimeout(conversation.resume, leaderTimeoutMs);
    };
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (isLeader) {
        if (data.type !== 'hello') return;
        conversation.wake();
        tell(leading());
        return;
      }
      if (data.type === 'hello') return;
      // The sender of a state is the leader, even if it was assumed to have stopped.
      clearTimeout(unanswered);
      conversation.suspend();
      if (data.type === 'signal') return conversation.handleSignal(data.signal);
      // Signals between the last received one and this one may be missing.
      if (isAsking || data.type === 'gap') conversation.resync();
      if (data.type === 'gap') return incoming.reconnect();
      isAsking = false;
      store.setConnection(data.connection);
    };
    navigator.locks
      .request(name, { signal }, () => {
        isLeader = true;
        clearTimeout(unanswered);
        conversation.resume();
        tell(leading());
        return new Promise<void>((release) => signal.addEventListener('abort', () => release()));
      })
      .catch(() => {});
    const onVisible = () => {
      if (!isLeader && document.visibilityState === 'visible') ask();
    };
    document.addEventListener('visibilitychange', onVisible, { signal });
    addEventListener('online', onVisible, { signal });
    signal.addEventListener('abort', () => {
      isLeader = false;
      clearTimeout(unanswered);
      tell = () => {};
      channel.close();
    });
    ask();
  };

  conversation.onSignal = (signal) => isLeader && tell({ type: 'signal', signal });
  conversation.onGap = () => isLeader && tell({ type: 'gap' });
  const end = store.observe(() => {
    const message = leading();
    if (isLeader) tell(message);
  });
  const leave = () => membership.abort();
  addEventListener('pagehide', leave, { signal: scope });
  addEventListener('pageshow', (event) => event.persisted && join(), { signal: scope });
  scope.addEventListener('abort', () => {
    end();
    leave();
  });
  join();
}

/** Applies changes of the record by another tab. (User and conversation are handled in the session.) */
function followRecord(
  { widget, store, incoming }: SessionInternals,
  { key, oldValue, newValue }: StorageEvent,
): void {
  if (key !== `platform-webchat:${widget.chatUrl}` || !newValue) return;
  const [before, now] = [oldValue, newValue].map((text): StoredSession => {
    try {
      return Object(JSON.parse(text ?? '{}'));
    } catch {
      return {};
    }
  }) as [StoredSession, StoredSession];
  const ids = ({ unsent }: StoredSession) => [unsent ?? []].flat().map((one?: { id: string }) => one?.id);
  const gone = ids(before).filter((id) => !ids(now).includes(id));
  for (const { key: row, id, status } of store.state.rows) {
    // Discarded there, or sent: then its signal adds it again.
    if (gone.includes(row) && !id && status !== 'sending') store.remove(row);
  }
  if (before.readAt !== now.readAt && !widget.isOpen) incoming.countUnread();
  // Text that is being typed here is kept.
  const isTyping = document.hasFocus() && widget.frame.querySelector('textarea:focus');
  if (before.draft !== now.draft && !isTyping) store.setVisitor(store.state.visitor + 1);
}
