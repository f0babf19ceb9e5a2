// Tests of the list of the conversations that the bot answers: its rows, its filter, its pages, who may take them, and what members
// who watch it are sent.
import { isDeepStrictEqual } from 'node:util';
import { expect, test, vi } from 'vitest';
import type { BotHandler } from '../../protocol/bot.ts';
import type { Principal } from '../api/caller.ts';
import { insertConversation } from '../storage/chat/conversations.ts';
import type { Database, Parameter, Tx } from '../storage/database.ts';
import { changedOfBots, readBotList } from '../storage/inbox/bot-list.ts';
import { isPostgresTest } from '../storage/postgres/testing.ts';
import { pollOptions } from '../testing.ts';
import { createBotRows } from './bot-rows.ts';
import { assertMayTake } from './operations/access.ts';
import { type Inbox, useInbox } from './testing.ts';

const start = useInbox();

type Row = { conversationId: string; preview: string; lastAuthor: string; revision: number };
type Member = Awaited<ReturnType<Inbox['member']>>;

/** A bot that answers each text. */
const answering =
  (text: string): BotHandler =>
  async (event, bot) => {
    if (event.type === 'text') await bot.reply({ type: 'text', text });
  };

const list = async (member: Member, query = ''): Promise<Row[]> =>
  (await member.call('GET', `/conversations?list=bot${query}`)).body.conversations;
const idsOf = (rows: readonly Row[]): string[] => rows.map(({ conversationId }) => conversationId);

/** Another conversation of a new visitor, who has written. */
async function converse(
  { server }: Inbox,
  text: string,
  name = 'Grace',
): Promise<{ id: string; key: string }> {
  const { key } = await server.user({ name });
  const id = await server.conversation(key);
  await server.sendMessage(key, id, text);
  return { id, key };
}

test('a conversation is listed from the first message of its visitor on, with the last message of both', async () => {
  const inbox = await start(answering('It takes two days.'));
  const ada = await inbox.member('Ada', 'viewer');
  expect(await list(ada)).toEqual([]);
  await inbox.send('How long does it take?');
  await inbox.idle();
  const [row] = await list(ada);
  expect(row).toEqual({
    conversationId: inbox.conversationId,
    botId: inbox.botId,
    revision: 0,
    state: 'bot',
    lastSeq: expect.any(Number),
    tags: [],
    visitor: { id: inbox.visitor.id, name: 'Visitor' },
    sortAt: expect.any(String),
    preview: 'It takes two days.',
    lastAuthor: 'bot',
  });
  const { counts } = (await ada.call('GET', '/counts')).body;
  expect(counts).toEqual({ mine: 0, unassigned: 0, waiting: 0, mentioned: 0, all: 0, closed: 0, snoozed: 0 });
  const opened = (await ada.act('GET', '')).body;
  expect(opened).toMatchObject({ conversation: row, visitor: { id: inbox.visitor.id }, handoffs: [] });
  expect((await ada.act('GET', '/timeline')).body.messages).toHaveLength(2);
});

test('a conversation leaves the list while a person handles it, and comes back with its handoff', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.send('Hello');
  expect((await ada.act('POST', '/take', { revision: 0 })).status).toBe(200);
  expect(await list(ada)).toEqual([]);
  expect((await ada.act('POST', '/return', {})).status).toBe(200);
  const [row] = await list(ada);
  expect(row).toMatchObject({
    state: 'bot',
    revision: 2,
    handoff: { requestedBy: 'person' },
    preview: 'Hello',
  });
  await ada.act('PUT', '/tags', { tags: ['refund'] });
  expect(idsOf(await list(ada, '&tag=refund'))).toEqual([inbox.conversationId]);
  expect(await list(ada, '&tag=other')).toEqual([]);
});

test('the newest message is first, and the list is narrowed by bot and by words', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.send('Where is my parcel?');
  const second = await converse(inbox, 'A refund, please');
  expect(idsOf(await list(ada))).toEqual([second.id, inbox.conversationId]);
  expect(idsOf(await list(ada, '&sort=oldest'))).toEqual([inbox.conversationId, second.id]);
  await inbox.send('Hello?');
  expect(idsOf(await list(ada))).toEqual([inbox.conversationId, second.id]);
  expect(idsOf(await list(ada, '&q=ref+grace'))).toEqual([second.id]);
  expect(await list(ada, '&q=grace+parcel')).toEqual([]);
  expect(await list(ada, `&bot=${inbox.botId}`)).toHaveLength(2);
  expect(await list(ada, '&bot=bot_other')).toEqual([]);
  expect(await list(ada, `&assignee=${ada.id}`)).toEqual([]);
  expect(await list(ada, '&team=team_other')).toEqual([]);
});

