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
  /** Lists what is newer than what is known, and what is older back to `since` (ISO 8601). Rejects as the server does. */
  refresh(since?: string): Promise<void>;
  /** Takes a signal that another tab's stream has brought. */
  hear(signal: Signal): void;
  /** Called with every signal of the own stream. */
  onHeard?: (signal: Signal) => void;
  /** Closes the own stream: another tab's takes its place. */
  suspend(): void;
  /** Opens the own stream again, and lists what was missed. Harmless when it is open. */
  resume(): void;
  /** Tries at once where the stream waits or may have been cut unnoticed. */
  wake(): void;
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

  /** One page of the list; without a token the newest. */
  const pageOf = async (nextToken: string | undefined) => {
    const input = { conversationId: id, nextToken } as { conversationId: string; nextToken: string };
    const page = await client.listMessages(input, { signal });
    signal.throwIfAborted();
    return page;
  };

  /** Lists from the newest message back to one that is known, so that nothing is missing in between. */
  const list = async () => {
    const known = new Set(store.state.rows.map((row) => row.id));
    const isFirst = store.state.history === 'unknown';
    const messages: Message[] = [];
    let token: string | undefined;
    let overlap = -1;
    do {
      const page = await pageOf(token);
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

  const hear = (signal: Signal) => void (held ? held.push(signal) : news.hear(signal));

  return new Promise<Room>((resolve, reject) => {
    const done = () => {
      const waiting = held ?? [];
      held = undefined;
      if (store.state.history === 'unknown') store.setHistory('complete');
      store.setConnection('online');
      isEntered = true;
      resolve(room);
      waiting.forEach(news.hear);
    };
    const refuse = (error: unknown) => {
      if (signal.aborted) return;
      connection.close();
      if (isEntered) onRefused(error);
      else reject(error);
    };
    const open = (lastEventId?: string) =>
      client.listen(id, {
        lastEventId,
        onState,
        onSignal(heard) {
          room.onHeard?.(heard);
          hear(heard);
        },
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
    // A new conversation is heard from its first signal on.
    let connection = open(isNew ? '0' : undefined);
    const room: Room = {
      id,
      loadOlder,
      refresh,
      hear,
      suspend: () => connection.close(),
      resume() {
        if (connection.state === 'closed' && !signal.aborted) connection = open();
      },
      wake: () => connection.wake(),
    };
    const leave = () => {
      connection.close();
      clearTimeout(graceTimer);
      reject(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });

  async function refresh(since?: string): Promise<void> {
    await list();
    const isOlder = () => since && (store.state.rows[0]?.createdAt ?? '') > since;
    while (isOlder() && store.state.history === 'more') await loadOlder();
  }

  async function loadOlder(): Promise<void> {
    if (!olderToken || store.state.history !== 'more') return;
    store.setHistory('loading');
    try {
      const page = await persist(() => pageOf(olderToken), { signal });
      news.accept(page.messages.reverse(), false);
      olderToken = page.meta.nextToken;
    } finally {
      if (!signal.aborted) store.setHistory(olderToken ? 'more' : 'complete');
    }
  }
}
