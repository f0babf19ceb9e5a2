// The visitor's tabs share one conversation: one of them, the leader, keeps the stream and tells the others what it
// hears (an origin has six connections in all over HTTP/1.1); all read the same record. Where the browser has no locks
// or channels (pages without TLS), each tab works alone.
import type { Signal } from '../../../protocol/signal.ts';
import type { StoredSession } from '../../launcher-chat-interface.ts';
import type { ConnectionStatus } from '../store/store.ts';
import type { SessionInternals } from './context.ts';
import type { ConversationConnection } from './conversation-connection.ts';

/** What tabs tell each other. */
type TabMessage =
  /** A tab is there, or wakes: who leads? */
  | { type: 'hello' }
  /** The leader's stream, at each change and to each hello. */
  | { type: 'leading'; connection: ConnectionStatus }
  /** The leader's stream did not go on where it was. */
  | { type: 'gap' }
  | { type: 'signal'; signal: Signal };

/** Milliseconds in which a leader answers; after that a tab helps itself. */
const leaderTimeoutMs = 5_000;

/** Shares the stream of a room until `visit` ends. */
export function shareStream(
  internals: SessionInternals,
  conversation: ConversationConnection,
  scope: AbortSignal,
): void {
  const { widget, store, incoming } = internals;
  const name = `platform-webchat:${widget.chatUrl}:${conversation.id}`;
  addEventListener('storage', (event) => followRecord(internals, event), { signal: scope });
  // Two tabs may have begun before they knew of each other.
  internals.syncFromStorage();
  if (scope.aborted || !navigator.locks || !window.BroadcastChannel) return;

  /** From joining the others to leaving them: the page goes into the back/forward cache without a lock. */
  let membership = new AbortController();
  let isLeader = false;
  let tell = (_: TabMessage) => {};
  const leading = (): TabMessage => ({ type: 'leading', connection: store.state.connection });

  const join = () => {
    membership = new AbortController();
    const { signal } = membership;
    const channel = new BroadcastChannel(name);
    let unanswered: ReturnType<typeof setTimeout> | undefined;
    /** Since the last answer this tab may have missed something. */
    let isAsking = false;
    tell = (word) => channel.postMessage(word);

    const ask = () => {
      isAsking = true;
      tell({ type: 'hello' });
      clearTimeout(unanswered);
      // A leader that does not answer has stopped, lock or not.
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
      // Whoever speaks leads, also one that was thought to have stopped.
      clearTimeout(unanswered);
      conversation.suspend();
      if (data.type === 'signal') return conversation.handleSignal(data.signal);
      // What was said between the last word heard and this one.
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

/** Another tab has written into the record. (Who is here, and in which conversation, is the session's matter.) */
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
    // Discarded there; or sent, and then its signal puts it back in its place.
    if (gone.includes(row) && !id && status !== 'sending') store.remove(row);
  }
  if (before.readAt !== now.readAt && !widget.isOpen) incoming.countUnread();
  // What is being typed here is not taken away.
  const isTyping = document.hasFocus() && widget.frame.querySelector('textarea:focus');
  if (before.draft !== now.draft && !isTyping) store.setVisitor(store.state.visitor + 1);
}
