// A client of one chat: the operations of the Chat API as methods, and the stream as `listen`.
import type { VisitorLocale } from '../../protocol/headers.ts';
import { parseSignal, type Signal } from '../../protocol/signal.ts';
import type { Webchat } from '../../protocol/webchat.ts';
import { ApiError } from '../core/errors.ts';
import { type CallOptions, type Fetch, send, sendJson } from '../core/http.ts';
import {
  type ChatMethods,
  createConversation,
  createMessage,
  createUser,
  getWebchat,
  listenConversation,
  listMessages,
} from '../operations/chat.ts';
import { type Connection, type ConnectionOptions, connect } from './stream.ts';

/** The options of a client of one chat. */
export interface ChatClientOptions {
  /** The address of the chat: `https://HOST/chat/WEBHOOK`. */
  chatUrl: string;
  /** The credential of a user, sent as `x-user-key`. Not needed for `createUser`; set it later as `client.userKey`. */
  userKey?: string | undefined;
  /**
   * Returns the languages and the time zone of the user, now. The bot gets them with each event that a call of this client
   * causes (`event.locale`), unless the server's setting VISITOR_LOCALE is `off`.
   */
  locale?: (() => VisitorLocale | undefined) | undefined;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: Fetch;
}

/** The options of `listen`: the callbacks for the stream, and where it resumes. */
export type ListenOptions = Pick<
  ConnectionOptions,
  'onOpen' | 'onState' | 'onError' | 'lastEventId' | 'random'
> & {
  /**
   * Called with every signal of the conversation, also with those that the caller caused. `id`: its number in the
   * conversation; '' for signals that the server does not log (typing, deltas).
   */
  onSignal(signal: Signal, id: string): void;
};

/** The arguments of an operation. */
type Request = [input?: Record<string, unknown>, options?: CallOptions | undefined];

/** The operations that every session needs first. */
const firstRoutes = { createUser, createConversation, listMessages, createMessage };

/** The members of each client beside its operations. */
export interface ChatClientCore {
  userKey: string | undefined;
  /** See ChatClientOptions. */
  locale: ChatClientOptions['locale'];
  /** The same client, with the operations of these routes (operations/chat.ts) as additional methods. */
  with<O extends keyof ChatMethods>(routes: Record<O, string>): this & Pick<ChatMethods, O>;
  /** Returns what the server supports beyond the plain Chat API; undefined for a plain server (404). */
  getWebchat(options?: CallOptions): Promise<Webchat | undefined>;
  /** Opens the stream of a conversation and keeps it open until `close()`. */
  listen(conversationId: string, options: ListenOptions): Connection;
}

/** A client with the operations that every session needs first. `ChatClient` has all operations, and lists. */
export interface ChatClientBase extends ChatClientCore, Pick<ChatMethods, keyof typeof firstRoutes> {}

/**
 * Calls one chat. Every method rejects with ApiError (the server refused) or NetworkError (no usable response).
 * Runs in browsers and in Node 20.
 */
class Caller {
  userKey: string | undefined;
  locale: ChatClientOptions['locale'];
  readonly #base: string;
  readonly #fetch: Fetch;

  constructor(options: ChatClientOptions) {
    this.#base = options.chatUrl.replace(/\/+$/, '');
    // Bound when the client is created: a page may replace its fetch later, and an unbound fetch throws in browsers.
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.userKey = options.userKey;
    this.locale = options.locale;
  }

  with(routes: Record<string, string>): this {
    const methods = Object.entries(routes).map(([name, route]) => [
      name,
      (...request: Request) => this.call(route, ...request),
    ]);
    return Object.assign(this, Object.fromEntries(methods));
  }

  async getWebchat(options?: CallOptions): Promise<Webchat | undefined> {
    try {
      return (await this.call(getWebchat, {}, options)) as Webchat;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  listen(conversationId: string, { onSignal, ...options }: ListenOptions): Connection {
    const [, path = ''] = listenConversation.split(' ');
    const url = this.#base + path.replace('{id}', encodeURIComponent(conversationId));
    return connect({
      ...options,
      open: (lastEventId, signal) => {
        const headers = this.#headers({ accept: 'text/event-stream', 'last-event-id': lastEventId });
        const request = { method: 'GET', url, headers, body: undefined, signal, isStream: true };
        return send(this.#fetch, request, (response) => response);
      },
      onData(data, id) {
        const signal = parseSignal(data);
        if (signal) onSignal(signal, id);
      },
    });
  }

  #headers(more: Record<string, string | undefined>): Record<string, string> {
    const all = Object.entries({ 'x-user-key': this.userKey, ...more });
    return Object.fromEntries(all.filter((entry): entry is [string, string] => !!entry[1]));
  }

  /** Sends one operation. Path parameters are removed from the input; the rest is the body, or the query of a GET. */
  call(
    route: string,
    input: Record<string, unknown> = {},
    { signal, idempotencyKey, proof }: CallOptions = {},
  ): Promise<unknown> {
    const [method = 'GET', template = ''] = route.split(' ');
    const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    const path = template.replace(/{(\w+)}/g, (_, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    });
    const isGet = method === 'GET';
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
    return sendJson(this.#fetch, {
      method,
      url: `${this.#base}${path}${isGet && rest.size > 0 ? `?${query}` : ''}`,
      headers: this.#headers({
        'idempotency-key': idempotencyKey,
        'x-user-proof': proof,
        // Encoded and cut, because it may have the text of a page: a header with a character outside of ASCII, or of many
        // kilobytes, would make every request fail. The server reads 500 characters (protocol/headers.ts).
        'x-visitor-locale': isGet
          ? ''
          : `${new URLSearchParams(this.locale?.() as Record<string, string>)}`.slice(0, 500),
      }),
      body: isGet ? undefined : Object.fromEntries(rest),
      signal,
    });
  }
}

class FirstCaller extends Caller {
  constructor(options: ChatClientOptions) {
    super(options);
    this.with(firstRoutes);
  }
}

// The methods of the table are added at run time, so the class is cast to its complete type.
export const ChatClientBase = FirstCaller as unknown as new (options: ChatClientOptions) => ChatClientBase;
/** A client without operations, for one that has them as methods of its own (chat-operations.ts). */
export const ChatClientCore = Caller as unknown as new (options: ChatClientOptions) => ChatClientCore;

/** Sends an operation for a client. The published type does not have it. */
export const callRoute = (
  client: ChatClientCore,
  route: string,
  [input, options]: [input?: object, options?: CallOptions | undefined],
): Promise<never> => (client as unknown as Caller).call(route, { ...input }, options) as Promise<never>;
