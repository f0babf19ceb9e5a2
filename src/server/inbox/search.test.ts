// Tests of searching, filtering and ordering the lists of the inbox: the server finds what the rule of the page finds.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type InboxRow, matchesFilter } from '../../protocol/inbox.ts';
import { pollOptions } from '../testing.ts';
import { type Inbox, useInbox } from './testing.ts';

const start = useInbox();

const texts = [
  'Where is my order A-17?',
  'Straße nach Žilina',
  'ЗАКАЗ не пришёл',
  '我的订单在哪里',
  'สวัสดีครับ',
  'a{b}"c,d\\e',
  'x'.repeat(300),
  '😀 %_ LIKE',
];

/** Conversations with these messages, whose visitors are named by number, each with a tag. */
async function conversations(inbox: Inbox, member: Awaited<ReturnType<Inbox['member']>>) {
  for (const [index, text] of texts.entries()) {
    const { key } = await inbox.server.user({ name: index % 2 === 0 ? `Ada ${index}` : `Björn ${index}` });
    const id = await inbox.server.conversation(key);
    await inbox.server.sendMessage(key, id, text);
    await inbox.bot(
      'POST',
      `/conversations/${id}/handoff`,
      index % 3 === 0 ? { reason: 'Refund wanted' } : {},
    );
    await member.call('PUT', `/conversations/${id}/tags`, { tags: [index < 4 ? 'vip' : 'größe 2'] });
  }
}

test('search: any words, filters and orders find on the server what the rule of the page keeps of all rows', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await conversations(inbox, ada);
  const list = async (query: Record<string, string>): Promise<InboxRow[]> => {
    const { status, body } = await ada.call(
      'GET',
      `/conversations?${new URLSearchParams({ list: 'all', ...query })}`,
    );
    expect(status).toBe(200);
    return body.conversations;
  };
  const all = await list({});
  expect(all).toHaveLength(texts.length);
  const word = fc.oneof(
    fc.constantFrom(
      'ada',
      'ADA',
      'bjorn',
      'Björn',
      'ref',
      'vip',
      'grosse',
      'größe',
      '2',
      'order a',
      'žil',
      'зак',
      '订单',
    ),
    fc.constantFrom(
      '单订',
      'สวัส',
      '%',
      '_',
      '{',
      '"',
      '\\',
      "'",
      '',
      ' ',
      'x'.repeat(60),
      '😀',
      'пришел',
      '\u0000',
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const query = fc.record(
    {
      q: fc
        .array(word, { minLength: 1, maxLength: 3 })
        .map((words) => words.join(' ').replaceAll('\0', '') || ' '),
      tag: fc.constantFrom('vip', 'größe 2', 'none', '%'),
      bot: fc.constantFrom(inbox.botId, 'bot_none'),
      assignee: fc.constantFrom(ada.id),
      sort: fc.constantFrom('newest' as const, 'oldest' as const),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(query, async ({ sort, ...filter }) => {
      const found = await list({ ...filter, ...(sort && { sort }) });
      const matching = all.filter((row) => matchesFilter(row, filter));
      expect(found).toEqual(sort === 'oldest' ? matching.toReversed() : matching);
    }),
    { numRuns: 150 },
  );
  expect((await list({ q: 'ada refund vip' })).length).toBeGreaterThan(0);
  expect((await ada.call('GET', `/conversations?list=all&q=${'x'.repeat(201)}`)).status).toBe(400);
  expect((await ada.call('GET', '/conversations?list=all&sort=odd')).status).toBe(400);
});

test('search: pages of a search have no gaps in both orders, and a token of one order is refused by the other', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await conversations(inbox, ada);
  const whole: string[][] = [];
  for (const sort of ['newest', 'oldest']) {
    const ids: string[] = [];
    for (let token = ''; ; ) {
      const path = `/conversations?list=all&q=ada&sort=${sort}&pageSize=1${token}`;
      const { body } = await ada.call('GET', path);
      ids.push(...body.conversations.map((row: InboxRow) => row.conversationId));
      if (!body.meta.nextToken) break;
      token = `&nextToken=${body.meta.nextToken}`;
      const other = sort === 'newest' ? 'oldest' : 'newest';
      expect((await ada.call('GET', `/conversations?list=all&q=ada&sort=${other}${token}`)).status).toBe(400);
    }
    whole.push(ids);
  }
  expect(whole[0]).toHaveLength(4);
  expect(whole[1]).toEqual(whole[0]?.toReversed());
});

test('search: finds the last message and not the one before it, a new tag, and nothing of a deleted conversation', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.send('First question');
  await inbox.runtime('POST', '/handoff', { reason: 'refund' });
  const find = async (q: string) =>
    (await ada.call('GET', `/conversations?list=all&q=${encodeURIComponent(q)}`)).body.conversations.length;
  expect([await find('first'), await find('refu'), await find('visitor')]).toEqual([1, 1, 1]);
  await inbox.send('Second one');
  expect([await find('first'), await find('second')]).toEqual([0, 1]);
  await ada.act('PUT', '/tags', { tags: ['urgent'] });
  expect(await find('urgent second')).toBe(1);
  await ada.act('PUT', '/tags', { tags: [] });
  expect(await find('urgent')).toBe(0);
  // A search for what is in the notes of the team finds nothing: a viewer of the list need not have read them.
  await ada.act('POST', '/notes', { body: 'canary' });
  expect(await find('canary')).toBe(0);
  await inbox.chat('DELETE', '');
  expect(await find('second')).toBe(0);
  await expect.poll(() => inbox.rows('inbox_words'), pollOptions).toEqual([]);
});

test('search: finds the changed name of a visitor from the next message on, also if its text is the same', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.send('Hello?');
  await ada.act('POST', '/take', {});
  await inbox.server.call('PUT', '/users/me', { key: inbox.key, body: { name: 'Grace' } });
  await inbox.send('Hello?');
  const found = async (q: string) =>
    (await ada.call('GET', `/conversations?list=all&q=${q}`)).body.conversations.length;
  expect([await found('grace'), await found('visitor')]).toEqual([1, 0]);
});
