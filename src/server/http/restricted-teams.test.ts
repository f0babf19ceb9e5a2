// Tests of conversations of a restricted team: the token of a member reads by no API what the inbox hides from the member. The
// operations and their requests are those of the declarations.
import { afterAll, describe, expect, test } from 'vitest';
import { encodeRequest } from '../../client/platform/encode.ts';
import { apis } from '../../protocol/operations/apis.ts';
import {
  examplesOf,
  fillExample,
  type TestData,
} from '../../protocol/operations/example-requests.testing.ts';
import { permissionTable, type Role, roles } from '../../protocol/permissions.ts';
import { type Inbox, startInbox } from '../inbox/testing.ts';
import { insertBotLog } from '../storage/bots/bot-logs.ts';
import { insertDelivery } from '../storage/bots/deliveries.ts';
import { createId } from '../storage/ids.ts';

/** The operations that a member can call with a token, without the stream of the team (inbox/streams.test.ts). */
const operations = apis.flatMap(({ base, operations }) =>
  operations
    .filter(({ auth }) => ['token', 'workspace', 'bot'].includes(auth))
    .filter(({ kind }) => kind !== 'teamSubscription')
    .map((operation) => ({ ...operation, base })),
);
type Called = (typeof operations)[number];

/** The roles whose members the inbox shows only conversations of their own teams. */
const restricted = roles.filter((role) => !permissionTable[role].includes('inbox.assign'));

let inbox: Inbox;
let hidden: TestData;
let members: Record<string, Awaited<ReturnType<Inbox['member']>>>;
/** Words that only who sees the conversation may read. */
let canaries: string[];

/** Streams of the bot in the hidden conversation: an open one, and one that has ended. */
let streams: string[];
let starting: Promise<void> | undefined;
/** Starts the server for all tests. Not in a hook, because it waits with `expect.poll`. */
const ready = (): Promise<void> => {
  starting ??= start();
  return starting;
};

async function start(): Promise<void> {
  inbox = await startInbox();
  const { server, botId, conversationId, key, visitor } = inbox;
  const found = await Promise.all(roles.map(async (role) => [role, await inbox.member(role, role)] as const));
  members = Object.fromEntries(found);
  const manager = members.manager as (typeof members)[string];
  const profile = { name: 'canary-name', profile: 'canary-profile' };
  await server.call('PUT', '/users/me', { key, body: profile });
  const message = await inbox.send('canary-text');
  const { body } = await server.call('POST', '/events', {
    key,
    body: { conversationId, payload: { a: 'canary-event' } },
  });
  const event = (body.event as { id: string }).id;
  const answer = { type: 'text', text: 'canary-answer' };
  const { body: sent } = await inbox.bot('POST', '/messages', {
    conversationId,
    payload: answer,
    tags: { a: 'b' },
  });
  await inbox.runtime('PUT', '', { tags: { a: 'b', order: 'canary-tag' } });
  await inbox.bot('PUT', `/users/${visitor.id}`, { tags: { a: 'b' } });
  for (const path of [`conversation/${conversationId}`, `user/${visitor.id}`])
    await inbox.bot('POST', `/states/${path}/cart`, { payload: { a: 'canary-state' } });
  await inbox.idle();
  await inbox.runtime('POST', '/handoff', { summary: 'canary-summary' });
  await inbox.idle();
  const open = async () => (await inbox.bot('POST', '/streams', { conversationId })).body.stream.id as string;
  const [stream, ended] = [await open(), await open()];
  await inbox.bot('POST', `/streams/${stream}/deltas`, { delta: 'canary-piece' });
  await inbox.bot('POST', `/streams/${ended}/end`, { payload: { type: 'text', text: 'canary-end' } });
  streams = [stream, ended];
  const team = { name: 'VIP', mode: 'manual', isRestricted: true, memberIds: [] };
  const { body: made } = await manager.call('POST', '/teams', team);
  expect((await manager.act('POST', '/assign', { teamId: made.team.id })).status).toBe(200);
  const { body: noted } = await manager.act('POST', '/notes', { body: 'canary-note' });
  const failed = createId('evt');
  await server.db.write(async (tx) => {
    const common = { eventId: failed, conversationId, createdAt: Date.now() };
    const failure = { id: createId('log'), botId, kind: 'bot_failed', attempt: 1 } as const;
    await insertBotLog(tx, { ...common, ...failure, status: null, reason: null, error: null });
    const nothing = { ref: null, data: null, locale: null };
    await insertDelivery(tx, { ...common, ...nothing, seq: 1, userId: visitor.id, kind: 'custom' });
    await tx.run("UPDATE deliveries SET state = 'dead', failed_at = 1, reason = 'x'");
  });
  const ids = {
    conversation: conversationId,
    message,
    event,
    user: visitor.id,
    note: noted.note.id as string,
  };
  const others = { botMessage: sent.message.id as string, deadLetter: failed };
  canaries = ['canary', ...Object.values(ids), ...Object.values(others)];
  hidden = { ...ids, ...others, handled: conversationId, other: visitor.id, bot: botId, demoBot: botId };
}
afterAll(() => inbox?.close());

