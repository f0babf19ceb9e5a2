// The connection to one conversation: keeps its stream open, and lists missed messages and older pages. It ends with
// its signal.
import type { ChatClientBase } from '../../../../client/chat/caller.ts';
import type { Connection, ConnectionState } from '../../../../client/chat/stream.ts';
import type { Message } from '../../../../protocol/message.ts';
import type { Signal } from '../../../../protocol/signal.ts';
import type { Store } from '../../store/store.ts';
import { retryWithBackoff } from '../retry.ts';
import type { ConversationConnection, Tabs } from './connection-interface.ts';
import type { Incoming } from './incoming.ts';

export interface ConnectionOptions {
  client: ChatClientBase;
  store: Store;
  incoming: Incoming;
  id: string;
  /** The conversation was just created: none of its messages was shown, so all of them are reported as new. */
  isNew: boolean;
  scope: AbortSignal;
  /** The visitor's other tabs, if there may be any. */
  tabs: Tabs | undefined;
  /** Called when the stream was unreachable for `graceMs`. */
  onUnreachable(): void;
  /** Called when the server refuses the conversation after it was joined. */
  onRefused(error: unknown): void;
}

/** Milliseconds until an interruption is shown to the visitor: most streams recover sooner. */
const graceMs = 5_000;

/** Joins a conversation. Resolves when its stream is open and its newest page is listed; rejects when refused. */
export function joinConversation(options: ConnectionOptions): Promise<ConversationConnection> {
  const { client, store, incoming, id, isNew, scope, tabs, onUnreachable, onRefused } = options;
  /** Aborts with the scope, or when the server refuses. */
  const controller = new AbortController();
  const { signal } = controller;
  let isJoined = false;
  let graceTimer: ReturnType<typeof setTimeout> | undefined;
  /** The ids of the messages that were received by the stream or a list. */
  const knownIds = new Set<unknown>();
  /** The signals that arrive while messages are being listed; they are processed afterwards. */
  let buffered: Signal[] | undefined;
  let isStale = false;

  const onState = (state: ConnectionState) => {
    if (state === 'open' || state === 'closed') {
      endGrace();
      return;
    }
    startGrace();
  };
  /** Shows the interruption to the visitor, unless the stream recovers within `graceMs`. */
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

  /** Lists one page; without a token the newest. */
  const listPage = (nextToken: string | undefined) =>
    client.listMessages({ conversationId: id, nextToken } as { conversationId: string }, { signal });

  /**
   * Lists from the newest message back to one that the stream or a list has already delivered, so that there is no gap.
   * The newest row is not sufficient: an own message is known from the response to its POST while the stream is down.
   */
  const list = async () => {
    const isFirst = store.state.history === 'unknown';
    const messages: Message[] = [];
    // Messages that arrive during the request need not be in its response.
    const earlierIds = new Set(knownIds);
    let token: string | undefined;
    let overlap = -1;
    do {
      const page = await listPage(token);
      signal.throwIfAborted();
      messages.push(...page.messages);
      token = page.meta.nextToken;
      overlap = messages.findIndex((message?: Message) => knownIds.has(message?.id));
    } while (token && !isFirst && overlap < 0);
    // Lists are newest first. Messages older than a known one are known too.
    const fresh = messages.slice(0, overlap < 0 ? messages.length : overlap);
    // The signals of their deletion may be lost too. The list may contain only some of the messages with the oldest time.
    const [newest = '', oldest = ''] = [messages[0]?.createdAt, messages.at(-1)?.createdAt];
    for (const { id, createdAt } of newest < oldest ? [] : store.state.rows) {
      const isListed = messages.some((message?: Message) => message?.id === id);
      if (id && createdAt > oldest && earlierIds.has(id) && !isListed) store.remove(id);
    }
    for (const message of fresh as (Message | undefined)[]) knownIds.add(message?.id);
    // New messages are processed oldest first, and all at once.
    if (isNew || !isFirst) incoming.handleMessages(fresh.reverse(), true);
    else await incoming.handleList(fresh, signal);
    if (!isFirst) return;
    conversation.olderToken = token;
    store.setHistory(token ? 'more' : 'complete');
    if (!isNew) incoming.countUnread();
  };

  const listAll = async () => {
    await list();
    await incoming.listMore?.();
  };

  const listUntilFresh = async () => {
    do {
      isStale = false;
      await retryWithBackoff(listAll, { signal, onFailure: startGrace });
      // The stream was opened again meanwhile without resuming: messages of that gap are not listed yet.
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
      // The scope has ended meanwhile: its signals do not belong to the present one.
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
      // A stream that resumes does not fill the gap of the one before.
      isStale ||= isGap;
      if (buffered) return;
      buffered = [];
      if (isGap) listUntilFresh().then(done, fail);
      else done();
    };
    // A new conversation is received from its first signal.
    let position = isNew ? '0' : undefined;
    let connection: Connection | undefined;
    const isOpen = () => !!connection && connection.state !== 'closed';
    const resume = () => {
      if (isOpen() || signal.aborted) return;
      connection = client.listen(id, {
        lastEventId: position,
        onState,
        onSignal(signal, id) {
          conversation.onSignal?.(signal, id);
          handleSignal(signal);
        },
        onOpen({ resumed }) {
          incoming.reconnect();
          conversation.onOpen?.(resumed);
          resync(!resumed);
        },
        onError: fail,
      });
    };
    conversation = {
      id,
      signal,
      olderToken: undefined,
      listPage,
      refresh: list,
      get position() {
        return isOpen() ? connection?.lastEventId : position;
      },
      set position(last) {
        position = last;
      },
      handleSignal,
      resync: () => resync(true),
      suspend() {
        position = conversation.position;
        connection?.close();
      },
      resume,
      wake: () => connection?.wake(),
      reached: () => connection?.reached(),
    };
    // The stream of another tab replaces one of this tab.
    if (tabs?.attach(conversation)) resync(true);
    else resume();
    const leave = () => {
      connection?.close();
      endGrace();
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave);
    const end = () => controller.abort(scope.reason);
    if (scope.aborted) end();
    else scope.addEventListener('abort', end);
  });
}
