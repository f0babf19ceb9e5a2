// Tests of the list of a visitor's conversations, and of the search in their messages.
import { afterEach, describe, expect, test } from 'vitest';
import { useInbox } from '../inbox/testing.ts';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads response bodies without declared types.
const listOf = async (server: TestServer, key: string): Promise<any[]> =>
  (await server.call('GET', '/conversations', { key })).body.conversations as never;

describe('the list', () => {
  const start = useInbox();

  test('has what was said first and last, who answers, and how much is unread since the last mark', async () => {
    const inbox = await start();
    const { server, key, conversationId, send, chat } = inbox;
    const ada = await inbox.member('Ada');
    const empty = await server.conversation(key);
    await send('Where is  my\n order?');
    expect(await listOf(server, key)).toMatchObject([
      { id: empty, preview: '', unread: 0, state: 'bot' },
      { id: conversationId, title: 'Where is my order?', preview: 'Where is my order?', unread: 0 },
    ]);
    await ada.act('POST', '/take', {});
    const replies: string[] = [];
    for (const text of ['One', 'Two', 'Three']) {
      const { seq } = (await ada.act('GET', '/timeline')).body;
      const payload = { type: 'text', text };
      replies.push((await ada.act('POST', '/replies', { payload, seenSeq: seq })).body.message.id);
    }
    const own = async () => (await listOf(server, key))[1];
    // Until a client says what was read, nothing counts as unread.
    expect(await own()).toMatchObject({ preview: 'Three', unread: 0, state: 'assigned' });
    await chat('PUT', '/read', { messageId: replies[0] });
    expect(await own()).toMatchObject({ unread: 2 });
    // One's own messages are not unread.
    await send('Thanks');
    expect(await own()).toMatchObject({ title: 'Where is my order?', preview: 'Thanks', unread: 2 });
    await chat('PUT', '/read', { messageId: replies[2] });
    // Put aside, which visitors are not told.
    await ada.act('POST', '/snooze', {});
    expect(await own()).toMatchObject({ unread: 0, state: 'assigned' });
    const otherUser = await server.user();
    expect(await listOf(server, otherUser.key)).toEqual([]);
  });

  test('has the words of Markdown without its marks, as the list of the inbox has', async () => {
    const inbox = await start();
    const ada = await inbox.member('Ada');
    await inbox.send('Which language?');
    await ada.act('POST', '/take', {});
    const { seq } = (await ada.act('GET', '/timeline')).body;
    const markdown = '## **C#**\n\nSee [the help](https://site.test/a_b) of `snake_case`.';
    await ada.act('POST', '/replies', { payload: { type: 'markdown', markdown }, seenSeq: seq });
    const preview = 'C# See the help of snake_case.';
    expect(await listOf(inbox.server, inbox.key)).toMatchObject([{ title: 'Which language?', preview }]);
    const { conversations } = (await ada.call('GET', '/conversations?list=all')).body;
    expect(conversations).toMatchObject([{ preview }]);
  });

  test('of 120 conversations has pages, and a message of a megabyte has no preview', async () => {
    const { server, key, rows } = await start();
    for (let n = 0; n < 119; n += 1) await server.conversation(key);
    const conversationId = await server.conversation(key);
    await server.sendMessage(key, conversationId, 'x'.repeat(70_000));
    const ids: string[] = [];
    let token: string | undefined;
    do {
      const path = token ? `/conversations?nextToken=${encodeURIComponent(token)}` : '/conversations';
      const { body } = await server.call('GET', path, { key });
      ids.push(...(body.conversations as { id: string }[]).map(({ id }) => id));
      token = (body.meta as { nextToken?: string }).nextToken;
    } while (token);
    expect(new Set(ids).size).toBe(121);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const [newest] = await listOf(server, key);
    expect(newest).toMatchObject({ preview: '' });
    expect(newest.title).toBeUndefined();
    expect(await rows('reads')).toEqual([]);
  });

  test('has the marks of an anonymous visitor after they were merged into another user', async () => {
    const { server, key, conversationId, send, rows, chat, messages } = await start();
    await send('Hello');
    const [message] = await messages();
    await chat('PUT', '/read', { messageId: message?.id });
    const named = server.sign('ann');
    await server.call('POST', '/users/get-or-create', { key: named, body: {} });
    expect(
      (await server.call('POST', '/users/me/merge', { key: named, body: { userKey: key } })).status,
    ).toBe(200);
    expect((await listOf(server, named)).map(({ id }) => id)).toEqual([conversationId]);
    const [mark] = await rows('reads');
    const owner = (await rows('conversations')).find(({ id }) => id === conversationId)?.owner_id;
    expect(mark).toMatchObject({ conversation_id: conversationId, reader: owner });
  });
});