test.each(['newest', 'oldest'])(
  'all of 1,000 conversations are on the pages, each once (%s first)',
  async (sort) => {
    const inbox = await start();
    const ada = await inbox.member('Ada');
    const ids = Array.from({ length: 1_000 }, (_, n) => `conv_${String(n).padStart(26, '0')}`);
    await inbox.server.db.write(async (tx) => {
      for (const [n, id] of ids.entries()) {
        const isWritten = n % 2 === 0;
        await insertConversation(tx, {
          ...{
            id,
            botId: inbox.botId,
            foreignId: null,
            ownerId: inbox.visitor.id,
            channel: 'channel',
            hasHandling: 0,
          },
          // Several in the same millisecond.
          ...{ seq: 1, createdAt: 1, updatedAt: 1_000 + Math.floor(n / 3), messageCount: isWritten ? 1 : 0 },
        });
        if (isWritten)
          await tx.run(
            `INSERT INTO messages (id, conversation_id, seq, user_id, is_bot, payload, created_at, bot_id) VALUES (?, ?, 1, ?, 0, ?, ?, ?)`,
            `msg_${n}`,
            id,
            inbox.visitor.id,
            '{"type":"text","text":"Hello"}',
            1_000,
            inbox.botId,
          );
      }
    });
    const found: string[] = [];
    let pages = 0;
    for (let token: string | undefined = ''; token !== undefined; pages += 1) {
      const next = token && `&nextToken=${token}`;
      const { body } = await ada.call('GET', `/conversations?list=bot&sort=${sort}&pageSize=50${next}`);
      expect(body.conversations.length).toBeLessThanOrEqual(50);
      found.push(...idsOf(body.conversations));
      token = body.meta.nextToken;
    }
    const written = ids.filter((_, n) => n % 2 === 0);
    expect(found).toEqual(sort === 'oldest' ? written : written.reverse());
    expect(pages).toBeGreaterThanOrEqual(10);
    // A search in vain ends, too.
    const { body } = await ada.call('GET', '/conversations?list=bot&q=nothing');
    expect([body.conversations, body.meta]).toEqual([[], {}]);
  },
);

test('members of another workspace see none of the conversations, and cannot take them', async () => {
  const inbox = await start();
  await inbox.send('Hello');
  const ada = await inbox.member('Ada');
  const headers = { ...ada.headers, 'x-workspace-id': 'ws_other' };
  const read = await inbox.request('GET', '/v1/inbox/conversations?list=bot', headers);
  expect([401, 403, 404]).toContain(read.status);
  // Its workspace has no bot with this conversation.
  await inbox.server.db.write((tx) => tx.run("UPDATE bots SET workspace_id = 'ws_other'"));
  expect(await list(ada)).toEqual([]);
  expect((await ada.act('GET', '')).status).toBe(404);
  expect((await ada.act('POST', '/take', {})).status).toBe(404);
});

