// One conversation, entered: its stream is kept open, what was missed is listed, older pages are fetched. It ends with
// its signal, and knows neither who the visitor is nor how one comes here.
import type { ChatClientBase } from '../../../client/caller.ts';
import type { ChatMethods } from '../../../client/operations/chat.ts';
import type { ConnectionState } from '../../../client/stream.ts';
import type { Message } from '../../../protocol/message.ts';
import type { Signal } from '../../../protocol/signal.ts';
import type { Store } from '../store/store.ts';
import type { Incoming } from './incoming.ts';
import { retryWithBackoff } from './retry.ts';

export interface ConversationConnection {
  id: string;
  /** Ends when the room is left. */
  signal: AbortSignal;
  /** Where the page before the oldest message begins; undefined where there is none. */
  olderToken: string | undefined;
  /** Gives the page that begins there. Rejects as the server does. */
  listPage(token: string | undefined): ReturnType<ChatMethods['listMessages']>;
  /** Lists what is newer than what is known. Rejects as the server does. */
  refresh(): Promise<void>;
  /** Takes a signal that another tab's stream has brought. */
  handleSignal(signal: Signal): void;
  /** Lists what may have been missed, before what comes from now on is told. */
  resync(): void;
  /** Called with every signal of the own stream. */
  onSignal?: (signal: Signal) => void;
  /** Called when the own stream does not go on where it was. */
  onGap?: () => void;
  /** Closes the own stream: another tab's takes its place. */
  suspend(): void;
  /** Opens the own stream again, and lists what was missed. Harmless when it is open. */
  resume(): void;
  /** Tries at once where the stream waits or may have been cut unnoticed. */
  wake(): void;
}

export interface ConnectionOptions {
  client: ChatClientBase;
  store: Store;
  incoming: Incoming;
  id: string;
  /** Just created: nothing in it was ever shown, so all its messages are news. */
  isNew: boolean;
  scope: AbortSignal;
  /** The stream has been unreachable for a while. */
  onUnreachable(): void;
  /** The server does not let the visitor in any more, after it did. */
  onRefused(error: unknown): void;
}

/** Milliseconds a cut may last before the visitor is told: most heal sooner. */
const graceMs = 5_000;

/** Enters a conversation. Resolves when its stream is open and its newest page listed; rejects when refused. */
export function joinConversation(options: ConnectionOptions): Promise<ConversationConnection> {
  const { client, store, incoming, id, isNew, scope, onUnreachable, onRefused } = options;
  /** Ends with the visit, or when the server refuses. */
  const controller = new AbortController();
  const { signal } = controller;
  let isJoined = false;
  let graceTimer: ReturnType<typeof setTimeout> | undefined;
  /** The ids of the messages that the stream or a list has brought. */
  const knownIds = new Set<unknown>();
  /** What the stream says while a listing is under way: told after it. */
  let buffered: Signal[] | undefined;
  let isStale = false;

  const onState = (state: ConnectionState) => {
    if (state === 'open' || state === 'closed') {
      endGrace();
      return;
    }
    startGrace();
  };
  /** Tells the visitor, unless all is well soon. */
  const startGrace = () => {
    graceTimer ??= setTimeout(() => {
      store.setConnection(isJoined ? 'interrupted' : 'unreachable');
      onUnreachable();
    }, graceMs);
  };
  const endGrace = () => {
    clearTimeout(graceTimer);
    graceTimer = undefined;
  };

  /** One page of the list; without a token the newest. */
  const listPage = (nextToken: string | undefined) =>
    client.listMessages({ conversationId: id, nextToken } as { conversationId: string }, { signal });

  /**
   * Lists from the newest message back to one that the stream or a list has brought, so that nothing is missing in
   * between: of an own message the answer to its POST may have told while the stream was down.
   */
  const list = async () => {
    const isFirst = store.state.history === 'unknown';
    const messages: Message[] = [];
    let token: string | undefined;
    let overlap = -1;
    do {
      const page = await listPage(token);
      signal.throwIfAborted();
      messages.push(...page.messages);
      token = page.meta.nextToken;
      overlap = messages.findIndex((message?: Message) => knownIds.has(message?.id));
    } while (token && !isFirst && overlap < 0);
    // Listed newest first, told in the order they were said. Behind what is known nothing is news.
    const fresh = messages.slice(0, overlap < 0 ? messages.length : overlap).reverse();
    for (const message of fresh as (Message | undefined)[]) knownIds.add(message?.id);
    incoming.handleMessages(fresh, isNew || !isFirst);
    if (!isFirst) return;
    conversation.olderToken = token;
    store.setHistory(token ? 'more' : 'complete');
    if (!isNew) incoming.countUnread();
  };

  const listUntilFresh = async () => {
    do {
      isStale = false;
      await retryWithBackoff(list, { signal, onFailure: startGrace });
      // Opened once more in the meantime, and not where it was: what came in between is not listed yet.
    } while (isStale);
  };

  const processSignal = ({ type, data }: Signal) => {
    if (type === 'message_created') knownIds.add(data.id);
    incoming.handleSignal({ type, data } as Signal);
  };
  let conversation: ConversationConnection;
  const handleSignal = (signal: Signal) => void (buffered ? buffered.push(signal) : processSignal(signal));

  return new Promise<ConversationConnection>((resolve, reject) => {
    const done = () => {
      // Left in the meantime: what was heard there is not for those who are here now.
      if (signal.aborted) return;
      endGrace();
      const waiting = buffered ?? [];
      buffered = undefined;
      if (store.state.history === 'unknown') store.setHistory('complete');
      store.setConnection('online');
      isJoined = true;
      resolve(conversation);
      waiting.forEach(processSignal);
    };
    const fail = (error: unknown) => {
      if (signal.aborted) return;
      controller.abort(error);
      if (isJoined) onRefused(error);
    };
    const resync = (isGap: boolean) => {
      isStale = isGap;
      if (buffered) return;
      buffered = [];
      if (isGap) listUntilFresh().then(done, fail);
      else done();
    };
    const open = (lastEventId?: string) =>
      client.listen(id, {
        lastEventId,
        onState,
        onSignal(signal) {
          conversation.onSignal?.(signal);
          handleSignal(signal);
        },
        onOpen({ resumed }) {
          incoming.reconnect();
          if (!resumed) conversation.onGap?.();
          resync(!resumed);
        },
        onError: fail,
      });
    // A new conversation is heard from its first signal on.
    let connection = open(isNew ? '0' : undefined);
    conversation = {
      id,
      signal,
      olderToken: undefined,
      listPage,
      refresh: list,
      handleSignal,
      resync: () => resync(true),
      suspend: () => connection.close(),
      resume() {
        if (connection.state === 'closed' && !signal.aborted) connection = open();
      },
      wake: () => connection.wake(),
    };
    const leave = () => {
      connection.close();
      endGrace();
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave);
    const end = () => controller.abort(scope.reason);
    if (scope.aborted) end();
    else scope.addEventListener('abort', end);
  });
}
