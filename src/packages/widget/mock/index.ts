// A mock of the Chat API for tests of pages that embed the chat, with what a window needs: one fetch handler, the same in
// browsers and in Node, with ids and times that do not change between runs. It stores nothing and needs no network.
import { type ErrorType, errorTypes } from '../../../protocol/error.ts';
import type { Message, Metadata, Payload } from '../../../protocol/message.ts';
import type { Configuration } from '../../../protocol/page-api/config.ts';
import type { Feature, Webchat } from '../../../protocol/webchat.ts';
import { type BotRunner, createBotRunner, type MockBot, type MockBotCall } from './bot.ts';
import { createHandler, type Handler } from './handler.ts';
import { type Listening, listen } from './listen.ts';
import { findOperation, isOperation, type MockOperation } from './router.ts';
import { createSignalHub, type SignalHub } from './signals.ts';
import { createStore, type MockStore, publicMessage } from './store.ts';

export type { Listening, MockBot, MockBotCall, MockOperation };

export interface MockServerOptions {
  /** How the bot answers; the default says nothing. */
  bot?: MockBot;
  /** Milliseconds before each response and each piece of a streamed answer; the default is 0. */
  latencyMs?: number;
  /** The address of the chat; the default is `https://mock.test/chat/mock`. Requests to other addresses are not handled. */
  chatUrl?: string;
  /** The configuration that the server gives to the widget. */
  configuration?: Configuration;
  /** Part of all ids; the default is 1. */
  seed?: number;
  /** The clock; the default begins on 1 January 2026 at noon UTC and advances by a second with each change. */
  now?: () => number;
}

/** A request that the mock has received. */
export interface MockRequest {
  /** The name of the operation; undefined for files and unknown addresses. */
  operation: MockOperation | undefined;
  method: string;
  /** Below the address of the chat. */
  path: string;
  /** The parsed JSON body; undefined without one. */
  body: unknown;
}

export interface MockFailure {
  /** Only this operation fails; by default all do. */
  operation?: MockOperation;
  /** The status of the response, from 400 to 599. */
  status: number;
  /** How many requests fail; the default is 1. */
  times?: number;
}

export interface MockServer {
  /** The address for `chatUrl` or `data-chat-url`: that of the options, or that of `listen()`. */
  readonly chatUrl: string;
  /** Answers a request as a server would; rejects as a failing network does. Independent of `this`. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** Replaces the global `fetch` for addresses of the mock, and returns the function that restores it. */
  install(): () => void;
  /** Node: serves the mock over HTTP, by default on a free port of this machine. */
  listen(options?: { port?: number; host?: string }): Promise<Listening>;
  /** The bot says something without being asked, in the newest conversation or in that of the options. */
  say(payload: Payload | string, options?: { conversationId?: string; metadata?: Metadata }): Message;
  /** The requests so far, in order. */
  readonly requests: readonly MockRequest[];
  /** The conversations and their messages, in order. Copies: a change has no effect. */
  readonly conversations: readonly { id: string; userId: string; messages: Message[] }[];
  /** Makes the next requests fail. */
  fail(failure: MockFailure): void;
  /** True: requests and open streams fail as without a network, until it is called with false. */
  offline(isOffline: boolean): void;
  /** Forgets everything, ends all streams, and begins again with the first ids. */
  reset(): void;
}

/** The capabilities of the mock: the window does not offer what needs others. */
const features: Feature[] = [
  'replay',
  'idempotency',
  'stream',
  'typing',
  'files',
  'feedback',
  'firstConversation',
  'renewal',
  'supersedes',
  'preChatForm',
  'locale',
];

