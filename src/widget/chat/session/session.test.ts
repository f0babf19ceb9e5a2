// @vitest-environment jsdom
// Tests the session with the real server in this process, with all features and reduced to a plain Chat API: cut streams,
// refusals, lost responses, and calls of the page at any moment.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ChatClient, signUserKey } from '../../../client/index.ts';
import type { BotHandler } from '../../../protocol/bot.ts';
import { resolveConfiguration } from '../../../protocol/config.ts';
import { preview } from '../../../protocol/message.ts';
import { base, secret, startTestServer, type TestServer } from '../../../server/testing.ts';
import type { StoredSession, Widget } from '../../launcher-chat-interface.ts';
import { createStore, type Store } from '../store/store.ts';
import { createSession, type Session } from './session.ts';

// A condition may take long on a busy machine; a test fails by its condition, not by the time limit.
vi.setConfig({ testTimeout: 30_000 });

const chatUrl = `http://localhost${base}`;

/** Greets a new conversation and echoes messages. */
const echo: BotHandler = async (event, bot) => {
  if (event.type === 'conversation_started') await bot.reply({ type: 'text', text: 'Welcome' });
  else if (event.preview !== 'silence') await bot.reply({ type: 'text', text: `echo ${event.preview}` });
};

let server: TestServer;
/** Intercepts requests between session and server; a test may replace it. */
let between: (request: Request, next: () => Promise<Response>) => Promise<Response>;
let requests: string[];
let controllers: AbortController[];

beforeEach(async () => {
  server = await startTestServer({ handler: echo });
  between = (_, next) => next();
  requests = [];
  controllers = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.replace('http://localhost', '');
    requests.push(`${init.method} ${path.replace(base, '')}`);
    return between(new Request(url, init), () => server.fetch(path, init));
  });
});
afterEach(async () => {
  for (const controller of controllers) controller.abort();
  vi.unstubAllGlobals();
  await server.close();
});