test('of two members who take over at once, one does, and the other one learns who', async () => {
  const inbox = await start();
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  await inbox.send('Hello');
  const answers = await Promise.all([
    ada.act('POST', '/take', { revision: 0 }),
    ben.act('POST', '/take', { revision: 0 }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409);
  expect(['Ada', 'Ben']).toContain(lost?.body.metadata.assignee.name);
  expect(lost?.body.type).toBe('AlreadyTaken');
  expect(await inbox.rows('handoffs')).toMatchObject([{ requested_by: 'person' }]);
  const { activities } = (await inbox.chat('GET', '/activities')).body;
  expect(activities.map(({ type }: { type: string }) => type)).toEqual(['person_joined']);
});

test('the bot says nothing more after a member has taken over unasked, and the take is recorded', async () => {
  const inbox = await start(answering('Answer of the bot'));
  const ada = await inbox.member('Ada');
  await inbox.send('Hello');
  await inbox.idle();
  expect((await ada.act('POST', '/take', {})).status).toBe(200);
  await inbox.send('And now?');
  await inbox.idle();
  await ada.reply('I answer.');
  expect((await inbox.texts()).map(([author]) => author)).toEqual(['visitor', 'bot', 'visitor', 'person']);
  const audited = (await inbox.rows('audit_log')).map((row) => JSON.stringify(row)).join();
  expect(audited).toContain('takeConversation');
});

test('a viewer reads the list and may not take over', async () => {
  const inbox = await start();
  const viewer = await inbox.member('Vi', 'viewer');
  await inbox.send('Hello');
  expect(await list(viewer)).toHaveLength(1);
  expect(await viewer.act('POST', '/take', {})).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
});

test('without inbox.takeover, only a conversation in which a person was asked for can be taken', async () => {
  const inbox = await start();
  await inbox.send('Hello');
  const take = () =>
    inbox.server.db.read((tx) => assertMayTake(tx, { kind: 'viewer' } as Principal, inbox.conversationId));
  await expect(take()).rejects.toMatchObject({
    type: 'Forbidden',
    message: 'This needs inbox.takeover, because the bot answers and nobody has asked for a person.',
  });
  await inbox.runtime('POST', '/handoff', {});
  await expect(take()).resolves.toBe(undefined);
  await inbox.runtime('DELETE', '/handoff');
  await expect(take()).rejects.toMatchObject({ type: 'Forbidden' });
});

test('a conversation that is deleted leaves the list, and its members are told', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  await inbox.send('Hello');
  const stream = await ada.listen();
  expect((await inbox.chat('DELETE', '')).status).toBe(200);
  const deleted = { type: 'inbox_deleted', data: { conversationId: inbox.conversationId } };
  await stream.until(({ signal }) => isDeepStrictEqual(signal, deleted));
  expect(await list(ada)).toEqual([]);
  expect((await ada.act('POST', '/take', {})).status).toBe(404);
});

/** The rows of the frames for those who watch. */
const sent = ({ frames }: Awaited<ReturnType<Member['listen']>>): Row[] =>
  frames.flatMap(({ signal }) =>
    signal?.type === ('inbox_bot_rows' as string) ? Object(signal.data).rows : [],
  );

test('members who watch get the rows that change; the others get none', async () => {
  const inbox = await start(answering('Answer of the bot'));
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  const [watched, other] = [await ada.listen(), await ben.listen()];
  expect((await ada.call('PUT', '/watch', { list: 'bot' })).status).toBe(200);
  await inbox.send('Hello');
  await watched.until(() => sent(watched).some(({ lastAuthor }) => lastAuthor === 'bot'));
  expect(sent(watched).at(-1)).toEqual((await list(ben))[0]);
  // A conversation of the team is no row of the list.
  await ada.act('POST', '/take', {});
  await inbox.send('For a person');
  const second = await converse(inbox, 'For the bot');
  await watched.until(() => idsOf(sent(watched)).includes(second.id));
  expect(sent(watched).map(({ preview }) => preview)).not.toContain('For a person');
  expect(sent(other)).toEqual([]);
});

test('another name and other data of a visitor are told to members who watch, and to nobody else', async () => {
  const inbox = await start();
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  const [watched, other] = [await ada.listen(), await ben.listen()];
  const { id, key } = await converse(inbox, 'Hello');
  await ada.call('PUT', '/watch', { list: 'bot' });
  const change = (body: object) => inbox.server.call('PUT', '/users/me', { key, body });
  const names = () =>
    (sent(watched) as (Row & { visitor: { name: string } })[]).map(({ visitor }) => visitor.name);
  await change({ name: 'Petra' });
  await watched.until(() => names().at(-1) === 'Petra');
  const before = sent(watched).length;
  await change({ profile: '{"city":"Antwerp"}' });
  await watched.until(() => sent(watched).length > before);
  expect(sent(watched).at(-1)).toEqual((await list(ben)).find(({ conversationId }) => conversationId === id));
  // With the account of the site.
  const signed = inbox.server.sign('customer-7');
  await inbox.server.call('POST', '/users/get-or-create', { key: signed, body: { name: 'Pia' } });
  await inbox.server.call('POST', '/users/me/merge', { key: signed, body: { userKey: key } });
  await watched.until(() => names().at(-1) === 'Pia');
  expect(sent(other)).toEqual([]);
});

test('a conversation of a restricted team that was given back to the bot is sent to those who see it', async () => {
  const inbox = await start();
  const [ada, ben] = [await inbox.member('Ada', 'manager'), await inbox.member('Ben')];
  await inbox.send('Hello');
  await ada.act('POST', '/take', {});
  await ada.restrict(ada.id);
  await ada.act('POST', '/return', {});
  expect(idsOf(await list(ada))).toEqual([inbox.conversationId]);
  expect(await list(ben)).toEqual([]);
  expect((await ben.act('POST', '/take', {})).status).toBe(404);
  const [seen, hidden] = [await ada.listen(), await ben.listen()];
  for (const member of [ada, ben]) await member.call('PUT', '/watch', { list: 'bot' });
  await inbox.send('Secret');
  const open = await converse(inbox, 'Open');
  await hidden.until(() => idsOf(sent(hidden)).includes(open.id));
  await seen.until(() => idsOf(sent(seen)).includes(inbox.conversationId));
  expect(idsOf(sent(hidden))).not.toContain(inbox.conversationId);
});

test('the rows are read once a second while a member watches, and not at all before and after', async () => {
  vi.useFakeTimers();
  const read = vi.fn(async () => ({ rows: [], audiences: new Map(), all: [] }));
  const db = { read } as unknown as Database;
  const client = { memberId: 'ada', seesAllTeams: true, isBehind: false, send: vi.fn(), countSoon: vi.fn() };
  const options = { db, now: Date.now, onError: vi.fn(), clients: new Set([client]) };
  const rows = createBotRows('ws', options);
  await vi.advanceTimersByTimeAsync(60_000);
  rows.watch('ben');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(0);
  rows.watch('ada');
  rows.watch('ada');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(10);
  rows.watch('ada');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(read.mock.calls.length).toBeLessThanOrEqual(50);
  read.mockClear();
  rows.watch('ada');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(1);
  // A read that fails is repeated.
  read.mockRejectedValueOnce(new Error('unavailable'));
  await vi.advanceTimersByTimeAsync(2_000);
  expect([read.mock.calls.length, options.onError.mock.calls.length]).toEqual([3, 1]);
  rows.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

// PostgreSQL has an index of periods (storage/postgres/conversation-updates.test.ts).
test.skipIf(isPostgresTest()).each([
  ['a page', (tx: Tx) => readAll(tx)],
  ['the changes', (tx: Tx) => changedOfBots(tx, 'ws', 5, 100)],
])('the index of the last changes serves %s', async (_, read) => {
  const inbox = await start();
  const statements: [string, Parameter[]][] = [];
  await inbox.server.db.read(async (tx) => {
    const watched: Tx = {
      ...tx,
      all: (sql, ...values) => {
        statements.push([sql, values]);
        return tx.all(sql, ...values);
      },
    };
    await read(watched);
    const own = statements.filter(([sql]) => sql.includes('updated_at') && !sql.includes('json_each'));
    const plans: string[] = [];
    for (const [sql, values] of own)
      for (const { detail } of await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values))
        plans.push(detail);
    expect(plans.filter((line) => line.includes('conversations_updated'))).toHaveLength(own.length);
    expect(plans.filter((line) => line.startsWith('SCAN c'))).toEqual([]);
  });
});

/** The first part of the list of a workspace whose bots are read. */
async function readAll(tx: Tx): Promise<void> {
  const [bot] = await tx.all<{ workspaceId: string }>('SELECT workspace_id FROM bots');
  const viewer = { workspaceId: bot?.workspaceId ?? '', memberId: '', seesAllTeams: true };
  for (const after of [undefined, [5, 'conv'] as const])
    for await (const { next } of readBotList(tx, viewer, {}, false, after)) expect(next).toBe(undefined);
}

test('rows have the last rating of the visitor, and can be kept by it', async () => {
  const inbox = await start(answering('It takes two days.'));
  const ada = await inbox.member('Ada');
  await inbox.send('How long does it take?');
  await inbox.idle();
  const other = await converse(inbox, 'Hello');
  const kept = async (rating: string) => idsOf(await list(ada, `&rating=${rating}`));
  expect([await kept('good'), await kept('bad')]).toEqual([[], []]);
  const [, answer] = await inbox.messages();
  const rate = (value: string) =>
    inbox.request(
      'PUT',
      `/chat/demo/messages/${answer?.id}/feedback`,
      { 'x-user-key': inbox.key },
      { value },
    );
  expect((await rate('negative')).status).toBe(200);
  expect([await kept('good'), await kept('bad')]).toEqual([[], [inbox.conversationId]]);
  await rate('positive');
  expect(await list(ada, '&rating=good')).toMatchObject([
    { conversationId: inbox.conversationId, rating: 'good' },
  ]);
  expect(await kept('bad')).toEqual([]);
  // The rating of a person after it counts.
  const { server } = inbox;
  await server.db.write((tx) =>
    tx.run(
      `INSERT INTO ratings (handoff_id, conversation_id, bot_id, offered_at, rated_at, rating) VALUES ('h', ?, ?, 1, ?, 1)`,
      inbox.conversationId,
      inbox.botId,
      Date.now() + 1_000,
    ),
  );
  expect([await kept('good'), await kept('bad')]).toEqual([[], [inbox.conversationId]]);
  await server.db.write((tx) => tx.run('UPDATE ratings SET rating = 3'));
  expect([await kept('good'), await kept('bad')]).toEqual([[], []]);
  expect(idsOf(await list(ada))).toEqual([inbox.conversationId, other.id]);
  expect((await ada.call('GET', '/conversations?list=bot&rating=odd')).status).toBe(400);
  expect((await ada.call('GET', '/conversations?list=all&rating=bad')).status).toBe(400);
  expect((await ada.call('GET', '/conversations?list=all&answer=none')).status).toBe(400);
});

test('a last question without a passage in the knowledge of the bot is kept, and listed for the bot', async () => {
  const inbox = await start(answering('I do not know.'));
  const ada = await inbox.member('Ada', 'developer');
  const headers = { ...inbox.ofBot, 'content-type': 'application/json' };
  await inbox.request('POST', '/v1/files/knowledge-bases', headers, { name: 'Help' });
  await inbox.request('PUT', `/v1/admin/bots/${inbox.botId}/deployment`, ada.headers, {
    knowledgeResults: 3,
  });
  const kept = async () => idsOf(await list(ada, '&answer=none'));
  const questions = async (query = '') =>
    (await inbox.request('GET', `/v1/admin/bots/${inbox.botId}/unanswered-questions${query}`, ada.headers))
      .body;
  await inbox.send('zebras?');
  await inbox.idle();
  const [asked] = await inbox.messages();
  expect(await questions()).toEqual({
    questions: [
      {
        messageId: asked?.id,
        conversationId: inbox.conversationId,
        text: 'zebras?',
        askedAt: asked?.createdAt,
      },
    ],
    meta: {},
  });
  expect(await kept()).toEqual([inbox.conversationId]);
  expect(await list(ada)).toMatchObject([{ isUnanswered: true }]);
  const other = await converse(inbox, 'xylophones?');
  await inbox.idle();
  expect(await kept()).toEqual([other.id, inbox.conversationId]);
  const first = await questions('?pageSize=1');
  const second = await questions(`?pageSize=1&nextToken=${first.meta.nextToken}`);
  const texts = [...first.questions, ...second.questions].map(({ text }: { text: string }) => text);
  expect([texts, second.meta]).toEqual([['xylophones?', 'zebras?'], {}]);
  // A question after it is another one.
  await inbox.request('PUT', `/v1/admin/bots/${inbox.botId}/deployment`, ada.headers, {
    knowledgeResults: 0,
  });
  await inbox.send('Anything else?');
  await inbox.idle();
  expect(await kept()).toEqual([other.id]);
  await inbox.chat('DELETE', '');
  await expect
    .poll(async () => (await questions()).questions.map(({ text }: { text: string }) => text), pollOptions)
    .toEqual(['xylophones?']);
  const missing = await inbox.request('GET', '/v1/admin/bots/bot_none/unanswered-questions', ada.headers);
  expect(missing.status).toBe(404);
});