/** Creates a mock of the Chat API. */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  const { bot: mockBot = [], latencyMs = 0, seed = 1 } = options;
  let chatUrl = (options.chatUrl ?? 'https://mock.test/chat/mock').replace(/\/+$/, '');
  const webchat: Webchat = {
    configuration: options.configuration ?? {},
    features,
    limits: { messageBytes: 1_047_552, fileBytes: 100_000_000, fileTypes: [] },
  };
  let store: MockStore;
  let signals: SignalHub;
  let bot: BotRunner;
  let handle: Handler;
  let requests: MockRequest[] = [];
  let failures: (MockFailure & { times: number })[] = [];
  let isOffline = false;

  const pause = (): Promise<void> =>
    latencyMs > 0 ? new Promise((resolve) => setTimeout(resolve, latencyMs)) : Promise.resolve();

  function begin(): void {
    store = createStore(seed, options.now);
    signals = createSignalHub();
    bot = createBotRunner({ bot: mockBot, store, signals, pause });
    handle = createHandler({ store, signals, bot, webchat: { ...webchat, botUserId: store.botUser.id } });
    requests = [];
    failures = [];
    isOffline = false;
  }
  begin();

  function failing(operation: MockOperation | undefined): Response | undefined {
    const failure = failures.find((each) => each.operation === undefined || each.operation === operation);
    if (!failure) return undefined;
    failure.times -= 1;
    if (failure.times === 0) failures = failures.filter((other) => other !== failure);
    const { status } = failure;
    const types = Object.entries(errorTypes) as [ErrorType, number][];
    const type = types.find(([, code]) => code === status)?.[0] ?? 'Unknown';
    const id = `err_20260101000000x${store.next().toString(16).toUpperCase().padStart(8, '0')}`;
    const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {};
    return Response.json(
      { id, code: status, type, message: 'fail() of the mock server.' },
      { status, headers },
    );
  }

  /** The path below the chat, whatever the host: a server that listens is reached by several names. */
  const pathOf = ({ pathname }: URL): string | undefined => {
    const base = new URL(chatUrl).pathname;
    return pathname === base || pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined;
  };

  const fetch: MockServer['fetch'] = async (input, init) => {
    const request = new Request(input instanceof URL ? input.href : input, init);
    request.signal.throwIfAborted();
    const url = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    await Promise.race([pause(), rejectOnAbort(request.signal)]);
    if (isOffline) throw new TypeError('Failed to fetch');
    const path = pathOf(url);
    if (request.method === 'OPTIONS') return withCors(new Response(null, { status: 204 }));
    const operation = path === undefined ? undefined : findOperation(request.method, path)?.name;
    requests.push({ operation, method: request.method, path: path ?? url.pathname, body: parseBody(bytes) });
    const base = `${url.origin}${new URL(chatUrl).pathname}`;
    return withCors(failing(operation) ?? handle(request, base, path ?? url.pathname, bytes));
  };

  return {
    get chatUrl() {
      return chatUrl;
    },
    fetch,
    install() {
      const before = globalThis.fetch;
      const installed: typeof globalThis.fetch = (input, init) => {
        const address = new URL(
          input instanceof Request ? input.url : String(input),
          globalThis.location?.href,
        );
        const isOurs = address.origin === new URL(chatUrl).origin && pathOf(address) !== undefined;
        return isOurs ? fetch(input, init) : before.call(globalThis, input, init);
      };
      globalThis.fetch = installed;
      return () => {
        if (globalThis.fetch === installed) globalThis.fetch = before;
      };
    },
    async listen(where = {}) {
      const listening = await listen(fetch, new URL(chatUrl).pathname, where);
      chatUrl = listening.chatUrl;
      return listening;
    },
    say(payload, { conversationId, metadata } = {}) {
      const all = [...store.conversations.values()];
      const conversation =
        conversationId === undefined ? all.at(-1) : all.find(({ id }) => id === conversationId);
      if (!conversation) throw new Error('say(): there is no such conversation; open the chat first.');
      return bot.say(conversation, payload, metadata);
    },
    get requests() {
      return [...requests];
    },
    get conversations() {
      return [...store.conversations.values()].map(({ id, ownerId, messages }) => ({
        id,
        userId: ownerId,
        messages: structuredClone(messages.map(publicMessage)),
      }));
    },
    fail({ operation, status, times = 1 }) {
      if (operation !== undefined && !isOperation(operation))
        throw new RangeError(`fail(): there is no operation '${String(operation)}'.`);
      if (!Number.isInteger(status) || status < 400 || status > 599)
        throw new RangeError('fail(): status must be from 400 to 599.');
      failures.push({ ...(operation ? { operation } : {}), status, times });
    },
    offline(next) {
      isOffline = next;
      if (next) signals.cut(new TypeError('network error'));
    },
    reset() {
      bot.close();
      signals.cut();
      begin();
    },
  };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function parseBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Every page may use the mock. */
function withCors(response: Response): Response {
  const { headers } = response;
  headers.set('access-control-allow-origin', '*');
  headers.set('access-control-allow-headers', '*, authorization');
  headers.set('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  headers.set('access-control-expose-headers', '*');
  headers.set('access-control-max-age', '7200');
  headers.set('cross-origin-resource-policy', 'cross-origin');
  return response;
}
