// Runs the contract of the operations that a window needs against the mock server, and tests what only the mock has.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { chatContract } from '../../../client/chat/chat.contract.ts';
import { ApiError, ChatClient } from '../../../client/index.ts';
import { waitFor } from '../../../polling.testing.ts';
import type { VisitorLocale } from '../../../protocol/headers.ts';
import { createMockServer, type MockServer, type MockServerOptions } from './index.ts';

chatContract(
  'mock',
  async () => {
    const mock = createMockServer();
    return { chatUrl: mock.chatUrl, fetch: mock.fetch, close: async () => mock.reset() };
  },
  'window',
);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A visitor who has opened the chat and listens. */
async function open(options: MockServerOptions = {}, existing?: MockServer) {
  const mock = existing ?? createMockServer(options);
  const client = new ChatClient({ chatUrl: mock.chatUrl, fetch: mock.fetch });
  const { user, key } = await client.createUser({});
  client.userKey = key;
  const { conversation } = await client.createConversation({});
  const signals: { type: string; data: Record<string, unknown> }[] = [];
  let isOpen = false;
  const connection = client.listen(conversation.id, {
    onSignal: (signal) => signals.push(signal as never),
    onState: (state) => {
      isOpen = state === 'open';
    },
  });
  cleanups.push(() => connection.close());
  await waitFor(() => expect(isOpen).toBe(true));
  const say = (text: string) =>
    client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
  const texts = () =>
    mock.conversations
      .find(({ id }) => id === conversation.id)
      ?.messages.map(({ payload }) =>
        'text' in payload ? payload.text : 'markdown' in payload ? payload.markdown : payload.type,
      ) ?? [];
  const until = (assertion: () => unknown) => waitFor(assertion);
  return { mock, client, user, conversation, connection, signals, say, texts, until };
}

describe('the bot of the mock', () => {
  test('gets the languages and the time zone that the client sends, as a bot on the server', async () => {
    const seen: unknown[] = [];
    const mock = createMockServer({ bot: ({ type, locale }) => seen.push([type, locale]) });
    let locale: VisitorLocale | undefined = { page: 'pt-br', chat: 'pt-BR', timeZone: 'America/Sao_Paulo' };
    const client = new ChatClient({ chatUrl: mock.chatUrl, fetch: mock.fetch, locale: () => locale });
    const { key, conversation } = await client.createUser({ firstConversation: true });
    client.userKey = key;
    const say = () =>
      client.createMessage({
        conversationId: conversation?.id ?? '',
        payload: { type: 'text', text: 'Hi' },
      });
    locale = { page: '日本語\r\n', timeZone: 'UTC', chat: 'x'.repeat(100_000) };
    await say();
    locale = undefined;
    await say();
    await waitFor(() => expect(seen).toHaveLength(3));
    expect(seen).toEqual([
      ['conversation_started', { page: 'pt-BR', chat: 'pt-BR', timeZone: 'America/Sao_Paulo' }],
      ['text', { timeZone: 'UTC' }],
      ['text', undefined],
    ]);
    mock.reset();
  });

  test('replies, streams, types, sends events, and is told every event of the visitor', async () => {
    const seen: string[] = [];
    const { client, conversation, signals, say, texts, until } = await open({
      bot: async ({ type, text, typing, reply, stream, event }) => {
        seen.push(`${type} ${text}`.trim());
        if (type !== 'text') return;
        typing(true);
        await reply('one');
        await stream(['Hel', 'lo']);
        await event({ a: 1 });
      },
    });
    await say('hi');
    await client.createEvent({ conversationId: conversation.id, payload: { b: 2 } });
    await until(() => expect(seen).toEqual(['conversation_started', 'text hi', 'custom']));
    await until(() => expect(texts()).toEqual(['hi', 'one', 'Hello']));
    await until(() => expect(signals.at(-1)?.type).toBe('event_created'));
    const types = signals.map(({ type }) => type).filter((type) => type !== 'event_created');
    expect(types).toEqual([
      'message_created',
      'typing_started',
      'message_created',
      'typing_stopped',
      'message_stream_delta',
      'message_stream_delta',
      'message_created',
    ]);
    const message = signals.find(({ data }) => (data.metadata as { streamId?: string })?.streamId)?.data;
    expect(message).toMatchObject({ isBot: true, payload: { type: 'markdown', markdown: 'Hello' } });
    await client.setFeedback({ id: String(message?.id), value: 'positive' });
    await until(() => expect(seen.at(-1)).toBe('feedback'));
    expect(signals.find(({ type }) => type === 'message_updated')?.data.feedback).toEqual({
      value: 'positive',
    });
  });

  test('as a list gives its answers in order, and then none', async () => {
    const { say, texts, until } = await open({
      bot: ['first', { type: 'markdown', markdown: '**second**' }],
    });
    for (const text of ['a', 'b', 'c']) await say(text);
    await until(() => expect(texts()).toHaveLength(5));
    expect(texts().sort()).toEqual(['**second**', 'a', 'b', 'c', 'first']);
  });

  test('that is stopped by the visitor leaves what it has written', async () => {
    let go = () => {};
    const { client, conversation, signals, say, mock, until } = await open({
      async bot({ type, stream }) {
        if (type !== 'text') return;
        await stream(
          (async function* () {
            yield 'half';
            await new Promise<void>((resolve) => {
              go = resolve;
            });
            yield ' never';
          })(),
        );
      },
    });
    await say('go');
    await until(() => expect(signals.at(-1)?.type).toBe('message_stream_delta'));
    await client.stopStream({ id: conversation.id, streamId: String(signals.at(-1)?.data.streamId) });
    go();
    await until(() => expect(mock.conversations[0]?.messages).toHaveLength(2));
    expect(mock.conversations[0]?.messages[1]).toMatchObject({
      payload: { markdown: 'half' },
      metadata: { stopped: true },
    });
  });

  test('that throws is reported, and the visitor gets the usual notice', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    cleanups.push(() => error.mockRestore());
    const { say, mock, until } = await open({
      bot: ({ type }) => {
        if (type === 'text') throw new Error('mine');
      },
    });
    await say('x');
    await until(() =>
      expect(mock.conversations[0]?.messages.at(-1)?.metadata).toEqual({ error: 'bot_failed' }),
    );
    expect(String(error.mock.lastCall?.[1])).toBe('Error: mine');
  });
});