interface PageView {
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
function openPage(stored: StoredSession = {}, options: Partial<Widget> = {}): PageView {
  const controller = new AbortController();
  controllers.push(controller);
  const events: PageView['events'] = [];
  let unread = 0;
  const widget = {
    signal: controller.signal,
    chatUrl,
    storage: {
      read: () => stored,
      write: (fields: object) => void Object.assign(stored, fields),
    },
    configuration: resolveConfiguration(),
    webchat: undefined,
    user: {},
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
const plain: typeof between = async (request, next) => {
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

/** Sends a message as the same visitor from another client. */
const elsewhere = ({ stored }: PageView, text: string) =>
  new ChatClient({ chatUrl, userKey: stored.userKey, fetch: server.fetch as never }).createMessage({
    conversationId: stored.conversationId ?? '',
    payload: { type: 'text', text },
  });

/** The texts on the server, oldest first. */
const serverTexts = async ({ stored: { userKey, conversationId = '' } }: PageView) => {
  const client = new ChatClient({ chatUrl, userKey, fetch: server.fetch as never });
  return (await client.list.messages({ conversationId }).collect())
    .reverse()
    .map(({ payload }) => preview(payload));
};

/** Cuts every stream, as a proxy that restarts does. */
const cutStreams = () => {
  for (const cut of cuts.splice(0)) cut();
};
const cuts: (() => void)[] = [];
const cuttable =
  (internals: typeof between): typeof between =>
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

const isPost = (request: Request) => request.url.endsWith('/messages') && request.method === 'POST';
/** The statuses of the visitor's messages. */
const statuses = ({ store }: PageView) =>
  store.state.rows.filter(({ side }) => side === 'visitor').map(({ status }) => status);
/** The codes of the `error` events. */
const codes = ({ events }: PageView) =>
  events.filter(([type]) => type === 'error').map(([, error]) => (error as { code: string }).code);

/** Waits until the session's idle work has started. */
const idle = () => new Promise((resolve) => setTimeout(resolve));
const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 5 });

describe.each([
  ['the full server', (internals: typeof between) => internals],
  ['a plain Chat API server', (_: typeof between) => plain],
])('%s', (_, wrap) => {
  beforeEach(() => {
    between = cuttable(wrap(between));
  });

  test('a new visitor: events are conversation, started, then the message of the bot', async () => {
    const first = openPage();
    await first.session.start();
    await settled(() => expect(first.texts()).toEqual(['Welcome']));
    expect(first.events.map(([type]) => type)).toEqual(['conversation', 'started', 'message']);
    expect(first.events[0]?.[1]).toBe(first.stored.conversationId);
    await first.session.start();
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(1);
  });

  test('a returning visitor resumes: no new conversation, no events for history, unread messages are counted', async () => {
    const first = openPage();
    await first.session.start();
    await settled(() => expect(first.texts().filter(Boolean)).toEqual(['Welcome']));
    await first.session.send({ type: 'text', text: 'hello' });
    await settled(() => expect(first.texts()).toEqual(['Welcome', 'hello', 'echo hello']));
    first.end();
    await elsewhere(first, 'later');
    await settled(async () => expect(await serverTexts(first)).toHaveLength(5));
    const again = openPage({ ...first.stored }, { isOpen: false });
    await again.session.start();
    await settled(() =>
      expect(again.texts()).toEqual(['Welcome', 'hello', 'echo hello', 'later', 'echo later']),
    );
    expect(again.events.map(([type]) => type)).toEqual(['started']);
    expect(again.unread()).toBe(1);
  });

  test('after a cut, missed messages are shown once and in order, and are reported in order', async () => {
    const here = openPage();
    await here.session.start();
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    between = (
      (was) => (request, next) =>
        request.url.endsWith('/listen') ? Promise.reject(new TypeError('down')) : was(request, next)
    )(between);
    const listens = requests.filter((line) => line.endsWith('/listen')).length;
    cutStreams();
    for (const text of ['a', 'b', 'c']) await elsewhere(here, text);
    await settled(() =>
      expect(requests.filter((line) => line.endsWith('/listen')).length).toBeGreaterThan(listens),
    );
    between = cuttable(wrap((_request, next) => next()));
    dispatchEvent(new Event('online'));
    const all = ['Welcome', 'a', 'b', 'c', 'echo a', 'echo b', 'echo c'];
    await settled(() => expect(here.texts().toSorted()).toEqual(all.toSorted()));
    expect(here.notified()).toEqual(here.texts());
    expect(here.store.state.connection).toBe('online');
  });

  test('each older page of a long conversation is loaded once', async () => {
    const here = openPage();
    await here.session.start();
    for (let i = 0; i < 70; i++) await elsewhere(here, `${i}`);
    await settled(() => expect(here.store.state.rows).toHaveLength(141));
    here.end();
    const again = openPage({ ...here.stored });
    await again.session.start();
    expect(again.store.state.history).toBe('more');
    const before = again.texts().length;
    await Promise.all([again.session.loadOlder(), again.session.loadOlder()]);
    expect(again.texts().length).toBe(before * 2);
    while (again.store.state.history === 'more') await again.session.loadOlder();
    expect(again.texts()).toEqual(here.texts());
    expect(again.store.state.history).toBe('complete');
  });

  test('a widget that is destroyed at any moment of the start reports no error and sends nothing more', async () => {
    for (let step = 1; step <= 5; step++) {
      const here = openPage();
      let count = 0;
      const was = between;
      between = async (request, next) => {
        if (++count === step) here.end();
        return was(request, next);
      };
      await here.session.start().catch(() => {});
      const sent = requests.length;
      await new Promise((resolve) => setTimeout(resolve));
      between = was;
      expect(here.events.filter(([type]) => type === 'error')).toEqual([]);
      expect(requests.length).toBe(sent);
    }
  });
});

describe('sending', () => {
  test('messages are sent in the order written, also while the first is slow', async () => {
    const here = openPage();
    await here.session.start();
    let slow = true;
    between = async (request, next) => {
      if (request.url.endsWith('/messages') && request.method === 'POST' && slow) {
        slow = false;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return next();
    };
    await Promise.all(['1', '2', '3'].map((text) => here.session.send({ type: 'text', text })));
    expect(here.texts().filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3']);
    expect(here.notified().filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3']);
  });

  test('a message that is sent before the start has completed waits for it', async () => {
    const here = openPage();
    const sent = here.session.send({ type: 'text', text: 'early' });
    expect(here.store.state.rows[0]?.status).toBe('sending');
    await sent;
    expect(here.store.state.rows.find(({ payload }) => preview(payload) === 'early')?.status).toBe('sent');
  });

  test('a request whose response is lost is repeated with its idempotency key and stored once', async () => {
    const here = openPage();
    await here.session.start();
    await settled(() => expect(requests).toContain('GET /webchat'));
    let lost = false;
    between = async (request, next) => {
      const response = await next();
      if (!request.url.endsWith('/messages') || request.method !== 'POST' || lost) return response;
      lost = true;
      throw new TypeError('connection reset');
    };
    await here.session.send({ type: 'text', text: 'once' });
    expect(lost).toBe(true);
    await settled(() => expect(here.texts()).toContain('echo once'));
    expect(here.texts().filter((text) => text === 'once')).toHaveLength(1);
    expect(here.notified().filter((text) => text === 'once')).toHaveLength(1);
  });

  test('on a plain server a request whose response is lost is not repeated; the signal of the message confirms it', async () => {
    between = plain;
    const here = openPage();
    await here.session.start();
    between = async (request, next) => {
      const response = await plain(request, next);
      if (request.url.endsWith('/messages') && request.method === 'POST')
        throw new TypeError('connection reset');
      return response;
    };
    await here.session.send({ type: 'text', text: 'once' }).catch(() => {});
    await settled(() =>
      expect(here.store.state.rows.find(({ payload }) => preview(payload) === 'once')?.status).toBe('sent'),
    );
    expect(requests.filter((line) => line === 'POST /messages')).toHaveLength(1);
  });

  test('messages that cannot be sent are queued, and are sent in order when the network is back', async () => {
    const here = openPage();
    await here.session.start();
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    const was = between;
    between = async (request, next) => {
      if (isPost(request)) throw new TypeError('offline');
      return next();
    };
    const sent = ['1', '2', '3'].map((text) => here.session.ask('sendMessage', text));
    await settled(() => expect(statuses(here)).toEqual(['queued', 'queued', 'queued']));
    expect(here.stored.unsent?.map(({ payload }) => preview(payload))).toEqual(['1', '2', '3']);
    // Reported once, and not for every attempt.
    dispatchEvent(new Event('online'));
    await settled(() =>
      expect(requests.filter((line) => line === 'POST /messages').length).toBeGreaterThan(1),
    );
    expect(codes(here)).toEqual(['network']);
    between = was;
    dispatchEvent(new Event('online'));
    await Promise.all(sent);
    expect((await serverTexts(here)).filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3']);
    expect(here.stored.unsent).toBeUndefined();
    await settled(() => expect(here.notified().filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3']));
  });

  test.each([
    ['the full server', (_: Request, next: () => Promise<Response>) => next()],
    ['a plain server', plain],
  ] as [string, typeof between][])(
    'unsent messages are sent once after a reload, whether they had arrived or not: %s',
    async (_, wrap) => {
      between = wrap;
      const here = openPage();
      await here.session.start();
      await settled(() => expect(here.texts()).toEqual(['Welcome']));
      let count = 0;
      between = async (request, next) => {
        if (!isPost(request)) return wrap(request, next);
        // The first arrives and its response does not; the second never arrives.
        if (count++ === 0) await wrap(request, next);
        throw new TypeError('connection reset');
      };
      void here.session.send({ type: 'text', text: 'arrived' }).catch(() => {});
      void here.session.send({ type: 'text', text: 'did not' }).catch(() => {});
      await settled(() => expect(count).toBeGreaterThan(0));
      here.end();
      between = wrap;
      const again = openPage({ ...here.stored });
      await again.session.start();
      await settled(async () => expect(await serverTexts(again)).toContain('did not'));
      await settled(() => expect(again.stored.unsent).toBeUndefined());
      const mine = ['arrived', 'did not'];
      expect((await serverTexts(again)).filter((text) => mine.includes(text))).toEqual(mine);
      await settled(() => expect(again.texts().filter((text) => mine.includes(text))).toEqual(mine));
      expect(statuses(again)).toEqual(['sent', 'sent']);
    },
  );

  test('a plain server is searched for a message that may be stored, also behind many later ones', async () => {
    between = cuttable(plain);
    const here = openPage();
    await here.session.start();
    let isLost = false;
    between = async (request, next) => {
      if (request.url.endsWith('/listen')) throw new TypeError('down');
      if (!isPost(request)) return plain(request, next);
      if (!isLost) await plain(request, next);
      isLost = true;
      throw new TypeError('connection reset');
    };
    cutStreams();
    void here.session.send({ type: 'text', text: 'once' }).catch(() => {});
    await settled(async () => expect(await serverTexts(here)).toContain('once'));
    here.end();
    expect(here.stored.unsent).toHaveLength(1);
    between = plain;
    for (let i = 0; i < 60; i++) await elsewhere(here, `${i}`);
    const again = openPage({ ...here.stored });
    await again.session.start();
    await settled(() => expect(again.stored.unsent).toBeUndefined());
    expect((await serverTexts(again)).filter((text) => text === 'once')).toHaveLength(1);
    expect(again.texts().filter((text) => text === 'once')).toHaveLength(1);
  });

  test('a queued message can be discarded, also the first one, and the next is then sent', async () => {
    const here = openPage();
    await here.session.start();
    const was = between;
    between = async (request, next) => (isPost(request) ? Response.json({}, { status: 503 }) : next());
    const first = here.session.ask('sendMessage', 'first').catch((error) => error.code);
    const second = here.session.ask('sendMessage', 'second');
    await settled(() => expect(statuses(here)).toEqual(['queued', 'queued']));
    between = was;
    const key = here.store.state.rows.find(({ payload }) => preview(payload) === 'first')?.key ?? '';
    here.session.discard(key);
    expect(await first).toBe('discarded');
    await second;
    expect(await serverTexts(here)).not.toContain('first');
    expect(here.stored.unsent).toBeUndefined();
    expect(codes(here)).toEqual(['server']);
  });

  test('a successful response without a message does not count as sent', async () => {
    const here = openPage();
    await here.session.start();
    let isPortal = true;
    between = async (request, next) =>
      isPost(request) && isPortal ? Response.json({ message: 'Please log in' }) : next();
    const sent = here.session.ask('sendMessage', 'through the portal');
    await settled(() => expect(statuses(here)).toEqual(['queued']));
    isPortal = false;
    dispatchEvent(new Event('online'));
    await sent;
    expect((await serverTexts(here)).filter((text) => text === 'through the portal')).toHaveLength(1);
  });

  test.each([
    'text',
    7,
    [null, 7, 'x', {}, { id: 'a' }, { id: 'b', payload: null, createdAt: '2026-01-01T00:00:00Z' }],
    [{ id: 'c', payload: { type: 'text', text: 'when' }, createdAt: 'never' }],
  ])('invalid unsent messages of the record are ignored: %j', async (unsent) => {
    const here = openPage({ unsent } as never);
    await here.session.start();
    await here.session.send({ type: 'text', text: 'fine' });
    expect(statuses(here)).toEqual(['sent']);
    expect(here.stored.unsent).toBeUndefined();
  });

  test('a refused message fails and is reported; discard removes it, retry sends it', async () => {
    const here = openPage();
    await here.session.start();
    between = async (request, next) =>
      request.url.endsWith('/messages') && request.method === 'POST'
        ? Response.json({}, { status: 400 })
        : next();
    await expect(here.session.send({ type: 'text', text: 'no' })).rejects.toMatchObject({ code: 'rejected' });
    await expect(here.session.send({ type: 'text', text: 'never' })).rejects.toMatchObject({
      code: 'rejected',
    });
    const [first, second] = here.store.state.rows.filter(({ status }) => status === 'failed');
    expect(here.events.filter(([type]) => type === 'error')).toHaveLength(2);
    here.session.discard(second?.key ?? '');
    between = (_, next) => next();
    here.session.retry(first?.key ?? '');
    await settled(() => expect(here.texts()).toContain('echo no'));
    expect(here.texts()).not.toContain('never');
  });

  test('a quota error (403) fails only the message: the conversation stays, and retry sends it', async () => {
    const here = openPage();
    await here.session.start();
    const { conversationId } = here.stored;
    const rejectionOf = {
      id: 'err',
      code: 403,
      type: 'QuotaExceeded',
      message: 'This chat has reached its quota.',
    };
    between = async (request, next) =>
      request.url.endsWith('/messages') && request.method === 'POST'
        ? Response.json(rejectionOf, { status: 403 })
        : next();
    const before = requests.length;
    await expect(here.session.send({ type: 'text', text: 'kept' })).rejects.toMatchObject({
      code: 'rejected',
      message: rejectionOf.message,
    });
    expect(requests.slice(before)).toEqual(['POST /messages']);
    const [row] = here.store.state.rows.filter(({ status }) => status === 'failed');
    expect([preview(row?.payload), here.stored.conversationId]).toEqual(['kept', conversationId]);
    expect(here.store.state).toMatchObject({ connection: 'online', isRenewed: false });
    between = (_, next) => next();
    here.session.retry(row?.key ?? '');
    await settled(() => expect(here.texts()).toContain('echo kept'));
    expect(here.stored.conversationId).toBe(conversationId);
  });

  test.each([429, 507])(
    'a message that is refused with %d waits for Retry-After, and is then sent',
    async (status) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const here = openPage();
        await vi.waitFor(() => here.session.start());
        let refusals = 0;
        between = async (request, next) => {
          if (!request.url.endsWith('/messages') || request.method !== 'POST' || refusals > 0) return next();
          refusals += 1;
          return Response.json({}, { status, headers: { 'retry-after': '1800' } });
        };
        const sending = here.session.send({ type: 'text', text: 'late' });
        await vi.advanceTimersByTimeAsync(1_799_000);
        expect(statuses(here)).toContain('queued');
        const posts = () => requests.filter((line) => line === 'POST /messages').length;
        expect(posts()).toBe(1);
        await vi.advanceTimersByTimeAsync(2_000);
        await sending;
        expect(posts()).toBe(2);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('a restart while a message is under way leaves it in the old conversation', async () => {
    const here = openPage();
    await here.session.start();
    const old = here.stored.conversationId;
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    between = async (request, next) => {
      const response = await next();
      if (request.url.endsWith('/messages') && request.method === 'POST') await gate;
      return response;
    };
    const sending = here.session.send({ type: 'text', text: 'to the old one' }).catch((error) => error.code);
    await settled(() => expect(requests).toContain('POST /messages'));
    await here.session.ask('restartConversation');
    release();
    await sending;
    expect(here.stored.conversationId).not.toBe(old);
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.events.filter(([type]) => type === 'error')).toEqual([]);
    between = (_, next) => next();
    await here.session.send({ type: 'text', text: 'to the new one' });
    await settled(() => expect(here.texts()).toEqual(['Welcome', 'to the new one', 'echo to the new one']));
  });
});

describe('identity', () => {
  test('a user creation whose response was lost, repeated too late to return the key, creates another user and loses no message', async () => {
    let now = Date.now();
    await server.close();
    server = await startTestServer({ handler: echo, now: () => now });
    const creationIds: (string | null)[] = [];
    const statuses: number[] = [];
    between = async (request, next) => {
      if (!request.url.endsWith('/users')) return next();
      creationIds.push(request.headers.get('idempotency-key'));
      const response = await next();
      statuses.push(response.status);
      if (creationIds.length > 1) return response;
      now += 120_000;
      throw new TypeError('the answer is lost');
    };
    const here = openPage();
    const started = here.session.start();
    const sent = here.session.send({ type: 'text', text: 'written before' });
    await started;
    await sent;
    await settled(() => expect(here.texts()).toContain('echo written before'));
    expect(statuses).toEqual([201, 409, 201]);
    expect(creationIds[1]).toBe(creationIds[0]);
    expect(creationIds[2]).not.toBe(creationIds[0]);
    expect((await serverTexts(here)).filter((text) => text === 'written before')).toHaveLength(1);
    // The lost response is reported, the 409 is not.
    expect(codes(here)).toEqual(['network']);
  });

  test('a server that refuses every creation with 409 is tried twice', async () => {
    between = async (request, next) =>
      request.url.endsWith('/users') ? Response.json({ message: 'no' }, { status: 409 }) : next();
    const here = openPage();
    await expect(here.session.start()).rejects.toMatchObject({ code: 'rejected' });
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(2);
  });

  test('fields that are set before the user exists are sent with its creation', async () => {
    const here = openPage({}, { user: { name: 'Ada', data: { plan: 'team' } } });
    await here.session.ask('updateUser', { pictureUrl: 'https://example.org/a.png' });
    expect(requests.filter((line) => line.includes('/conversations'))).toEqual([]);
    expect(await here.session.ask('getUser')).toMatchObject({
      name: 'Ada',
      pictureUrl: 'https://example.org/a.png',
      data: { plan: 'team' },
    });
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(1);
    expect(requests.filter((line) => line === 'PUT /users/me')).toEqual([]);
  });

  test.each([
    { name: 7 },
    { userKey: 'schlüssel' },
    { userKey: 'a b' },
    { data: 'text' },
    { data: { a: 'x'.repeat(1000) } },
    { name: 'x'.repeat(201) },
    { pictureUrl: `https://${'x'.repeat(40_000)}` },
  ])('invalid fields are refused, and nothing is sent (%#)', async (fields) => {
    const here = openPage();
    await expect(here.session.ask('updateUser', fields as object)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(requests).toEqual([]);
  });

  test.each([{ name: 7 as never }, { name: 'x'.repeat(201) }])(
    'an invalid user in init is reported, and the chat starts without it',
    async (user) => {
      const here = openPage({}, { user });
      await here.session.start();
      expect(here.events.map(([type]) => type)).toEqual(['error', 'conversation', 'started']);
    },
  );

  test('a switch of the user while a message is under way never shows one user the messages of the other', async () => {
    const other = await server.user({ name: 'Other' });
    const here = openPage();
    await here.session.start();
    await here.session.send({ type: 'text', text: 'private' });
    const sending = here.session.send({ type: 'text', text: 'late' }).catch(() => {});
    await here.session.ask('updateUser', { userKey: other.key });
    await sending;
    await settled(() => expect(here.texts()).toContain('Welcome'));
    expect(here.texts().join()).not.toContain('private');
    expect(here.stored.userKey).toBe(other.key);
    expect(await here.session.ask('getUser')).toMatchObject({ name: 'Other', id: other.id });
  });

  test('a stored session of a deleted user or conversation is replaced automatically', async () => {
    const here = openPage();
    await here.session.start();
    const { stored } = here;
    here.end();
    const client = new ChatClient({ chatUrl, userKey: stored.userKey, fetch: server.fetch as never });
    await client.deleteConversation({ id: stored.conversationId ?? '' });
    const second = openPage({ ...stored });
    await second.session.start();
    await settled(() => expect(second.texts()).toEqual(['Welcome']));
    expect(second.stored.conversationId).not.toBe(stored.conversationId);
    const third = openPage({ ...second.stored });
    await new ChatClient({
      chatUrl,
      userKey: second.stored.userKey,
      fetch: server.fetch as never,
    }).deleteUser({});
    await third.session.start();
    await settled(() => expect(third.texts()).toEqual(['Welcome']));
    expect(third.stored.userKey).not.toBe(second.stored.userKey);
  });

  test('an identified user resumes the conversation on this device and on another', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key } });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'from my desk' });
    here.end();
    const phone = openPage({}, { user: { userKey: ada.key } });
    await phone.session.start();
    expect(phone.stored.conversationId).toBe(here.stored.conversationId);
    expect(phone.texts()).toContain('from my desk');
    // With expiring keys, every page view has another key for the same user.
    const renewed = await signUserKey({ id: ada.id, secret, expiresInSeconds: 900 });
    phone.end();
    const later = openPage({ ...phone.stored }, { user: { userKey: renewed } });
    await later.session.start();
    expect(later.stored).toMatchObject({ conversationId: here.stored.conversationId, userKey: renewed });
  });

  test('a new key for the same user while the chat is open changes the key and nothing else', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key } });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'before' });
    const { conversationId } = here.stored;
    const renewed = await signUserKey({ id: ada.id, secret, expiresInSeconds: 900 });
    await here.session.ask('identify', renewed);
    expect(here.stored).toMatchObject({ conversationId, userKey: renewed });
    await here.session.send({ type: 'text', text: 'after' });
    expect(here.texts()).toEqual(expect.arrayContaining(['before', 'after']));
    expect(here.events.filter(([type]) => type === 'conversation')).toHaveLength(1);
  });

  test('an anonymous visitor does not see the record of an identified user, who gets it back', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key } });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'private' });
    here.session.saveDraft('half a sentence');
    between = async (request, next) => {
      if (isPost(request)) throw new TypeError('offline');
      return next();
    };
    void here.session.send({ type: 'text', text: 'unsent' }).catch(() => {});
    await settled(() => expect(statuses(here)).toEqual(['sent', 'queued']));
    here.end();
    between = (_, next) => next();
    const stored = { ...here.stored };
    // The same browser, and the page does not identify a user.
    const anonymous = openPage(stored);
    expect(anonymous.stored.draft).toBeUndefined();
    await anonymous.session.start();
    await settled(() => expect(anonymous.texts()).toEqual(['Welcome']));
    expect(await anonymous.session.ask('getUser')).not.toMatchObject({ id: ada.id });
    await anonymous.session.send({ type: 'text', text: 'by another user' });
    anonymous.end();
    const again = openPage(stored, { user: { userKey: ada.key } });
    await again.session.start();
    await settled(async () => expect(await serverTexts(again)).toContain('unsent'));
    expect(await serverTexts(again)).not.toContain('by another user');
    expect(again.stored).toMatchObject({
      draft: 'half a sentence',
      conversationId: here.stored.conversationId,
      userId: ada.id,
    });
    expect(JSON.stringify(again.stored.named ?? {})).not.toContain('named');
  });

  test('an invalid user key in init does not resume the session of the identified user', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key } });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'private' });
    here.end();
    const anonymous = openPage({ ...here.stored }, { user: { userKey: 'not a key', name: 'x' } });
    await anonymous.session.start();
    expect(anonymous.texts()).not.toContain('private');
    expect(anonymous.stored.userId).not.toBe(ada.id);
  });

  test.each([true, false])(
    'logout clears the record and closes the window; the next visitor gets a new user (identified: %s)',
    async (isNamed) => {
      const ada = await server.user({ name: 'Ada' });
      let closed = 0;
      const here = openPage(
        {},
        { ...(isNamed && { user: { userKey: ada.key } }), close: () => void closed++ },
      );
      await here.session.start();
      await here.session.send({ type: 'text', text: 'private' });
      here.session.saveDraft('half');
      const { conversationId } = here.stored;
      await here.session.ask('logout');
      expect(JSON.parse(JSON.stringify(here.stored))).toEqual({});
      expect([here.texts(), closed]).toEqual([[], 1]);
      await here.session.start();
      await settled(() => expect(here.texts()).toEqual(['Welcome']));
      expect(here.stored.conversationId).not.toBe(conversationId);
      expect((await here.session.ask('getUser')).id).not.toBe(ada.id);
      expect(codes(here)).toEqual([]);
    },
  );

  test('a slow response to identify does not undo a logout', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { close: () => {} });
    await here.session.start();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    between = async (request, next) => {
      const response = await next();
      if (request.url.endsWith('/get-or-create')) await gate;
      return response;
    };
    const identified = here.session.ask('identify', ada.key).catch((error) => error.code);
    await settled(() => expect(requests).toContain('POST /users/get-or-create'));
    await here.session.ask('logout');
    release();
    expect(await identified).toBe('destroyed');
    expect(JSON.parse(JSON.stringify(here.stored))).toEqual({});
    expect(codes(here)).toEqual([]);
  });

  test('a message typed by an anonymous visitor is not sent as the user whom another tab has identified', async () => {
    const bob = await server.user({ name: 'Bob' });
    const conversation = await server.conversation(bob.key);
    const here = openPage({}, { close: () => {} });
    between = async (request, next) =>
      request.url.endsWith('/conversations') ? Response.json({}, { status: 503 }) : next();
    const sent = here.session.ask('sendMessage', 'secret').catch((error) => error.code);
    await settled(() => expect(requests).toContain('POST /conversations'));
    const before = JSON.stringify(here.stored);
    for (const field of Object.keys(here.stored)) delete here.stored[field as keyof StoredSession];
    Object.assign(here.stored, {
      userKey: bob.key,
      userId: bob.id,
      isNamed: true,
      conversationId: conversation,
    });
    const key = `platform-webchat:${chatUrl}`;
    const newValue = JSON.stringify(here.stored);
    dispatchEvent(Object.assign(new Event('storage'), { key, oldValue: before, newValue }));
    between = (_, next) => next();
    dispatchEvent(new Event('online'));
    expect(await sent).toBe('destroyed');
    await settled(() => expect(here.store.state.connection).toBe('online'));
    expect(await serverTexts(here)).not.toContain('secret');
    expect(here.texts()).not.toContain('secret');
  });

  test('an old key is renewed while the stream stays open; the key of an identified user is not', async () => {
    const { id } = await server.user();
    const old = server.sign(id);
    const here = openPage({ userKey: old, userId: id });
    await here.session.start();
    await settled(() => expect(here.stored.userKey).not.toBe(old));
    expect(here.session.context.client.userKey).toBe(here.stored.userKey);
    await here.session.send({ type: 'text', text: 'one' });
    await settled(() => expect(here.texts()).toContain('echo one'));
    expect(requests.filter((line) => line.endsWith('/listen'))).toHaveLength(1);
    // Deleting the old key ends its streams; the stream of the new key resumes.
    await server.call('DELETE', '/users/me/key', { key: old });
    await elsewhere(here, 'two');
    await settled(() => expect(here.texts()).toContain('echo two'));
    expect(codes(here)).toEqual([]);

    const named = openPage({}, { user: { userKey: server.sign('customer-7') } });
    await named.session.start();
    await idle();
    await named.session.send({ type: 'text', text: 'three' });
    await settled(() => expect(named.texts()).toContain('echo three'));
    expect(requests.filter((line) => line === 'POST /users/me/key')).toHaveLength(1);
  });

  test('a logout, a restart and a switch of the user in another tab are followed', async () => {
    const ada = await server.user({ name: 'Ada' });
    let closed = 0;
    const here = openPage({}, { close: () => void closed++ });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'old' });
    await idle();
    const changeInOtherTab = (now: StoredSession) => {
      const before = JSON.stringify(here.stored);
      for (const field of Object.keys(here.stored)) delete here.stored[field as keyof StoredSession];
      Object.assign(here.stored, now);
      const key = `platform-webchat:${chatUrl}`;
      const text = JSON.stringify(now);
      dispatchEvent(Object.assign(new Event('storage'), { key, oldValue: before, newValue: text }));
    };
    const other = openPage({ ...here.stored });
    await other.session.ask('restartConversation');
    changeInOtherTab(other.stored);
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.stored.conversationId).toBe(other.stored.conversationId);
    await other.session.ask('identify', ada.key);
    changeInOtherTab(other.stored);
    await settled(async () => expect((await here.session.ask('getUser')).id).toBe(ada.id));
    // Invalid values, and a storage that the page has cleared, are ignored.
    const { stored } = here;
    for (const newValue of ['nonsense', '7', 'null', null]) {
      const key = `platform-webchat:${chatUrl}`;
      dispatchEvent(Object.assign(new Event('storage'), { key, oldValue: '{}', newValue }));
    }
    expect(here.stored).toBe(stored);
    expect(closed).toBe(0);
    changeInOtherTab({});
    await settled(() => expect([here.texts(), closed]).toEqual([[], 1]));
  });

  test('a conversation deleted while it is open is replaced', async () => {
    const here = openPage();
    await here.session.start();
    const { conversationId = '' } = here.stored;
    await new ChatClient({
      chatUrl,
      userKey: here.stored.userKey,
      fetch: server.fetch as never,
    }).deleteConversation({ id: conversationId });
    dispatchEvent(new Event('online'));
    await settled(() => expect(here.stored.conversationId).not.toBe(conversationId));
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
  });
});

