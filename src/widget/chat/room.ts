// One conversation, entered: its stream is kept open, what was missed is listed, older pages are fetched. It ends with
// its signal, and knows neither who the visitor is nor how one comes here.
import type { ChatCaller } from '../../client/caller.ts';
import type { ConnectionState } from '../../client/stream.ts';
import type { Message } from '../../protocol/message.ts';
import type { Signal } from '../../protocol/signal.ts';
import type { News } from './news.ts';
import { persist } from './patience.ts';
import type { Store } from './store.ts';

export interface Room {
  id: string;
  /** Lists the page before the oldest message there is. */
  loadOlder(): Promise<void>;
}

export interface RoomOptions {
  client: ChatCaller;
  store: Store;
  news: News;
  id: string;
  /** Just created: nothing in it was ever shown, so all its messages are news. */
  isNew: boolean;
  signal: AbortSignal;
  /** The stream has been unreachable for a while. */
  onUnreachable(): void;
  /** The server does not let the visitor in any more, after it did. */
  onRefused(error: unknown): void;
}

/** Milliseconds a cut may last before the visitor is told: most heal sooner. */
const graceMs = 5_000;

/** Enters a conversation. Resolves when its stream is open and its newest page listed; rejects when refused. */
export function enterRoom(options: RoomOptions): Promise<Room> {
  const { client, store, news, id, isNew, signal, onUnreachable, onRefused } = options;
  let isEntered = false;
  let olderToken: string | undefined;
  let graceTimer: ReturnType<typeof setTimeout> | undefined;
  /** What the stream says while a listing is under way: told after it. */
  let held: Signal[] | undefined;
  let isStale = false;

  const onState = (state: ConnectionState) => {
    if (state === 'open' || state === 'closed') {
      clearTimeout(graceTimer);
      graceTimer = undefined;
      return;
    }
    graceTimer ??= setTimeout(() => {
      store.setConnection(isEntered ? 'interrupted' : 'unreachable');
      onUnreachable();
    }, graceMs);
  };

  /** Lists from the newest message back to one that is known, so that nothing is missing in between. */
  const list = async () => {
    const known = new Set(store.state.rows.map((row) => row.id));
    const isFirst = store.state.history === 'unknown';
    const messages: Message[] = [];
    let token: string | undefined;
    let overlap = -1;
    do {
      const input = { conversationId: id, ...(token === undefined ? {} : { nextToken: token }) };
      const page = await client.listMessages(input, { signal });
      signal.throwIfAborted();
      messages.push(...page.messages);
      token = page.meta.nextToken;
      overlap = messages.findIndex((message?: Message) => known.has(message?.id));
    } while (token && !isFirst && overlap < 0);
    // Listed newest first, told in the order they were said. Behind what is known nothing is news.
    const fresh = messages.slice(0, overlap < 0 ? messages.length : overlap).reverse();
    news.accept(fresh, isNew || !isFirst);
    if (!isFirst) return;
    olderToken = token;
    store.setHistory(token ? 'more' : 'complete');
    if (!isNew) news.countUnread();
  };

  const listUntilFresh = async () => {
    do {
      isStale = false;
      await persist(list, { signal });
      // Opened once more in the meantime, and not where it was: what came in between is not listed yet.
    } while (isStale);
  };

  return new Promise<Room>((resolve, reject) => {
    const done = () => {
      const waiting = held ?? [];
      held = undefined;
      if (store.state.history === 'unknown') store.setHistory('complete');
      store.setConnection('online');
      isEntered = true;
      resolve({ id, loadOlder });
      waiting.forEach(news.hear);
    };
    const refuse = (error: unknown) => {
      if (signal.aborted) return;
      connection.close();
      if (isEntered) onRefused(error);
      else reject(error);
    };
    const connection = client.listen(id, {
      // A new conversation is heard from its first signal on.
      lastEventId: isNew ? '0' : undefined,
      onState,
      onSignal: (heard) => void (held ? held.push(heard) : news.hear(heard)),
      onOpen({ resumed }) {
        news.reconnect();
        isStale = !resumed;
        if (held) return;
        held = [];
        if (resumed) done();
        else listUntilFresh().then(done, refuse);
      },
      onError: refuse,
    });
    const leave = () => {
      connection.close();
      clearTimeout(graceTimer);
      reject(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });

  async function loadOlder(): Promise<void> {
    if (!olderToken || store.state.history !== 'more') return;
    store.setHistory('loading');
    try {
      const input = { conversationId: id, nextToken: olderToken };
      const page = await persist(() => client.listMessages(input, { signal }), { signal });
      signal.throwIfAborted();
      news.accept(page.messages.reverse(), false);
      olderToken = page.meta.nextToken;
    } finally {
      if (!signal.aborted) store.setHistory(olderToken ? 'more' : 'complete');
    }
  }
}