/** The requests of an operation, about the hidden conversation where they name one. */
function requestsOf(operation: Called): { input: Record<string, unknown>; text: string }[] {
  // Placeholders of other resources name nothing.
  const data = new Proxy(hidden, { get: (target, name: string) => target[name] ?? 'none' });
  return examplesOf(operation).map((example) => {
    const input = fillExample({ ...example }, data);
    if ('eventId' in input) Object.assign(input, { eventId: hidden.deadLetter });
    for (const [field, id] of Object.entries({ userId: hidden.user, conversationId: hidden.conversation }))
      if (operation.path.includes(`{${field}}`)) Object.assign(input, { [field]: id });
    return { input, text: JSON.stringify(input) };
  });
}

/** Calls an operation, and returns the status and those words in the response that the request does not contain. */
async function call(operation: Called, role: Role, { input, text }: { input: object; text: string }) {
  const { method, target, body } = encodeRequest(operation.id, operation.route, input);
  const response = await inbox.server.fetch(operation.base + target, {
    method,
    headers: {
      ...members[role]?.headers,
      ...(operation.auth === 'bot' ? { 'x-bot-id': inbox.botId } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const answer = await response.text();
  const leaks = canaries.filter((word) => answer.includes(word) && !text.includes(word));
  return { status: response.status, leaks };
}

const isAbout = (text: string): boolean => canaries.some((word) => text.includes(word));

test('the roles that see only their own teams are known, and the requests are about the conversation', async () => {
  await ready();
  expect(restricted).toEqual(['viewer', 'billing', 'support', 'developer']);
  const shown: string[] = [];
  for (const operation of operations.filter(({ kind }) => kind === 'query')) {
    for (const request of requestsOf(operation)) {
      const { status, leaks } = await call(operation, 'owner', request);
      expect([operation.id, status < 500]).toEqual([operation.id, true]);
      if ((status < 300 && isAbout(request.text)) || leaks.length > 0) shown.push(operation.id);
    }
  }
  // If one is missing, the tests below prove nothing of it.
  expect([...new Set(shown)].sort()).toEqual([
    ...['createStream', 'exportVisitor', 'getBotConversation', 'getBotEvent', 'getBotMessage'],
    ...['getBotParticipant', 'getBotState', 'getBotUser', 'getHandling', 'getInboxConversation'],
    ...['getInboxTimeline', 'listAuditLog', 'listBotConversations', 'listBotEvents', 'listBotLogs'],
    ...['listBotMessages', 'listBotParticipants', 'listBotUsers', 'listDeadLetters'],
    ...['listInboxConversations', 'listVisitorConversations', 'listVisitors', 'setBotTyping'],
  ]);
});

describe.each(restricted)('the token of a member with the role %s', (role) => {
  test('reads nothing of a conversation of a restricted team, by no operation', async () => {
    await ready();
    for (const operation of operations.filter(({ kind }) => kind === 'query')) {
      for (const request of requestsOf(operation)) {
        const { status, leaks } = await call(operation, role, request);
        expect([operation.id, request.text, status < 500, leaks]).toEqual([
          operation.id,
          request.text,
          true,
          [],
        ]);
      }
    }
  });

  test('changes nothing of it, and no refusal shows anything', async () => {
    await ready();
    const rows = async () =>
      JSON.stringify([
        ...(await inbox.rows('conversations')),
        ...(await inbox.rows('messages')),
        ...(await inbox.rows('users')).filter((row) => row.bot_id === inbox.botId),
        ...(await inbox.rows('states')),
        ...(await inbox.rows('handlings')),
        ...(await inbox.rows('deliveries')),
      ]);
    const before = await rows();
    for (const operation of operations.filter(({ kind }) => kind === 'mutation')) {
      for (const request of requestsOf(operation)) {
        // A resource with the tags of the example is about the conversation, too.
        if (!isAbout(request.text.replaceAll(inbox.botId, ''))) continue;
        const { leaks } = await call(operation, role, request);
        expect([operation.id, request.text, leaks]).toEqual([operation.id, request.text, []]);
      }
    }
    expect(await rows()).toBe(before);
  });

  test('reads, changes and ends no streamed answer by its id', async () => {
    await ready();
    const headers = { ...members[role]?.headers, 'x-bot-id': inbox.botId };
    for (const id of [...streams, 'stream_none']) {
      const answers = [
        await inbox.request('POST', `/v1/chat/streams/${id}/deltas`, headers, { delta: 'x' }),
        await inbox.request('POST', `/v1/chat/streams/${id}/end`, headers, {}),
        await inbox.request('POST', `/v1/chat/streams/${id}/abort`, headers),
      ];
      const canWrite = permissionTable[role].includes('chat.write');
      expect(answers.map(({ status }) => status)).toEqual(Array(3).fill(canWrite ? 404 : 403));
    }
  });

  test('finds nothing by the tags that the hidden conversation and its visitor have', async () => {
    await ready();
    const headers = { ...members[role]?.headers, 'x-bot-id': inbox.botId };
    for (const noun of ['messages', 'conversations', 'users']) {
      const { body } = await inbox.request('GET', `/v1/chat/${noun}?tags[a]=b`, headers);
      expect(canaries.filter((word) => JSON.stringify(body).includes(word))).toEqual([]);
    }
    for (const noun of ['conversations', 'users']) {
      const wanted = { tags: { a: 'b' }, ...(noun === 'conversations' ? { channel: 'channel' } : {}) };
      const { body } = await inbox.request('POST', `/v1/chat/${noun}/get-or-create`, headers, wanted);
      expect(canaries.filter((word) => JSON.stringify(body).includes(word))).toEqual([]);
    }
  });
});

test('a member deletes no visitor with a conversation that is hidden from the member', async () => {
  await ready();
  const { server, botId } = inbox;
  const { id, key } = await server.user();
  const [secret, shown] = [await server.conversation(key), await server.conversation(key)];
  await inbox.bot('POST', `/conversations/${secret}/handoff`, {});
  const manager = members.manager as (typeof members)[string];
  const { body: listed } = await manager.call('GET', '/teams');
  const assigned = { teamId: listed.teams[0].id };
  expect((await manager.call('POST', `/conversations/${secret}/assign`, assigned)).status).toBe(200);
  const remove = (role: Role) =>
    inbox.request('DELETE', `/v1/chat/users/${id}`, { ...members[role]?.headers, 'x-bot-id': botId });
  expect((await remove('developer')).status).toBe(403);
  for (const conversation of [secret, shown])
    expect((await server.call('GET', `/conversations/${conversation}`, { key })).status).toBe(200);
  expect((await remove('manager')).status).toBe(200);
});
