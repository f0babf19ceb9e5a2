// Shared by the tests of the session: the real server in this process, the requests between session and server, and
// page views of a visitor. The simulated tabs of the fault tests are in testing.ts.
import { afterEach, beforeEach, vi } from 'vitest';
import { ChatClient } from '../../../client/index.ts';
import type { BotHandler } from '../../../protocol/bot.ts';
import { preview } from '../../../protocol/message.ts';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import { base, startTestServer, type TestServer } from '../../../server/testing.ts';
import type { StoredSession, Widget } from '../../launcher-chat-interface.ts';
import { createStore, type Store } from '../store/store.ts';
import { createSession } from './session.ts';
import type { Session } from './session-interface.ts';

export const chatUrl = `http://localhost${base}`;

/** Greets a new conversation and echoes messages. */
const echo: BotHandler = async (event, bot) => {
  if (event.type === 'conversation_started') await bot.reply({ type: 'text', text: 'Welcome' });
  else if (event.type !== 'user_merged' && event.preview !== 'silence')
    await bot.reply({ type: 'text', text: `echo ${event.preview}` });
};

export type Interceptor = (request: Request, next: () => Promise<Response>) => Promise<Response>;

/** The server of the running test. */
export let server: TestServer;
/** Intercepts requests between session and server; a test may replace it. */
export const network: { between: Interceptor } = { between: (_, next) => next() };
/** Method and path of every request of the running test. */
export let requests: string[];
/** One for each page view of the running test. */
export let controllers: AbortController[];

/** Starts a server before each test and closes it after the test. Every file calls it before its first test. */
export function setUpServer(): void {
  beforeEach(async () => {
    server = await startTestServer({ handler: echo });
    network.between = (_, next) => next();
    requests = [];
    controllers = [];
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const path = url.replace('http://localhost', '');
      requests.push(`${init.method} ${path.replace(base, '')}`);
      return network.between(new Request(url, init), () => server.fetch(path, init));
    });
  });
  afterEach(async () => {
    for (const controller of controllers) controller.abort();
    vi.unstubAllGlobals();
    await server.close();
  });
}

/** Replaces the server by a new one with these options. */
export async function restartServer(options: Parameters<typeof startTestServer>[0]): Promise<void> {
  await server.close();
  server = await startTestServer({ handler: echo, ...options });
}

export interface PageView {
  widget: Widget;
  store: Store;
  session: Session;
  stored: StoredSession;
  events: [type: string, payload: unknown][];
  unread: () => number;
  texts(): string[];
  /** The texts of `message` events. */
  notified(): string[];
  end(): void;
}

/** Opens a page view. @param stored the record that an earlier page view left. */
export function openPage(stored: StoredSession = {}, options: Partial<Widget> = {}): PageView {
  const controller = new AbortController();
  controllers.push(controller);
  const events: PageView['events'] = [];
  let unread = 0;
  const widget = {
    signal: controller.signal,
    chatUrl,
    storageKey: `platform-webchat:${chatUrl}`,
    storage: {
      read: () => stored,
      write: (fields: object) => void Object.assign(stored, fields),
    },
    configuration: resolveConfiguration(),
    language: { locale: 'en' },
    resolve: () => resolveConfiguration(),
    webchat: undefined,
    user: {},
    hooks: new Set(),
    isOpen: true,
    emit: (type: string, payload: unknown) => void events.push([type, payload]),
    onStarted: () => void events.push(['started', undefined]),
    onUnread: (count: number) => {
      unread += count;
    },
    onServerConfiguration: () => {},
    ...options,
  } as unknown as Widget;
  const store = createStore(resolveConfiguration());
  return {
    widget,
    store,
    session: createSession(widget, store, () => {}),
    stored,
    events,
    unread: () => unread,
    texts: () => store.state.rows.map(({ payload }) => preview(payload)),
    notified: () =>
      events
        .filter(([type]) => type === 'message')
        .map(([, message]) => preview((message as { payload: unknown }).payload)),
    end: () => controller.abort(),
  };
}

