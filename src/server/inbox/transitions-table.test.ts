// The table of transitions: each operation that changes who answers, in each state, by who has the conversation. A cell is
// what becomes of the conversation, or the refusal.
import { describe, expect, test } from 'vitest';
import type { actions } from '../../protocol/operations/inbox/conversations.ts';
import type { Role } from '../../protocol/permissions.ts';
import { type Inbox, type TestResponse, useInbox } from './testing.ts';

const start = useInbox();

/** `own`: of the caller; `other`: of a colleague; `desk`: of a person at another help desk; without: of nobody. */
const situations = [
  'none',
  'bot',
  'waiting',
  'assigned own',
  'assigned other',
  'assigned desk',
  'snoozed own',
  'snoozed other',
  'snoozed',
  'closed',
] as const;

type Situation = (typeof situations)[number];
type Member = Awaited<ReturnType<Inbox['member']>>;

const payload = { type: 'text', text: 'Hello' };

/** Creates conversations of new visitors in a situation, and the actions on them. */
async function setUp(role: Role) {
  const inbox = await start(undefined, { RATE_LIMIT: 1_000_000 });
  const [own, other, manager] = [
    await inbox.member('Ada', role),
    await inbox.member('Ben'),
    await inbox.member('Mia', 'manager'),
  ];
  const deployment = `/v1/admin/bots/${inbox.botId}/deployment`;
  await inbox.request('PUT', deployment, manager.headers, { visitorHandoff: true });
  const team = (await manager.call('POST', '/teams', { name: 'Billing', mode: 'manual' })).body.team.id;
  const { key } = inbox.visitor;

  async function create(situation: Situation) {
    const id = await inbox.server.conversation(key);
    const by = (member: Member, method: string, path: string, body: unknown = {}): Promise<TestResponse> =>
      member.call(method, `/conversations/${id}${path}`, method === 'DELETE' ? undefined : body);
    const bot = (method: string, path: string, body?: unknown) =>
      inbox.bot(method, `/conversations/${id}${path}`, body);
    const [state, who] = situation.split(' ');
    const answerers: Record<string, () => Promise<TestResponse>> = {
      own: () => by(own, 'POST', '/take'),
      other: () => by(other, 'POST', '/take'),
      desk: () => bot('POST', '/handoff/accept', { person: { name: 'Desk' } }),
    };
    if (state !== 'none') await bot('POST', '/handoff', {});
    if (who) await answerers[who]?.();
    if (state === 'snoozed') await by(manager, 'POST', '/snooze');
    if (state === 'closed') await by(manager, 'POST', '/close');
    if (state === 'bot') await bot('DELETE', '/handoff');

    const row = async () => (await inbox.rows('handlings')).find((each) => each.conversation_id === id);
    const read = async (): Promise<Situation> => {
      const found = await row();
      if (!found) return 'none';
      const { assignee_id: assignee, person_id: person } = found;
      const has =
        assignee === own.id ? 'own' : assignee === other.id ? 'other' : person !== null ? 'desk' : undefined;
      return [found.state, has].filter(Boolean).join(' ') as Situation;
    };
    return { id, row, read, by, bot, own, other, team, inbox };
  }
  return create;
}

type Conversation = Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>>>;

/** The response of an operation, and the conversation after it; a refusal changes nothing. */
async function cellOf(conversation: Conversation, ask: Ask): Promise<string> {
  const before = await conversation.row();
  const { status, body } = await ask(conversation);
  if (status < 300) return conversation.read();
  expect(await conversation.row()).toEqual(before);
  // It names the state and the revision, so that a client can show what has happened.
  if (body.type === 'StaleRevision')
    expect(body.metadata).toEqual({ state: before?.state ?? 'bot', revision: before?.revision ?? 0 });
  if (body.metadata?.assignee) {
    const { assignee } = body.metadata;
    expect(assignee.memberId).toBe(before?.assignee_id ?? undefined);
    expect(body.message).toBe(`${assignee.name} answers this conversation.`);
  }
  return `${status} ${body.type}`;
}

type Ask = (conversation: Conversation) => Promise<TestResponse>;

const act =
  (method: string, path: string, body: object = {}): Ask =>
  ({ by, own }) =>
    by(own, method, path, body);
const ofBot =
  (method: string, path: string, body?: object): Ask =>
  ({ bot }) =>
    bot(method, path, body);
