// Tests of the search in all messages and notes, of its index, and of who finds what.
import { expect, test } from 'vitest';
import type { FoundConversation } from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import { pollOptions } from '../testing.ts';
import { useInbox } from './testing.ts';

const start = useInbox();

type Found = { found: FoundConversation[]; meta: { nextToken?: string } };

/** The search of a member. */
function searchOf(member: {
  call: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['member']>>['call'];
}) {
  const page = async (q: string, nextToken?: string): Promise<Found> => {
    const query = new URLSearchParams({ text: q, ...(nextToken && { nextToken }) });
    const { status, body } = await member.call('GET', `/search?${query}`);
    expect(status).toBe(200);
    return body;
  };
  return {
    page,
    texts: async (q: string) => (await page(q)).found.map(({ match }) => match.text),
    /** Waits until the texts of the first page are these. */
    async finds(q: string, texts: readonly string[]) {
      await expect
        .poll(async () => (await page(q)).found.map(({ match }) => match.text), pollOptions)
        .toEqual(texts);
    },
  };
}

test('any message of visitor, bot and member, and any note is found by the beginnings of its words', async () => {
  const inbox = await start(async (event, bot) => {
    if (event.preview === 'Hauptstraße 17?')
      await bot.reply({ type: 'markdown', markdown: '**Žilina** is far' });
  });
  const ada = await inbox.member('Ada');
  const search = searchOf(ada);
  await inbox.send('Hauptstraße 17?');
  await inbox.idle();
  await search.finds('hauptstrasse', ['Hauptstraße 17?']);
  await search.finds('zil', ['Žilina is far']);
  // Nobody has asked for a person yet.
  const [unhandled] = (await search.page('17')).found;
  const [question, answer] = await inbox.messages();
  expect(unhandled).toMatchObject({
    conversation: { conversationId: inbox.conversationId, state: 'bot' },
    match: { kind: 'message', id: question?.id, author: 'visitor', marks: [[12, 14]] },
  });
  expect((await search.page('far')).found[0]?.match).toMatchObject({ id: answer?.id, author: 'bot' });
  await ada.act('POST', '/take', {});
  await ada.reply('我的订单在哪里');
  await ada.act('POST', '/notes', { body: 'A gruff customer' });
  await inbox.send('Thanks');
  // A note is found at once.
  expect((await search.page('customer gruf')).found).toMatchObject([
    {
      conversation: { state: 'assigned' },
      match: {
        kind: 'note',
        author: 'person',
        text: 'A gruff customer',
        marks: [
          [2, 6],
          [8, 16],
        ],
      },
    },
  ]);
  await search.finds('订单', ['我的订单在哪里']);
  expect((await search.page('订单')).found[0]?.match).toMatchObject({ author: 'person', marks: [[2, 4]] });
  // All words must be in one text.
  expect(await search.texts('hauptstrasse far')).toEqual([]);
  expect(await search.texts('uptstra')).toEqual([]);
  expect(await search.texts('%')).toEqual([]);
  expect(await search.texts('" OR scope : *')).toEqual([]);
  expect((await ada.call('GET', `/search?text=${'x'.repeat(201)}`)).status).toBe(400);
  expect((await ada.call('GET', '/search')).status).toBe(400);
  expect((await ada.call('GET', '/search?text=a&nextToken=x')).status).toBe(400);
});

test('a changed text is found by its new words only, and a deleted one by none', async () => {
  const inbox = await start(async (event, bot) => {
    if (event.type === 'text') await bot.reply({ type: 'text', text: 'Your card is 4111' });
  });
  const ada = await inbox.member('Ada');
  const search = searchOf(ada);
  await inbox.send('Which card do I have?');
  await inbox.idle();
  await search.finds('4111', ['Your card is 4111']);
  await search.finds('which', ['Which card do I have?']);
  const [question, answer] = await inbox.messages();
  await inbox.bot('PUT', `/messages/${answer?.id}`, { payload: { type: 'text', text: 'It ends soon' } });
  expect([await search.texts('4111'), await search.texts('ends')]).toEqual([[], ['It ends soon']]);
  await ada.act('POST', '/take', {});
  const { note } = (await ada.act('POST', '/notes', { body: 'canary one' })).body;
  await ada.act('PUT', `/notes/${note.id}`, { body: 'canary two' });
  expect([await search.texts('one'), await search.texts('two')]).toEqual([[], ['canary two']]);
  await ada.act('DELETE', `/notes/${note.id}`);
  expect(await search.texts('canary')).toEqual([]);
  const headers = { 'x-user-key': inbox.key };
  expect((await inbox.request('DELETE', `/chat/demo/messages/${question?.id}`, headers)).status).toBe(200);
  expect(await search.texts('which')).toEqual([]);
  expect(await inbox.rows('searched_texts')).toMatchObject([{ text_id: answer?.id, bot_id: inbox.botId }]);
  await inbox.chat('DELETE', '');
  expect(await search.texts('ends')).toEqual([]);
  await expect.poll(() => inbox.rows('searched_texts'), pollOptions).toEqual([]);
  await expect
    .poll(() => inbox.server.db.read((tx) => tx.get('SELECT COUNT(*) AS n FROM text_words')), pollOptions)
    .toEqual({ n: 0 });
});