test('askAgain sends the visitor’s last message before that row again', async () => {
  const here = openPage();
  await here.session.start();
  await here.session.send({ type: 'text', text: 'one' });
  await settled(() => expect(here.texts()).toContain('echo one'));
  const answer = here.store.state.rows.at(-1);
  here.session.askAgain(answer?.key ?? '');
  await settled(() => expect(here.texts().filter((text) => text === 'one')).toHaveLength(2));
  here.session.askAgain('no such row');
  await settled(() => expect(here.texts().filter((text) => text === 'echo one')).toHaveLength(2));
});

test('the messages of another participant carry their name and picture', async () => {
  const here = openPage();
  await here.session.start();
  await idle();
  const ada = await server.user({ name: 'Ada', pictureUrl: 'https://a.test/ada.png' });
  const { userKey, conversationId = '' } = here.stored;
  const mine = new ChatClient({ chatUrl, userKey, fetch: server.fetch as never });
  await mine.addParticipant({ conversationId, userId: ada.id });
  const hers = new ChatClient({ chatUrl, userKey: ada.key, fetch: server.fetch as never });
  await hers.acceptInvitation({ conversationId });
  await hers.createMessage({ conversationId, payload: { type: 'text', text: 'Hello from Ada' } });
  await settled(() =>
    expect(here.store.participant(ada.id)).toEqual({
      name: 'Ada',
      pictureUrl: 'https://a.test/ada.png',
    }),
  );
  expect(here.store.participant(here.stored.userId)).toBeUndefined();
});

