// Tests of reports through the API: what is counted of a real conversation, for whom, and which requests are refused.
import { expect, test } from 'vitest';
import type { Report } from '../../protocol/inbox.ts';
import { createBot, createWorkspace } from '../admin/first-start.ts';
import type { Tx } from '../storage/database.ts';
import {
  assignmentsIn,
  endedIn,
  messagesBeforeHandoffs,
  notedMessages,
  type ReportScope,
  ratedIn,
  repliesIn,
  requestedIn,
  volumeIn,
} from '../storage/inbox/reports.ts';
import { type Inbox, useInbox } from './testing.ts';

const startInbox = useInbox();

/** The bot answers each message, so that its answers can be rated. */
const start = () =>
  startInbox(async (event, bot) => {
    if (event.type === 'text') await bot.reply({ type: 'text', text: 'I do not know.' });
  });

type Member = Awaited<ReturnType<Inbox['member']>>;
const today = () => new Date().toISOString().slice(0, 10);
const begun = Date.now();
/** The same days for all tests, as the server may cross midnight during one. */
const around = () => ({
  from: new Date(begun - 86_400_000).toISOString().slice(0, 10),
  to: new Date(begun + 86_400_000).toISOString().slice(0, 10),
});

async function reportOf(member: Member, query: Record<string, string> = {}): Promise<Report> {
  const { status, body } = await member.call(
    'GET',
    `/report?${new URLSearchParams({ ...around(), ...query })}`,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body.report;
}

const total = ({ days }: Report, name: 'conversations' | 'handedOver' | 'requested') =>
  days.reduce((sum, day) => sum + (day[name] ?? 0), 0);

/** A visitor who writes these texts; the bot has answered each of them. */
async function converse(inbox: Inbox, texts: string[]) {
  const { key } = await inbox.server.user({});
  const id = await inbox.server.conversation(key);
  for (const text of texts) await inbox.server.sendMessage(key, id, text);
  await inbox.idle();
  const list = await inbox.server.call('GET', `/conversations/${id}/messages`, { key });
  const [answer] = list.body.messages as { id: string }[];
  return {
    id,
    key,
    rate: (value: string | undefined) =>
      inbox.server.call(value ? 'PUT' : 'DELETE', `/messages/${answer?.id}/feedback`, {
        key,
        ...(value && { body: { value } }),
      }),
    handOff: (body: object = {}) => inbox.bot('POST', `/conversations/${id}/handoff`, body),
  };
}

test('reports: a conversation from the request to the rating is counted for everybody, the member and the bot', async () => {
  const inbox = await start();
  const [mia, ada, ben, dev] = [
    await inbox.member('Mia', 'manager'),
    await inbox.member('=Ada', 'support'),
    await inbox.member('Ben', 'support'),
    await inbox.member('Dev', 'developer'),
  ];
  await inbox.send('Where is my order?');
  await inbox.idle();
  await inbox.runtime('POST', '/handoff', { reason: 'refund' });
  await ada.act('POST', '/take', {});
  const say = async (text: string) => {
    const { seq: seenSeq } = (await ada.act('GET', '/timeline')).body;
    const answer = await ada.act('POST', '/replies', { payload: { type: 'text', text }, seenSeq });
    expect(answer.status).toBe(201);
  };
  await say('On its way');
  await say('It comes today');
  await inbox.send('Thanks');
  await say('Bye');
  expect((await ada.act('POST', '/close', {})).status).toBe(200);
  const [handoff] = await inbox.rows('handoffs');
  const rated = await inbox.chat('PUT', '/rating', { handoffId: handoff?.id, rating: 4 });
  expect(rated.status, JSON.stringify(rated.body)).toBe(200);
  // Waits, and nobody replies; abandons.
  const other = await converse(inbox, ['Hello']);
  await other.handOff();
  await inbox.bot('DELETE', `/conversations/${other.id}/handoff`);

  const report = await reportOf(mia);
  expect(report).toMatchObject({
    isOwn: false,
    requested: 2,
    unanswered: 1,
    abandoned: 1,
    firstResponse: { count: 1 },
    // The second message in a row answers nobody.
    response: { count: 2 },
    resolution: { count: 1 },
    ratings: { offered: 1, counts: [0, 0, 0, 1, 0], given: 1, mean: 4, good: 1 },
    members: [{ memberId: ada.id, name: '=Ada', assigned: 1, replies: 3, firstResponse: { count: 1 } }],
    questions: [],
  });
  expect([total(report, 'conversations'), total(report, 'handedOver'), total(report, 'requested')]).toEqual([
    2, 2, 2,
  ]);
  expect(await reportOf(dev)).toEqual(report);
  expect(await reportOf(mia, { bot: inbox.botId })).toEqual(report);
  // Members of the support see their own work only.
  const own = await reportOf(ada);
  expect(own).toMatchObject({
    isOwn: true,
    requested: 1,
    unanswered: 0,
    abandoned: 0,
    response: { count: 2 },
  });
  expect(own.members).toEqual(report.members);
  expect([own.questions, own.days[0]?.conversations]).toEqual([undefined, undefined]);
  expect(await reportOf(ben)).toMatchObject({
    isOwn: true,
    requested: 0,
    members: [],
    ratings: { given: 0 },
  });
  // Nothing of another day, and days are those of the time zone.
  expect(await reportOf(mia, { from: '2020-01-01', to: '2020-12-31' })).toMatchObject({
    requested: 0,
    members: [],
    ratings: { offered: 0, given: 0 },
  });
  expect((await reportOf(mia, { timeZone: 'Pacific/Auckland' })).requested).toBe(2);

  // CSV: one line for each row, nothing that a spreadsheet runs.
  const csv = async (table: string, member = mia) => {
    const query = new URLSearchParams({ ...around(), table });
    const { status, body } = await member.call('GET', `/report/csv?${query}`);
    expect(status).toBe(200);
    expect(body.name).toBe(`report-${table}-${around().from}-${around().to}.csv`);
    expect(body.csv.startsWith('\ufeff')).toBe(true);
    return body.csv.slice(1).split('\r\n');
  };
  expect(await csv('figures')).toEqual(
    expect.arrayContaining(['figure,value', 'handoffs,2', 'first response: number,1', 'ratings of 4,1']),
  );
  expect(await csv('days')).toHaveLength(5);
  const [, line] = await csv('members');
  expect(line).toMatch(new RegExp(`^'=Ada,${ada.id},1,[\\d.]+,3,`));
  expect((await csv('days', ada))[1]).toMatch(/^[\d-]+,,,\d$/);

  // A member who has left is still counted; a deleted conversation is not.
  await inbox.server.db.write((tx) => tx.run('DELETE FROM members WHERE id = ?', ada.id));
  expect((await reportOf(mia)).members).toMatchObject([{ memberId: ada.id, replies: 3 }]);
  expect((await reportOf(mia)).members[0]).not.toHaveProperty('name');
  expect((await csv('members'))[1]).toMatch(new RegExp(`^,${ada.id},1,`));
});

test('reports: a visitor who writes or asks for a person has a conversation, and one who reads the greeting has none', async () => {
  const inbox = await startInbox(async (event, bot) => {
    if (event.type === 'conversation_started') await bot.reply({ type: 'text', text: 'Hello!' });
  });
  const mia = await inbox.member('Mia', 'manager');
  const read = await converse(inbox, []);
  expect(
    (await inbox.server.call('GET', `/conversations/${read.id}/messages`, { key: read.key })).body.messages,
  ).toHaveLength(1);
  await converse(inbox, ['How long does it take?']);
  await (await converse(inbox, [])).handOff();
  const report = await reportOf(mia);
  expect([total(report, 'conversations'), total(report, 'handedOver')]).toEqual([2, 1]);
});

test('reports: members have their address if another one of the workspace has the same name', async () => {
  const inbox = await start();
  const mia = await inbox.member('Mia', 'manager');
  const members = [await inbox.member('Ann'), await inbox.member('Ben'), await inbox.member('Cleo')];
  await inbox.member('Ann');
  await inbox.member('Ben');
  for (const member of members) {
    const { id, handOff } = await converse(inbox, ['Hello']);
    await handOff();
    expect((await member.call('POST', `/conversations/${id}/take`, {})).status).toBe(200);
  }
  const report = await reportOf(mia);
  const found = (index: number) => report.members.find(({ memberId }) => memberId === members[index]?.id);
  expect([found(0)?.email, found(1)?.email]).toEqual([members[0]?.email, members[1]?.email]);
  expect(found(2)).not.toHaveProperty('email');
});

test('reports: questions are messages before a handoff or a bad answer, in three conversations, until it is withdrawn', async () => {
  const inbox = await start();
  const [mia, dev] = [await inbox.member('Mia', 'manager'), await inbox.member('Dev', 'developer')];
  const { body } = await mia.call('POST', '/teams', { name: 'Secret', mode: 'manual', isRestricted: true });
  const first = await converse(inbox, ['Hi', 'Do you ship to Mars?']);
  const second = await converse(inbox, ['do you ship to MARS']);
  const third = await converse(inbox, ['Ship to Mars, do you?']);
  await first.handOff();
  expect((await second.rate('negative')).status).toBe(200);
  expect((await reportOf(mia)).questions).toEqual([]);
  // A message counts once, also with both causes.
  await first.rate('negative');
  expect((await reportOf(mia)).questions).toEqual([]);
  await third.rate('negative');
  const question = { text: 'Ship to Mars, do you?', count: 3, conversationId: third.id };
  expect((await reportOf(mia)).questions).toEqual([question]);
  await third.rate('positive');
  expect((await reportOf(mia)).questions).toEqual([]);
  await third.rate('negative');
  await third.rate(undefined);
  expect((await reportOf(mia)).questions).toEqual([]);
  // A conversation of a restricted team is for its members.
  await third.handOff({ team: 'Secret' });
  expect((await reportOf(mia)).questions).toEqual([question]);
  const hidden = await reportOf(dev);
  expect([hidden.questions, hidden.requested]).toEqual([[], 1]);
  const team = body.team.id;
  const ofTeam = await reportOf(mia, { team });
  expect(ofTeam).toMatchObject({ requested: 1, isOwn: false });
  expect([ofTeam.questions, ofTeam.days[0]?.conversations]).toEqual([undefined, undefined]);
  expect((await dev.call('GET', `/report?from=${today()}&to=${today()}&team=${team}`)).status).toBe(404);
  // Messages while a person is responsible say nothing about the bot.
  await mia.call('POST', `/conversations/${third.id}/take`, {});
  const { seq: seenSeq } = (await mia.call('GET', `/conversations/${third.id}/timeline`)).body;
  const payload = { type: 'text', text: 'Yes' };
  await mia.call('POST', `/conversations/${third.id}/replies`, { payload, seenSeq });
  const list = await inbox.server.call('GET', `/conversations/${third.id}/messages`, { key: third.key });
  const [ofPerson] = list.body.messages as { id: string }[];
  await inbox.server.call('PUT', `/messages/${ofPerson?.id}/feedback`, {
    key: third.key,
    body: { value: 'negative' },
  });
  expect((await inbox.rows('unanswered_messages')).map((row) => row.conversation_id).sort()).toEqual(
    [first.id, second.id].sort(),
  );
  // Nothing remains of a deleted conversation.
  await inbox.bot('DELETE', `/conversations/${second.id}`);
  expect((await reportOf(mia)).questions).toEqual([]);
});

test('reports: every statement finds its rows by an index', async () => {
  const { server, botId } = await start();
  if (server.db.isShared) return;
  const scopes: ReportScope[] = [
    { from: 0, to: 1, botIds: [botId], teamId: undefined, memberId: undefined, hiddenTeamIds: [] },
    {
      from: 0,
      to: 1,
      botIds: [botId, 'bot_other'],
      teamId: 'team_a',
      memberId: 'member_a',
      hiddenTeamIds: ['team_b'],
    },
    { from: 0, to: 1, botIds: [botId], teamId: undefined, memberId: undefined, hiddenTeamIds: ['team_b'] },
  ];
  const plans: string[] = [];
  await server.db.read(async (tx) => {
    const explaining: Tx = {
      dialect: tx.dialect,
      get: tx.get,
      async all(sql, ...values) {
        const plan = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
        plans.push(...plan.map(({ detail }) => detail));
        return [];
      },
    };
    for (const scope of scopes)
      for (const read of [
        ...[volumeIn, requestedIn, endedIn, ratedIn, repliesIn, assignmentsIn],
        ...[messagesBeforeHandoffs, notedMessages],
      ])
        await read(explaining, scope);
  });
  const scanned = plans.filter((plan) => /^SCAN (?!json_each|h$|\(subquery)/.test(plan));
  expect(scanned).toEqual([]);
  for (const index of [
    ...['handoffs_requested', 'handoffs_closed', 'ratings_rated', 'person_replies_at', 'assignments_begun'],
    ...['conversations_bot', 'unanswered_messages_at'],
  ])
    expect(
      plans.some((plan) => plan.includes(`${index} (`)),
      index,
    ).toBe(true);
});

test('reports: garbage, huge and foreign requests are refused, each with its reason', async () => {
  const inbox = await start();
  const mia = await inbox.member('Mia', 'manager');
  const viewer = await inbox.member('Vic', 'viewer');
  const foreign = await inbox.server.db.write(async (tx) => {
    const { id } = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
    const bot = await createBot(tx, { workspaceId: id, webhookId: 'other', name: 'other', now: 1 });
    await tx.run(
      `INSERT INTO teams (id, workspace_id, name, mode, capacity, is_restricted, is_default, created_at)
       VALUES ('team_other', ?, 'Other', 'manual', 1, 0, 0, 1)`,
      id,
    );
    return { id, bot: bot.id };
  });
  const good = { from: '2026-01-01', to: '2026-12-31' };
  const call = (member: Member, query: Record<string, string>, path = '/report') =>
    member.call('GET', `${path}?${new URLSearchParams(query)}`);
  expect((await call(mia, good)).status).toBe(200);
  // A leap year.
  expect((await call(mia, { from: '2028-01-01', to: '2028-12-31' })).status).toBe(200);
  for (const query of [
    { ...good, to: '2025-12-31' },
    { ...good, to: '2027-01-02' },
    { from: '0001-01-01', to: '9999-12-31' },
    { from: '1969-12-31', to: '1970-01-02' },
    { ...good, from: '2026-02-30' },
    { ...good, from: "2026-01-01'; DROP TABLE handoffs" },
    { ...good, timeZone: 'Mars/Olympus' },
  ] as Record<string, string>[]) {
    const { status, body } = await call(mia, query);
    expect([status, body.type], JSON.stringify(query)).toEqual([400, 'InvalidQuery']);
  }
  for (const query of [
    { ...good, bot: foreign.bot },
    { ...good, bot: 'none' },
    { ...good, team: 'team_other' },
    { ...good, team: 'none' },
  ]) {
    const { status, body } = await call(mia, query);
    expect([status, body.type], JSON.stringify(query)).toEqual([404, 'ResourceNotFound']);
  }
  expect((await call(mia, { ...good, table: 'handoffs' }, '/report/csv')).status).toBe(400);
  expect((await call(mia, good, '/report/csv')).status).toBe(400);
  expect((await call(viewer, good)).status).toBe(403);
  const headers = { ...mia.headers, 'x-workspace-id': foreign.id };
  const query = new URLSearchParams(good);
  expect((await inbox.request('GET', `/v1/inbox/report?${query}`, headers)).status).toBe(401);
  expect(
    (await inbox.request('GET', `/v1/inbox/report?${query}`, inbox.ofBot)).status,
  ).toBeGreaterThanOrEqual(400);
});