const ofVisitor =
  (method: string, path: string): Ask =>
  ({ inbox, id }) =>
    inbox.request(
      method,
      `/chat/demo/conversations/${id}${path}`,
      { 'x-user-key': inbox.key },
      method === 'POST' ? {} : undefined,
    );
const write =
  (fields: object): Ask =>
  ({ inbox, id }) =>
    inbox.bot('POST', '/messages', { conversationId: id, payload, ...fields });
const reply = { payload, seenSeq: 1_000 };

/** By the names of the operations. */
const asksOfMember: Record<keyof typeof actions, Ask> & Record<string, Ask> = {
  takeConversation: act('POST', '/take'),
  assignConversation: ({ by, own, other }) => by(own, 'POST', '/assign', { memberId: other.id }),
  'assignConversation to a team': ({ by, own, team }) => by(own, 'POST', '/assign', { teamId: team }),
  releaseConversation: act('POST', '/release'),
  closeInboxConversation: act('POST', '/close'),
  reopenConversation: act('POST', '/reopen'),
  snoozeConversation: act('POST', '/snooze'),
  unsnoozeConversation: act('DELETE', '/snooze'),
  returnConversation: act('POST', '/return'),
  setInboxTags: act('PUT', '/tags', { tags: ['vip'] }),
  createReply: act('POST', '/replies', reply),
  'createReply and take': act('POST', '/replies', { ...reply, take: true }),
  createNote: act('POST', '/notes', { body: 'VIP' }),
};

const asksOfOthers: Record<string, Ask> = {
  'a visitor asks for a person': ofVisitor('POST', '/handoff'),
  'a visitor goes back to the bot': ofVisitor('DELETE', '/handoff'),
  'a visitor ends': ofVisitor('POST', '/close'),
  'a bot asks for a person': ofBot('POST', '/handoff', {}),
  'a person at another desk accepts': ofBot('POST', '/handoff/accept', { person: { name: 'Desk' } }),
  'a bot ends the handoff': ofBot('DELETE', '/handoff'),
  'a bot writes': write({}),
  'a person at another desk writes': write({ as: 'person' }),
};

/** The words of the tables for refusals. */
const refusals: Record<string, string> = {
  missing: '404 ResourceNotFound',
  stale: '409 StaleRevision',
  taken: '409 AlreadyTaken',
  ofOther: '409 AssignedToOther',
  forbidden: '403 Forbidden',
  silent: '409 HandledByPerson',
  invalid: '400 InvalidPayload',
};

/** A row for each question, with a cell for each of `situations` in their order. `.`: it stays as it is. */
const ofSupport = `
  takeConversation: own, own, own, ., taken, taken, own, taken, own, own
  assignConversation: missing, stale, other, other, forbidden, forbidden, other, forbidden, other, stale
  assignConversation to a team: missing, stale, waiting, waiting, forbidden, forbidden, waiting, forbidden, waiting, stale
  releaseConversation: missing, stale, ., waiting, forbidden, forbidden, waiting, forbidden, waiting, stale
  closeInboxConversation: missing, ., closed, closed, closed, closed, closed, closed, closed, .
  reopenConversation: missing, stale, own, ., taken, taken, stale, stale, stale, own
  snoozeConversation: missing, stale, snoozed, snoozed own, snoozed other, snoozed desk, ., ., ., stale
  unsnoozeConversation: missing, stale, stale, stale, stale, stale, own, other, waiting, stale
  returnConversation: missing, ., bot, bot, forbidden, forbidden, bot, forbidden, bot, stale
  setInboxTags: missing, ., ., ., ., ., ., ., ., .
  createReply: stale, stale, stale, ., ofOther, ofOther, own, ofOther, stale, stale
  createReply and take: own, own, own, ., ofOther, ofOther, own, ofOther, own, own
  createNote: missing, ., ., ., ., ., ., ., ., .`;

/** The rows with a refusal for a missing permission, for a member who has it. */
const ofManager = `
  assignConversation: missing, stale, other, other, ., other, other, ., other, stale
  assignConversation to a team: missing, stale, waiting, waiting, waiting, waiting, waiting, waiting, waiting, stale
  releaseConversation: missing, stale, ., waiting, waiting, waiting, waiting, waiting, waiting, stale
  returnConversation: missing, ., bot, bot, bot, bot, bot, bot, bot, stale`;