/** Reduces the server to a plain Chat API: no /webchat, no event ids, no replay, no Idempotency-Key. */
export const plain: Interceptor = async (request, next) => {
  if (request.url.endsWith('/webchat')) return Response.json({}, { status: 404 });
  request.headers.delete('idempotency-key');
  const response = await next();
  if (!request.url.endsWith('/listen')) return response;
  const headers = new Headers(response.headers);
  headers.delete('last-event-id');
  const strip = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, out) =>
      out.enqueue(new TextEncoder().encode(new TextDecoder().decode(bytes).replace(/^id: .*\n/gm, ''))),
  });
  return new Response(response.body?.pipeThrough(strip) ?? null, { status: response.status, headers });
};

/** Another client of the same visitor. */
export const clientOf = ({ stored: { userKey } }: Pick<PageView, 'stored'>) =>
  new ChatClient({ chatUrl, userKey, fetch: server.fetch as never });

/** Sends a message as the same visitor from another client. */
export const elsewhere = (page: PageView, text: string) =>
  clientOf(page).createMessage({
    conversationId: page.stored.conversationId ?? '',
    payload: { type: 'text', text },
  });

/** Deletes the conversation of the record from another client. */
export const deleteElsewhere = (page: PageView) =>
  clientOf(page).deleteConversation({ id: page.stored.conversationId ?? '' });

/** The texts on the server, oldest first. */
export const serverTexts = async (page: PageView) => {
  const { conversationId = '' } = page.stored;
  return (await clientOf(page).list.messages({ conversationId }).collect())
    .reverse()
    .map(({ payload }) => preview(payload));
};

/** Cuts every stream, as a proxy that restarts does. */
export const cutStreams = () => {
  for (const cut of cuts.splice(0)) cut();
};
const cuts: (() => void)[] = [];
export const cuttable =
  (internals: Interceptor): Interceptor =>
  async (request, next) => {
    const response = await internals(request, next);
    if (!request.url.endsWith('/listen') || !response.body) return response;
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        cuts.push(() => {
          controller.error(new TypeError('cut'));
          void reader.cancel();
        });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };

/** Method and path of a request, as in `requests`. */
const lineOf = ({ method, url }: Request) => `${method} ${url.replace(chatUrl, '')}`;

/** Holds the responses to these requests until the returned function is called. */
export function hold(line: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  network.between = async (request, next) => {
    const response = await next();
    if (lineOf(request) === line) await released;
    return response;
  };
  return release;
}

/** Answers these requests with an error, until `pass()`. */
export function refuse(line: string, status: number, body: object = {}): void {
  network.between = async (request, next) =>
    lineOf(request) === line ? Response.json(body, { status }) : next();
}

/** Lets no message reach the server, until `pass()`. */
export function losePosts(): void {
  network.between = async (request, next) => {
    if (isPost(request)) throw new TypeError('offline');
    return next();
  };
}

/** Ends `hold`, `refuse`, `losePosts` and each other change of the network. */
export function pass(): void {
  network.between = (_, next) => next();
}

/** Replaces the whole record, as another tab does; no event tells it. */
export function replaceRecord({ stored }: Pick<PageView, 'stored'>, record: StoredSession): void {
  for (const field of Object.keys(stored) as (keyof StoredSession)[]) delete stored[field];
  Object.assign(stored, record);
}

/** Replaces the whole record in another tab, which this one is told. */
export function changeInOtherTab(page: Pick<PageView, 'stored' | 'widget'>, record: StoredSession): void {
  const oldValue = JSON.stringify(page.stored);
  replaceRecord(page, record);
  const change = { key: page.widget.storageKey, oldValue, newValue: JSON.stringify(record) };
  dispatchEvent(Object.assign(new Event('storage'), change));
}

export const isPost = (request: Request) => request.url.endsWith('/messages') && request.method === 'POST';
/** The statuses of the visitor's messages. */
export const statuses = ({ store }: PageView) =>
  store.state.rows.filter(({ side }) => side === 'visitor').map(({ status }) => status);
/** The codes of the `error` events. */
export const codes = ({ events }: PageView) =>
  events.filter(([type]) => type === 'error').map(([, error]) => (error as { code: string }).code);

/** Waits until the session's idle work has started. */
export const idle = () => new Promise((resolve) => setTimeout(resolve));
