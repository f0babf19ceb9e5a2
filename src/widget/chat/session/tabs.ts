// The visitor's tabs share one conversation: one of them, the leader, keeps the stream and tells the others what it
// hears (an origin has six connections in all over HTTP/1.1); all read the same record. Where the browser has no locks
// or channels (pages without TLS), each tab works alone.
import type { Signal } from '../../../protocol/signal.ts';
import type { StoredVisit } from '../../launcher-chat-interface.ts';
import type { ConnectionStatus } from '../store/store.ts';
import type { Inner } from './context.ts';
import type { Room } from './conversation-connection.ts';

/** What tabs tell each other. */
type Word =
  /** A tab is there, or wakes: who leads? */
  | { type: 'hello' }
  /** The leader's stream, at each change and to each hello. */
  | { type: 'leading'; connection: ConnectionStatus }
  /** The leader's stream did not go on where it was. */
  | { type: 'gap' }
  | { type: 'signal'; signal: Signal };

/** Milliseconds in which a leader answers; after that a tab helps itself. */
const answerMs = 5_000;

/** Shares the stream of a room until `visit` ends. */
export function shareStream(inner: Inner, room: Room, visit: AbortSignal): void {
  const { shell, store, news } = inner;
  const name = `platform-webchat:${shell.chatUrl}:${room.id}`;
  addEventListener('storage', (event) => followRecord(inner, event), { signal: visit });
  // Two tabs may have begun before they knew of each other.
  inner.follow();
  if (visit.aborted || !navigator.locks || !window.BroadcastChannel) return;

  /** From joining the others to leaving them: the page goes into the back/forward cache without a lock. */
  let stay = new AbortController();
  let isLeader = false;
  let tell = (_: Word) => {};
  const leading = (): Word => ({ type: 'leading', connection: store.state.connection });

  const join = () => {
    stay = new AbortController();
    const { signal } = stay;
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
      unanswered = setTimeout(room.resume, answerMs);
    };
    channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (isLeader) {
        if (data.type !== 'hello') return;
        room.wake();
        tell(leading());
        return;
      }
      if (data.type === 'hello') return;
      // Whoever speaks leads, also one that was thought to have stopped.
      clearTimeout(unanswered);
      room.suspend();
      if (data.type === 'signal') return room.hear(data.signal);
      // What was said between the last word heard and this one.
      if (isAsking || data.type === 'gap') room.relist();
      if (data.type === 'gap') return news.reconnect();
      isAsking = false;
      store.setConnection(data.connection);
    };
    navigator.locks
      .request(name, { signal }, () => {
        isLeader = true;
        clearTimeout(unanswered);
        room.resume();
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

  room.onHeard = (signal) => isLeader && tell({ type: 'signal', signal });
  room.onGap = () => isLeader && tell({ type: 'gap' });
  let { connection } = store.state;
  const end = store.subscribe(() => {
    if (connection === store.state.connection) return;
    ({ connection } = store.state);
    if (isLeader) tell(leading());
  });
  const leave = () => stay.abort();
  addEventListener('pagehide', leave, { signal: visit });
  addEventListener('pageshow', (event) => event.persisted && join(), { signal: visit });
  visit.addEventListener('abort', () => {
    end();
    leave();
  });
  join();
}

/** Another tab has written into the record. (Who is here, and in which conversation, is the session's matter.) */
function followRecord({ shell, store, news }: Inner, { key, oldValue, newValue }: StorageEvent): void {
  if (key !== `platform-webchat:${shell.chatUrl}` || !newValue) return;
  const [before, now] = [oldValue, newValue].map((text): StoredVisit => {
    try {
      return Object(JSON.parse(text ?? '{}'));
    } catch {
      return {};
    }
  }) as [StoredVisit, StoredVisit];
  const ids = ({ unsent }: StoredVisit) => [unsent ?? []].flat().map((one?: { id: string }) => one?.id);
  const gone = ids(before).filter((id) => !ids(now).includes(id));
  for (const { key: row, id, status } of store.state.rows) {
    // Discarded there; or sent, and then its signal puts it back in its place.
    if (gone.includes(row) && !id && status !== 'sending') store.remove(row);
  }
  if (before.readAt !== now.readAt && !shell.isOpen) news.countUnread();
  // What is being typed here is not taken away.
  const isTyping = document.hasFocus() && shell.frame.querySelector('textarea:focus');
  if (before.draft !== now.draft && !isTyping) store.setVisitor(store.state.visitor + 1);
}