const ofOthers = `
  a visitor asks for a person: waiting, waiting, ., ., ., ., ., ., ., waiting
  a visitor goes back to the bot: ., ., bot, silent, silent, silent, silent, silent, bot, .
  a visitor ends: ., ., closed, closed, closed, closed, closed, closed, closed, .
  a bot asks for a person: waiting, waiting, ., ., ., ., ., ., ., waiting
  a person at another desk accepts: stale, stale, desk, taken, taken, ., taken, taken, desk, stale
  a bot ends the handoff: ., ., bot, taken, taken, bot, taken, taken, bot, .
  a bot writes: ., ., silent, silent, silent, silent, silent, silent, silent, silent
  a person at another desk writes: invalid, invalid, invalid, silent, silent, ., silent, silent, invalid, invalid`;

const assigned = ['own', 'other', 'desk'];
/** The rows of a table: the name of the question, and what is expected in each situation. */
const rowsOf = (table: string): [name: string, expected: Record<string, string>][] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', cells = ''] = line.trim().split(': ');
      const expected = cells.split(', ').map((cell, n) => {
        const situation = situations[n] ?? '';
        if (cell === '.') return [situation, situation];
        return [situation, refusals[cell] ?? (assigned.includes(cell) ? `assigned ${cell}` : cell)];
      });
      return [name, Object.fromEntries(expected)];
    });

async function rowOf(create: Awaited<ReturnType<typeof setUp>>, ask: Ask): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const situation of situations) {
    const conversation = await create(situation);
    expect(await conversation.read()).toBe(situation);
    found[situation] = await cellOf(conversation, ask);
  }
  return found;
}

describe('in each state, the answer to an operation says what has become of the conversation, or why it is refused', () => {
  test.each([
    ['a member who may change their own conversations', 'support', asksOfMember, ofSupport],
    ['a member who may change conversations of others', 'manager', asksOfMember, ofManager],
    ['visitors, bots and other help desks', 'support', asksOfOthers, ofOthers],
  ] as const)('the answers to %s are those of the table', async (_, role, asks, table) => {
    const create = await setUp(role);
    for (const [name, expected] of rowsOf(table))
      expect([name, await rowOf(create, asks[name] as Ask)]).toEqual([name, expected]);
  });

  test('the tables have a row for each operation', () => {
    const namesOf = (table: string) => rowsOf(table).map(([name]) => name);
    expect(namesOf(ofSupport)).toEqual(Object.keys(asksOfMember));
    expect(namesOf(ofOthers)).toEqual(Object.keys(asksOfOthers));
    const forbidden = rowsOf(ofSupport).filter(([, cells]) => Object.values(cells).includes('403 Forbidden'));
    expect(namesOf(ofManager)).toEqual(forbidden.map(([name]) => name));
  });
});

test('who has lost a conversation meanwhile is told that it has changed, and not that a permission is missing', async () => {
  const create = await setUp('support');
  const { by, own, other, row, id } = await create('assigned own');
  const { revision } = (await row()) ?? {};
  await by(own, 'POST', '/assign', { memberId: other.id });
  const now = (await row())?.revision;
  for (const path of ['/release', '/return', '/assign']) {
    const body = { revision, ...(path === '/assign' ? { memberId: own.id } : {}) };
    const refused = await own.call('POST', `/conversations/${id}${path}`, body);
    expect([path, refused.status, refused.body.type, refused.body.metadata]).toEqual([
      ...[path, 409, 'StaleRevision'],
      { state: 'assigned', revision: now },
    ]);
    const response = await own.call('POST', `/conversations/${id}${path}`, { ...body, revision: now });
    expect([path, response.status, response.body.message]).toEqual([
      ...[path, 403],
      'This needs inbox.assign, because another person answers.',
    ]);
  }
});

test('a bot that writes is told whether a person answers or the conversation is closed', async () => {
  const create = await setUp('support');
  const refusal = async (situation: Situation) => {
    const { inbox, id } = await create(situation);
    return (await inbox.bot('POST', '/messages', { conversationId: id, payload })).body.message;
  };
  expect(await refusal('assigned own')).toMatch(/^A person answers/);
  expect(await refusal('closed')).toMatch(/^The conversation is closed/);
});