describe('one scope at a time', () => {
  const listening = () => requests.filter((line) => line.endsWith('/listen')).length;
  const errors = ({ events }: PageView) =>
    events.filter(([type]) => type === 'error').map(([, error]) => (error as { code: string }).code);

  test('a conversation that is deleted while open is replaced once, with its unsent messages', async () => {
    const here = openPage();
    await here.session.start();
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    between = async (request, next) =>
      request.url.endsWith('/messages') && request.method === 'POST'
        ? Response.json({}, { status: 400 })
        : next();
    await here.session.send({ type: 'text', text: 'unsent' }).catch(() => {});
    between = (_, next) => next();
    const { conversationId = '', userId } = here.stored;
    const client = new ChatClient({ chatUrl, userKey: here.stored.userKey, fetch: server.fetch as never });
    const before = requests.length;
    await client.deleteConversation({ id: conversationId });
    dispatchEvent(new Event('online'));
    await settled(() => expect(here.stored.conversationId).not.toBe(conversationId));
    await settled(() => expect(here.texts()).toEqual(['Welcome', 'unsent']));
    expect(here.stored.userId).toBe(userId);
    expect(requests.slice(before).filter((line) => line === 'POST /conversations')).toHaveLength(1);
    expect(requests.slice(before).filter((line) => line === 'POST /users')).toEqual([]);
    expect(errors(here)).toEqual(['rejected', 'forbidden']);
    expect(here.store.state.isRenewed).toBe(true);
    expect(here.store.state.rows.find(({ payload }) => preview(payload) === 'unsent')?.status).toBe('failed');
  });

  test('two restarts at once create one conversation', async () => {
    const here = openPage();
    await here.session.start();
    await Promise.all([here.session.ask('restartConversation'), here.session.ask('restartConversation')]);
    expect(here.events.filter(([type]) => type === 'conversation')).toHaveLength(2);
    expect(listening()).toBe(2);
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
  });

  test('a widget that is destroyed by a handler of `conversation` opens no stream', async () => {
    const here = openPage({}, { emit: (type) => type === 'conversation' && controllers.at(-1)?.abort() });
    await here.session.start().catch(() => {});
    expect(listening()).toBe(0);
  });

  test('a switch of the user while the first conversation is being created takes precedence', async () => {
    const other = await server.user({ name: 'Other' });
    const here = openPage();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let first = true;
    between = async (request, next) => {
      const response = await next();
      if (!request.url.endsWith('/conversations') || !first) return response;
      first = false;
      await gate;
      return response;
    };
    const started = here.session.start().catch((error) => error.code);
    await settled(() => expect(requests).toContain('POST /conversations'));
    await here.session.ask('updateUser', { userKey: other.key });
    release();
    expect(await started).toBe('destroyed');
    expect(await here.session.ask('getUser')).toMatchObject({ id: other.id });
    expect(here.stored).toMatchObject({ userKey: other.key, userId: other.id });
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    expect(errors(here)).toEqual([]);
  });

  test('messages that one user queued are never sent as another', async () => {
    const other = await server.user();
    const here = openPage();
    await here.session.start();
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    between = async (request, next) => {
      if (request.url.endsWith('/messages') && request.method === 'POST') await gate;
      return next();
    };
    const sends = ['one', 'two'].map((text) =>
      here.session.send({ type: 'text', text }).catch((error) => error.code),
    );
    await settled(() => expect(requests).toContain('POST /messages'));
    await here.session.ask('updateUser', { userKey: other.key });
    release();
    expect(await Promise.all(sends)).toEqual(['destroyed', 'destroyed']);
    await settled(async () => expect(await serverTexts(here)).toEqual(['Welcome']));
  });

  test('a user key that the server refuses changes nothing: the session continues', async () => {
    const here = openPage();
    await here.session.start();
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    const stored = { ...here.stored };
    await expect(here.session.ask('updateUser', { userKey: 'expired' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(here.stored).toEqual(stored);
    await here.session.send({ type: 'text', text: 'still me' });
    expect(await serverTexts(here)).toContain('still me');
    expect(errors(here)).toEqual(['unauthorized']);
  });

  test('an identified user never becomes anonymous', async () => {
    const named = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: named.key } });
    await here.session.start();
    const { stored } = here;
    here.end();
    await new ChatClient({ chatUrl, userKey: named.key, fetch: server.fetch as never }).deleteConversation({
      id: stored.conversationId ?? '',
    });
    const again = openPage({ ...stored }, { user: { userKey: named.key } });
    await again.session.start();
    expect(await again.session.ask('getUser')).toMatchObject({ id: named.id, name: 'Ada' });
    expect(requests.filter((line) => line === 'POST /users')).toEqual([]);
    const refused = openPage({}, { user: { userKey: 'garbage' } });
    await expect(refused.session.start()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(refused.store.state.connection).toBe('refused');
    expect(requests.filter((line) => line === 'POST /users')).toEqual([]);
  });

  test('a refused user field does not block later valid ones', async () => {
    const here = openPage();
    await here.session.start();
    between = async (request, next) =>
      request.method === 'PUT' && (await request.clone().text()).includes('bad')
        ? Response.json({}, { status: 400 })
        : next();
    await expect(here.session.ask('updateUser', { name: 'bad' })).rejects.toMatchObject({ code: 'rejected' });
    await here.session.ask('updateUser', { pictureUrl: 'https://example.org/a.png' });
    expect(await here.session.ask('getUser')).toMatchObject({ pictureUrl: 'https://example.org/a.png' });
  });

  test('getUser during the start creates one user, not two', async () => {
    const here = openPage();
    await Promise.all([here.session.start(), here.session.ask('getUser'), here.session.ask('getUser')]);
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(1);
  });

  test('unread messages of a previous conversation do not count', async () => {
    const here = openPage({}, { isOpen: false });
    await here.session.start();
    await settled(() => expect(here.unread()).toBe(1));
    await here.session.ask('restartConversation');
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.unread()).toBe(1);
  });

  test('two tabs that start together use one user', async () => {
    const stored: StoredSession = {};
    const [one, two] = [openPage(stored), openPage(stored)];
    await Promise.all([one.session.start(), two.session.start()]);
    expect((await one.session.ask('getUser')).id).toBe((await two.session.ask('getUser')).id);
    expect([errors(one), errors(two)]).toEqual([[], []]);
  });

  test('a stream that cannot be opened is reported once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const here = openPage();
      between = async (request, next) => {
        if (request.url.endsWith('/listen')) throw new TypeError('blocked');
        return next();
      };
      void here.session.start().catch(() => {});
      for (let i = 0; i < 40; i++) await vi.advanceTimersByTimeAsync(1_000);
      expect(here.store.state.connection).toBe('unreachable');
      expect(errors(here)).toEqual(['network']);
    } finally {
      vi.useRealTimers();
    }
  });
});