describe('the search', () => {
  let server: TestServer;
  afterEach(() => server.close());

  async function start() {
    server = await startTestServer();
    const { key } = await server.user();
    const search = async (text: string, token = '') => {
      const query = new URLSearchParams({ text, ...(token ? { nextToken: token } : {}) });
      return server.call('GET', `/messages/search?${query}`, { key });
    };
    const texts = async (text: string) =>
      ((await search(text)).body.messages as { payload: { text: string } }[]).map(
        ({ payload }) => payload.text,
      );
    return { server, key, search, texts };
  }

  test('finds texts and not the form of messages, regardless of case and of composed accents, in all own conversations', async () => {
    const { server, key, texts } = await start();
    const [first, second] = [await server.conversation(key), await server.conversation(key)];
    await server.sendMessage(key, first, 'Café in ÖSTERREICH');
    await server.sendMessage(key, second, 'The cafe\u0301 is closed 100%');
    await server.sendMessage(key, second, 'Nothing of it');
    expect(await texts('CAFÉ')).toEqual(['The cafe\u0301 is closed 100%', 'Café in ÖSTERREICH']);
    expect(await texts('österreich')).toEqual(['Café in ÖSTERREICH']);
    // No pattern, and no part of the JSON.
    for (const none of ['%', '_a_', '"type"', 'payload', '100%%'])
      expect(await texts(none)).toHaveLength(none === '%' ? 1 : 0);
  });

  test('finds each letter in any of its forms, and words of scripts without spaces', async () => {
    const { server, key, texts } = await start();
    const id = await server.conversation(key);
    const sent = [
      'Hauptstraße 5',
      'Crème brûlée',
      'İstanbul',
      'Łódź',
      'ΟΔΟΣ',
      'ＡＢＣ',
      '我的订单在哪里',
      'Don’t  go',
    ];
    for (const text of sent) await server.sendMessage(key, id, text);
    for (const [query, found] of [
      ['strasse', 0],
      ['creme brulee', 1],
      ['istanbul', 2],
      ['ıstanbul', 2],
      ['lodz', 3],
      ['οδος', 4],
      ['abc', 5],
      ['订单', 6],
      ["don't go", 7],
    ] as const)
      expect([query, await texts(query)]).toEqual([query, [sent[found]]]);
    // Of it nothing is left.
    expect(await texts('\u00ad')).toEqual([]);
  });

  test('finds nothing of others, of deleted conversations, or of a conversation in which the caller is a guest', async () => {
    const { server, key, texts } = await start();
    const own = await server.conversation(key);
    await server.sendMessage(key, own, 'secret of mine');
    const other = await server.user();
    const foreign = await server.conversation(other.key);
    await server.sendMessage(other.key, foreign, 'secret of another');
    expect(await texts('secret')).toEqual(['secret of mine']);
    await server.call('DELETE', `/conversations/${own}`, { key });
    expect(await texts('secret')).toEqual([]);
  });

  test('goes through all pages, each found message once, also over many that do not match', async () => {
    const { server, key, search } = await start();
    const id = await server.conversation(key);
    for (let n = 0; n < 130; n += 1)
      await server.sendMessage(key, id, n % 2 === 0 ? `needle ${n}` : `hay ${n}`);
    const found: string[] = [];
    let token: string | undefined;
    do {
      const { body } = await search('needle', token);
      found.push(...(body.messages as { id: string }[]).map((one) => one.id));
      token = (body.meta as { nextToken?: string }).nextToken;
    } while (token);
    expect(found).toHaveLength(65);
    expect(new Set(found).size).toBe(65);
  });

  test('refuses a cursor of another list, and whoever has no key', async () => {
    const { server, search } = await start();
    for (const token of ['!', 'bm9uZQ', '%00']) expect((await search('a', token)).status).toBe(400);
    expect((await server.call('GET', '/messages/search?text=a', {})).status).toBe(401);
  });
});