test('the texts of a deleted visitor are not found', async () => {
  const inbox = await start();
  const search = searchOf(await inbox.member('Ada'));
  await inbox.send('canary');
  await search.finds('canary', ['canary']);
  const { status } = await inbox.request('DELETE', '/chat/demo/users/me', { 'x-user-key': inbox.key });
  expect(status).toBe(200);
  expect(await search.texts('canary')).toEqual([]);
  await expect.poll(() => inbox.rows('searched_texts'), pollOptions).toEqual([]);
});

test('members find nothing of a team that they may not see, and of another workspace', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada', 'owner');
  const bob = await inbox.member('Bob');
  await inbox.send('canary');
  await ada.act('POST', '/take', {});
  await ada.act('POST', '/notes', { body: 'canary of the team' });
  for (const member of [ada, bob]) await searchOf(member).finds('canary', ['canary of the team']);
  await ada.act('POST', '/release', {});
  await ada.restrict(ada.id);
  expect(await searchOf(bob).texts('canary')).toEqual([]);
  expect(await searchOf(ada).texts('canary')).toEqual(['canary of the team']);
  const { body } = await inbox.request('GET', '/chat/demo/messages/search?text=canary', {
    'x-user-key': inbox.key,
  });
  expect(body.messages.map(({ payload }: { payload: unknown }) => payload)).toEqual([
    { type: 'text', text: 'canary' },
  ]);
});

test('a page has each conversation once, newest first, and the pages have all of them', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  const search = searchOf(ada);
  const ids: string[] = [];
  for (let n = 0; n <= limits.inbox.searchPage; n += 1) {
    const { key } = await inbox.server.user();
    const id = await inbox.server.conversation(key);
    ids.push(id);
    await inbox.server.sendMessage(key, id, `canary ${n}`);
    await inbox.server.sendMessage(key, id, `canary again ${n}`);
  }
  await expect
    .poll(async () => (await inbox.rows('searched_texts')).length, pollOptions)
    .toBe(ids.length * 2);
  const first = await search.page('canary');
  const last = limits.inbox.searchPage;
  expect(first.found.map(({ match }) => match.text)).toEqual(
    Array.from({ length: last }, (_, n) => `canary again ${last - n}`),
  );
  expect(new Set(first.found.map(({ conversation }) => conversation.conversationId)).size).toBe(20);
  const second = await search.page('canary', first.meta.nextToken);
  const found = [...first.found, ...second.found].map(({ conversation }) => conversation.conversationId);
  expect(new Set(found)).toEqual(new Set(ids));
  expect(second.meta).toEqual({});
});

test('messages and notes of an earlier version are found after the start', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  for (let n = 0; n < 45; n += 1) await inbox.send(`canary ${n}`);
  await ada.act('POST', '/take', {});
  await ada.act('POST', '/notes', { body: 'parrot' });
  await searchOf(ada).finds('44', ['canary 44']);
  // As the step of the schema leaves it.
  await inbox.server.db.write(async (tx) => {
    for (const table of ['searched_texts', 'text_words', 'search_progress'])
      await tx.run(`DELETE FROM ${table}`);
    await tx.run("INSERT INTO search_progress (name, position) VALUES ('earlier', '')");
  });
  expect(await searchOf(ada).texts('parrot')).toEqual([]);
  await inbox.restart();
  await searchOf(ada).finds('parrot', ['parrot']);
  await searchOf(ada).finds('canary 0', ['canary 0']);
  expect(await inbox.rows('searched_texts')).toHaveLength(46);
  await expect
    .poll(async () => (await inbox.rows('search_progress')).map(({ name }) => name), pollOptions)
    .toEqual(['recent']);
});