test.each([
  ['POST /users', 429],
  ['POST /conversations', 429],
  ['POST /users', 507],
])(
  'while %s is refused with %d the connection is busy, and it recovers automatically',
  async (line, status) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const here = openPage();
      let refusals = 0;
      between = async (request, next) => {
        if (`${request.method} ${request.url.replace(chatUrl, '')}` !== line || refusals > 0) return next();
        refusals += 1;
        return Response.json({}, { status, headers: { 'retry-after': '60' } });
      };
      const starting = here.session.start();
      await vi.waitFor(() => expect(here.store.state.connection).toBe('busy'));
      await vi.advanceTimersByTimeAsync(61_000);
      await starting;
      expect(here.store.state.connection).toBe('online');
      expect(requests.filter((request) => request === line)).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('invalid data on the stream is ignored', async () => {
  const here = openPage();
  between = async (request, next) => {
    const response = await next();
    if (!request.url.endsWith('/listen')) return response;
    const garbage = [
      'not json',
      '[]',
      '{"type":"message_created","data":{}}',
      '{"type":"message_created","data":{"id":"x","createdAt":"never","payload":{"type":"text"}}}',
      '{"type":"message_created","data":{"id":"y","createdAt":"2026-01-01T00:00:00Z","payload":null}}',
      '{"type":"__proto__","data":{}}',
      '{"type":"constructor","data":{}}',
      '{"type":"typing_started","data":{"timeout":"soon"}}',
      '{"type":"message_stream_delta","data":{}}',
    ].map((data) => `data: ${data}\n\n`);
    const whole = new TransformStream<Uint8Array, Uint8Array>({
      start: (out) => out.enqueue(new TextEncoder().encode(garbage.join(''))),
    });
    return new Response(response.body?.pipeThrough(whole) ?? null, response);
  };
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  await here.session.start();
  await settled(() => expect(here.texts().filter(Boolean)).toEqual(['Welcome']));
  await here.session.send({ type: 'text', text: 'fine' });
  await settled(() => expect(here.texts().filter(Boolean)).toEqual(['Welcome', 'fine', 'echo fine']));
  expect(error).not.toHaveBeenCalled();
});

describe('a server that requires a proof of work', () => {
  const created = () => requests.filter((line) => line === 'POST /users').length;
  const users = () => server.db.read((tx) => tx.all("SELECT id FROM users WHERE id LIKE 'user_%'"));
  beforeEach(async () => {
    await server.close();
    server = await startTestServer({ handler: echo, proofOfWork: 8, trustProxy: 1 });
  });

  test('the visitor can send after one challenge, and the user fields of the page are kept', async () => {
    const here = openPage({}, { user: { name: 'Ada' } });
    await here.session.start();
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    expect(await here.session.ask('getUser')).toMatchObject({ name: 'Ada' });
    await here.session.send({ type: 'text', text: 'hello' });
    await settled(() => expect(here.texts()).toEqual(['Welcome', 'hello', 'echo hello']));
    expect(created()).toBe(2);
    expect(here.events.filter(([type]) => type === 'error')).toEqual([]);
  });

  test('a lost response does not create a second user', async () => {
    const here = openPage();
    const before = (await users()).length;
    between = async (request, next) => {
      const response = await next();
      if (!request.url.endsWith('/users') || response.status !== 201) return response;
      between = (_, go) => go();
      throw new TypeError('cut');
    };
    void here.session.start();
    await settled(() => expect(created()).toBe(2));
    dispatchEvent(new Event('online'));
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    expect((await users()).length - before).toBe(1);
  });

  test('a network change during the challenge leads to a second challenge', async () => {
    const here = openPage();
    const fetch = server.fetch;
    let asked = 0;
    between = async (request, next) => {
      if (!request.url.endsWith('/users')) return next();
      asked += 1;
      const headers = new Headers(request.headers);
      headers.set('x-forwarded-for', asked === 1 ? '192.0.2.1' : '192.0.2.2');
      const { pathname } = new URL(request.url);
      return fetch(pathname, { method: 'POST', headers, body: await request.text() });
    };
    await here.session.start();
    await settled(() => expect(here.texts()).toEqual(['Welcome']));
    expect(asked).toBe(3);
  });

  test('a server that accepts no proof is reported after a limited number of attempts', async () => {
    const here = openPage();
    between = async (request, next) => {
      request.headers.delete('x-user-proof');
      return request.url.endsWith('/users')
        ? server.fetch(`${base}/users`, { method: 'POST', headers: request.headers, body: '{}' })
        : next();
    };
    await expect(here.session.start()).rejects.toMatchObject({ code: 'forbidden' });
    expect(created()).toBeLessThan(20);
  });
});
