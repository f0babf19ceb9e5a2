// The typed client of one Chat API: every operation of the table as a method, lists as iterables, the stream as `listen`.
import type { Conversation } from '../protocol/conversation.ts';
import type { Message } from '../protocol/message.ts';
import {
  type ChatOperation,
  type ChatOperations,
  chatOperations,
  listenPath,
} from '../protocol/operations.ts';
import { parseSignal, type Signal } from '../protocol/signal.ts';
import type { User } from '../protocol/user.ts';
import type { Webchat } from '../protocol/webchat.ts';
import { ApiError } from './errors.ts';
import { type Fetch, send, sendJson } from './http.ts';
import { type Items, walk } from './pages.ts';
import { type Connection, type ConnectionOptions, connect } from './stream.ts';

export interface ChatClientOptions {
  /** The address of the chat: `https://HOST/chat/WEBHOOK`. */
  chatUrl: string;
  /** The credential of a user, sent as `x-user-key`. `createUser` needs none; set it later by `client.userKey`. */
  userKey?: string | undefined;
  fetch?: Fetch;
}

export interface CallOptions {
  /** Aborts the request; the method rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For creating operations: the same key gives the same result, once (a plain server ignores it). */
  idempotencyKey?: string;
}

export type ListenOptions = Pick<
  ConnectionOptions,
  'onOpen' | 'onState' | 'onError' | 'lastEventId' | 'random'
> & {
  /** Every signal of the conversation, also those the caller caused. */
  onSignal(signal: Signal): void;
};

type Methods = {
  [O in ChatOperation]: (input: ChatOperations[O][0], options?: CallOptions) => Promise<ChatOperations[O][1]>;
};

export interface ChatClient extends Methods {
  userKey: string | undefined;
  /** What the server can do beyond the plain Chat API, or undefined for a plain one (404). */
  getWebchat(options?: CallOptions): Promise<Webchat | undefined>;
  /** Opens the stream of a conversation and keeps it open until `close()`. */
  listen(conversationId: string, options: ListenOptions): Connection;
  list: {
    conversations(options?: CallOptions): Items<Conversation>;
    messages(input: { conversationId: string }, options?: CallOptions): Items<Message>;
    participants(input: { conversationId: string }, options?: CallOptions): Items<User>;
  };
}

/**
 * A client for one chat. Every method rejects with ApiError (the server said no) or NetworkError (no answer came).
 * Runs in browsers and in Node 20.
 */
export const ChatClient = createChatClient as unknown as new (options: ChatClientOptions) => ChatClient;

function createChatClient(options: ChatClientOptions): ChatClient {
  const base = options.chatUrl.replace(/\/+$/, '');
  // Bound early: a page may replace its fetch later, and an unbound fetch throws in browsers.
  const fetch: Fetch = options.fetch ?? globalThis.fetch.bind(globalThis);

  const headers = (more: Record<string, string | undefined>) => {
    const all = { 'x-user-key': client.userKey, ...more };
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]));
  };

  const call = (
    route: string,
    input: Record<string, unknown>,
    { signal, idempotencyKey }: CallOptions = {},
  ) => {
    const [method = 'GET', template = ''] = route.split(' ');
    const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    const path = template.replace(/{(\w+)}/g, (_, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    });
    const isGet = method === 'GET';
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
    return sendJson(fetch, {
      method,
      url: `${base}${path}${isGet && rest.size > 0 ? `?${query}` : ''}`,
      headers: headers({ 'idempotency-key': idempotencyKey }),
      ...(isGet ? {} : { body: Object.fromEntries(rest) }),
      signal,
    });
  };

  const methods = Object.fromEntries(
    Object.entries(chatOperations).map(([name, route]) => [
      name,
      (input: Record<string, unknown> = {}, callOptions?: CallOptions) => call(route, input, callOptions),
    ]),
  ) as unknown as Methods;

  const client: ChatClient = {
    ...methods,
    userKey: options.userKey,
    async getWebchat(callOptions) {
      try {
        return (await call('GET /webchat', {}, callOptions)) as Webchat;
      } catch (error) {
        if (error instanceof ApiError && error.code === 404) return undefined;
        throw error;
      }
    },
    listen(conversationId, { onSignal, ...listenOptions }) {
      return connect({
        ...listenOptions,
        open: (lastEventId, signal) =>
          send(
            fetch,
            {
              method: 'GET',
              url: base + listenPath.replace('{id}', encodeURIComponent(conversationId)),
              headers: headers({ accept: 'text/event-stream', 'last-event-id': lastEventId }),
              signal,
            },
            (response) => response,
          ),
        onData(data) {
          const signal = parseSignal(data);
          if (signal) onSignal(signal);
        },
      });
    },
    list: {
      conversations: (callOptions) =>
        walk(async (nextToken) => {
          const { conversations: items, meta } = await client.listConversations(
            paged(nextToken),
            callOptions,
          );
          return { items, meta };
        }),
      messages: (input, callOptions) =>
        walk(async (nextToken) => {
          const { messages: items, meta } = await client.listMessages(
            { ...input, ...paged(nextToken) },
            callOptions,
          );
          return { items, meta };
        }),
      participants: (input, callOptions) =>
        walk(async (nextToken) => {
          const answer = await client.listParticipants({ ...input, ...paged(nextToken) }, callOptions);
          return { items: answer.participants, meta: answer.meta };
        }),
    },
  };
  return client;
}

const paged = (nextToken: string | undefined) => (nextToken === undefined ? {} : { nextToken });