describe('the mock', () => {
  test('is deterministic: the same calls give the same ids, times and requests', async () => {
    const run = async (options?: MockServerOptions, existing?: MockServer) => {
      const { mock, say, texts, until } = await open({ bot: ['answer'], ...options }, existing);
      await say('hello');
      await until(() => expect(texts()).toEqual(['hello', 'answer']));
      return JSON.stringify([mock.conversations, mock.requests]);
    };
    const mock = createMockServer({ bot: ['answer'] });
    const first = await run({}, mock);
    mock.reset();
    expect([await run({}, mock), await run()]).toEqual([first, first]);
    expect(await run({ seed: 2 })).not.toBe(first);
  });

  test('says something without being asked, in the newest conversation or in another', async () => {
    const mock = createMockServer();
    expect(() => mock.say('x')).toThrow('open the chat first');
    const first = await open({}, mock);
    const second = await open({}, mock);
    mock.say('newest');
    mock.say({ type: 'image', imageUrl: 'https://a.test/b.png' }, { conversationId: first.conversation.id });
    await second.until(() => expect(second.signals).toHaveLength(1));
    await first.until(() => expect(first.signals).toHaveLength(1));
    expect([first.texts(), second.texts()]).toEqual([['image'], ['newest']]);
    expect(() => mock.say({ type: 'text' } as never)).toThrow('payload.text');
  });

  test('records requests with their operation and body', async () => {
    const { mock, say } = await open();
    await say('hello');
    expect(mock.requests.map(({ operation }) => operation)).toEqual([
      'createUser',
      'createConversation',
      'listenConversation',
      'createMessage',
    ]);
    expect(mock.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/messages',
      body: { payload: { type: 'text', text: 'hello' } },
    });
  });

  test('fails as often as it is told to, one operation or all', async () => {
    const { mock, client, say, texts } = await open();
    mock.fail({ operation: 'getUser', status: 403, times: 2 });
    const { user } = await client.updateUser({ name: 'Ada' });
    for (let n = 0; n < 2; n += 1)
      await expect(client.getUser({})).rejects.toMatchObject({ code: 403, constructor: ApiError });
    expect((await client.getUser({})).user).toEqual(user);
    mock.fail({ status: 400 });
    await expect(say('x')).rejects.toMatchObject({ code: 400 });
    await say('y');
    expect(texts()).toEqual(['y']);
    expect(() => mock.fail({ operation: 'nothing' as never, status: 500 })).toThrow("'nothing'");
    expect(() => mock.fail({ status: 200 })).toThrow('400 to 599');
  });

  test('offline: requests and streams fail, and the stream continues afterwards without a gap', async () => {
    const { mock, client, connection, signals, until } = await open();
    mock.offline(true);
    await expect(mock.fetch(mock.chatUrl)).rejects.toThrow(TypeError);
    await until(() => expect(connection.state).toBe('waiting'));
    mock.say('while you were away');
    mock.offline(false);
    connection.wake();
    await until(() => expect(signals).toHaveLength(1));
    expect((await client.getUser({})).user).toBeDefined();
  });

  test('install: answers addresses of the mock only, and restores fetch', async () => {
    const before = vi.fn<typeof fetch>(async () => new Response('other'));
    const real = globalThis.fetch;
    cleanups.push(() => {
      globalThis.fetch = real;
    });
    globalThis.fetch = before;
    const mock = createMockServer();
    const restore = mock.install();
    expect((await fetch(`${mock.chatUrl}/webchat`)).status).toBe(200);
    for (const address of ['https://mock.test/chat/mockingbird', 'https://other.test/chat/mock/webchat'])
      expect(await (await fetch(address)).text()).toBe('other');
    restore();
    expect(globalThis.fetch).toBe(before);
  });

  test('aborts a request that waits, and a stream', async () => {
    const mock = createMockServer({ latencyMs: 60_000 });
    const controller = new AbortController();
    const waiting = mock.fetch(`${mock.chatUrl}/webchat`, { signal: controller.signal });
    const refused = expect(waiting).rejects.toThrow('left');
    controller.abort(new Error('left'));
    await refused;
  });

  test('listens on a port, where it can be offline and closed, and reports a port in use', async () => {
    const mock = createMockServer();
    const { url, port, chatUrl, close } = await mock.listen();
    cleanups.push(close);
    expect([mock.chatUrl, url]).toEqual([chatUrl, `http://127.0.0.1:${port}`]);
    expect((await fetch(`${chatUrl}/webchat`)).headers.get('access-control-allow-origin')).toBe('*');
    expect((await fetch(`${chatUrl}/messages`, { method: 'OPTIONS' })).status).toBe(204);
    const client = new ChatClient({ chatUrl });
    const { key, conversation } = await client.createUser({ firstConversation: true });
    client.userKey = key;
    const conversationId = conversation?.id ?? '';
    const onSignal = vi.fn();
    const connection = client.listen(conversationId, { onSignal, lastEventId: '0' });
    cleanups.push(() => connection.close());
    const { message } = await client.createMessage({
      conversationId,
      payload: { type: 'text', text: 'Grüße' },
    });
    await waitFor(() => expect(onSignal.mock.calls.map(([{ data }]) => data.id)).toEqual([message.id]));
    const { file } = await client.createFile({ key: 'a.txt', size: 6 });
    expect((await fetch(file.uploadUrl, { method: 'PUT', body: 'Grüße'.slice(0, 4) })).status).toBe(204);
    expect(await (await fetch(file.url)).text()).toBe('Grüß');
    mock.offline(true);
    await expect(fetch(`${chatUrl}/webchat`)).rejects.toThrow();
    await expect(createMockServer().listen({ port })).rejects.toThrow('EADDRINUSE');
  });

  test('has the operations that a window needs, and refuses others with 501 and a sentence that says so', async () => {
    const { mock, client, conversation } = await open();
    const { key } = await client.renewKey({});
    client.userKey = key;
    expect(await client.setTyping({ id: conversation.id, typing: true })).toEqual({});
    await expect(client.listInvitations({})).rejects.toMatchObject({
      code: 501,
      message:
        'The mock server has only what a chat window needs, and not listInvitations. Test it with a server.',
    });
    mock.fail({ operation: 'listInvitations', status: 503 });
    await expect(client.listInvitations({})).rejects.toMatchObject({ code: 503 });
    expect(mock.requests.at(-1)?.operation).toBe('listInvitations');
  });

  const wrongName = '{"name":7}';
  test.each([
    ['GET', '/nothing', undefined, 404],
    ['GET', '/users/%ff', undefined, 404],
    ['GET', '/users/me', undefined, 401],
    ['POST', '/users', '{', 400],
    ['POST', '/users', '[]', 400],
    ['POST', '/users', wrongName, 400],
    ['PUT', '/uploads/none', 'x', 404],
    ['GET', '/conversations', undefined, 501],
    ['GET', '/conversations/%', undefined, 404],
  ])('%s %s is answered with an error of five fields', async (method, path, body, status) => {
    const mock = createMockServer();
    const response = await mock.fetch(mock.chatUrl + path, { method, ...(body ? { body } : {}) });
    expect([response.status, await response.json()]).toEqual([
      status,
      {
        id: expect.stringMatching(/^err_\d{14}x[\dA-F]{8}$/),
        code: status,
        type: expect.any(String),
        message: expect.any(String),
        ...(body === wrongName && { metadata: { issues: [{ path: 'name', message: expect.any(String) }] } }),
      },
    ]);
  });
});
