// Tests of permissions: one table of every operation and every kind of caller. A refusal reveals nothing about the resource,
// changes no row and publishes nothing; an operation without a row in the table fails.
import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encodeRequest } from '../../client/platform/encode.ts';
import { apis, operationsOf } from '../../protocol/operations/apis.ts';
import {
  examplesOf,
  fillExample,
  type TestData,
} from '../../protocol/operations/example-requests.testing.ts';
import { billingBase, notOffered } from '../../protocol/operations/not-offered.ts';
import { schemas } from '../../protocol/schemas/chat.ts';
import { createBot, createWorkspace } from '../admin/first-start.ts';
import { ensureAdminToken, issueToken } from '../auth/tokens.ts';
import { filePaths } from '../files/bytes/openapi.ts';
import { insertMember } from '../storage/admin/workspaces.ts';
import { storeConfiguration } from '../storage/bots/configurations.ts';
import { insertUser } from '../storage/chat/users.ts';
import { settledRows } from '../testing/settled-rows.testing.ts';
import { allRows, base, pollOptions, secret, startTestServer, type TestServer } from '../testing.ts';

const operations = operationsOf('chat');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Creates a conversation whose every value contains a canary, and callers with every relation to it. */
async function createFixture() {
  const person = (name: string) => server.user({ name: `canary-${name}`, profile: 'canary-profile' });
  const [owner, participant, removed, deleted, invited, outsider] = await Promise.all([
    person('owner'),
    person('participant'),
    person('removed'),
    person('deleted'),
    server.user({ name: 'Invited' }),
    server.user({ name: 'Outsider' }),
  ]);
  const conversationId = await server.conversation(owner.key);
  const people = `/conversations/${conversationId}/participants`;
  await Promise.all(
    [participant, removed, deleted].map((guest) => server.join(owner.key, conversationId, guest)),
  );
  await server.call('POST', people, { key: owner.key, body: { userId: invited.id } });
  const sendMessage = async (key: string) => {
    const payload = { type: 'text', text: 'canary-text' };
    const { body } = await server.call('POST', '/messages', {
      key,
      body: { conversationId, payload, metadata: { note: 'canary-metadata' } },
    });
    return (body.message as { id: string }).id;
  };
  const [messageId, removedId, event] = await Promise.all([
    sendMessage(participant.key),
    sendMessage(removed.key),
    server.call('POST', '/events', {
      key: participant.key,
      body: { conversationId, payload: { note: 'canary-event' } },
    }),
  ]);
  // Marked as a message of the bot, so that it can have feedback.
  await server.db.write((tx) => tx.run('UPDATE messages SET is_bot = 1 WHERE id = ?', messageId));
  const comment = { value: 'positive', comment: 'canary-comment' };
  await server.call('PUT', `/messages/${messageId}/feedback`, { key: owner.key, body: comment });
  await server.call('DELETE', `${people}/${removed.id}`, { key: owner.key });
  await server.call('DELETE', '/users/me', { key: deleted.key });
  await server.composition.cleanUp();
  const eventId = (event.body.event as { id: string }).id;
  // Deliveries to the bot are processed in the background; nothing else changes by itself.
  const waiting = () => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries'));
  await expect.poll(waiting, pollOptions).toEqual([]);
  const users = { owner, participant, removed, deleted, invited, outsider };
  return { ...users, conversationId, messageId, removedId, eventId };
}
type Fixture = Awaited<ReturnType<typeof createFixture>>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Signs a key for `payload` with any secret. */
function forge(payload: object, header: object = { alg: 'HS256', typ: 'JWT' }, with_ = secret): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', with_).update(text).digest('base64url')}`;
}

/** Every kind of caller with the key that they send. The keys above the line name the owner and are invalid. */
const callers: Record<string, (fixture: Fixture) => string | undefined> = {
  nobody: () => undefined,
  garbage: () => 'a.b.c',
  'signed with another secret': ({ owner }) => forge({ id: owner.id }, undefined, 'another secret of 16'),
  unsigned: ({ owner }) => `${encode({ alg: 'none' })}.${encode({ id: owner.id })}.`,
  'signed with another algorithm': ({ owner }) => forge({ id: owner.id }, { alg: 'HS512', typ: 'JWT' }),
  expired: ({ owner }) => forge({ id: owner.id, exp: Math.floor(Date.now() / 1000) - 1 }),
  'not valid yet': ({ owner }) => forge({ id: owner.id, nbf: Math.floor(Date.now() / 1000) + 3_600 }),
  // ----
  deleted: ({ deleted }) => deleted.key,
  outsider: ({ outsider }) => outsider.key,
  invited: ({ invited }) => invited.key,
  removed: ({ removed }) => removed.key,
  participant: ({ participant }) => participant.key,
  owner: ({ owner }) => owner.key,
};
const invalidKeyCallers = 7;

/**
 * The status for each caller: those with invalid keys, then deleted, outsider, removed, participant, owner. An invited user
 * has the permissions of an outsider unless a status is given.
 */
const statuses = (
  withInvalidKey: number,
  ...[deleted, outsider, removed, participant, owner, invited = outsider]: [
    deleted: number,
    outsider: number,
    removed: number,
    participant: number,
    owner: number,
    invited?: number,
  ]
): number[] => [
  ...Array<number>(invalidKeyCallers).fill(withInvalidKey),
  ...[deleted, outsider, invited, removed, participant, owner],
];
const everybody = (status: number) => statuses(status, status, status, status, status, status);
const anyUser = (status: number) => statuses(401, 401, status, status, status, status);
const members = (status: number) => statuses(401, 401, 403, 403, status, status);
const ownerOnly = (status: number) => statuses(401, 401, 403, 403, 403, status);

const conversationPath = (fixture: Fixture) => `/conversations/${fixture.conversationId}`;

/** The values of the placeholders in the examples of the declarations. The requests are those of the examples. */
const testDataOf = (fixture: Fixture): TestData => ({
  user: fixture.outsider.id,
  key: fixture.outsider.key,
  other: fixture.participant.id,
  conversation: fixture.conversationId,
  invitation: fixture.conversationId,
  message: fixture.messageId,
  botMessage: fixture.messageId,
  event: fixture.eventId,
  // Nobody is asked a question or for a rating.
  interrupt: 'int_none',
  clientTool: 'int_none',
  rated: fixture.conversationId,
  handoff: 'handoff_none',
});

/**
 * Operation -> the expected statuses, and fields of the request that differ from those of the first example. Written and not
 * derived from the declarations: what is derived from the same source as the server cannot find a mistake in it.
 */
const matrix: Record<string, [expected: number[], fields?: (fixture: Fixture) => object]> = {
  createUser: [everybody(201)],
  getUser: [anyUser(200)],
  updateUser: [anyUser(200)],
  deleteUser: [anyUser(200)],
  // Only a user whom an application has identified can take over another one.
  mergeUser: [anyUser(403)],
  renewKey: [anyUser(201)],
  revokeKey: [anyUser(200)],
  revokeKeys: [anyUser(200)],
  // A key of an application creates its user; the issued key of a deleted user does not.
  getOrCreateUser: [statuses(401, 401, 201, 201, 201, 201)],
  createConversation: [anyUser(201)],
  listConversations: [anyUser(200)],
  getConversation: [members(200)],
  setRead: [members(200)],
  deleteConversation: [ownerOnly(200)],
  // The existing conversation: with an id of their own, everybody would create one.
  getOrCreateConversation: [ownerOnly(201), ({ conversationId }) => ({ id: conversationId })],
  listMessages: [members(200)],
  addParticipant: [ownerOnly(200), ({ outsider }) => ({ userId: outsider.id })],
  listParticipants: [members(200)],
  getParticipant: [ownerOnly(200)],
  // Participants can remove themselves; operations/participants.test.ts tests that they cannot remove others.
  removeParticipant: [statuses(401, 401, 403, 403, 200, 200)],
  listInvitations: [anyUser(200)],
  acceptInvitation: [statuses(401, 401, 404, 404, 200, 200, 200)],
  declineInvitation: [statuses(401, 401, 404, 404, 404, 404, 200)],
  createMessage: [members(201)],
  searchMessages: [anyUser(200)],
  getMessage: [members(200)],
  deleteMessage: [statuses(401, 401, 403, 403, 200, 403)],
  setFeedback: [members(200)],
  deleteFeedback: [members(200)],
  claimInterrupt: [anyUser(404)],
  respondToInterrupt: [anyUser(404)],
  // The bot of this server does not offer it.
  requestHandoff: [anyUser(403)],
  cancelHandoff: [members(200)],
  closeConversation: [members(200)],
  // Nobody was asked.
  rateConversation: [members(404)],
  listActivities: [members(200)],
  getContact: [anyUser(200)],
  getPush: [anyUser(200)],
  setPush: [anyUser(200), () => ({ keys: null })],
  // This server sends no mails.
  setContact: [anyUser(403)],
  mailTranscript: [statuses(401, 401, 403, 403, 403, 403)],
  useReturnLink: [everybody(401)],
  setTyping: [members(200)],
  setPage: [ownerOnly(200)],
  stopStream: [members(200)],
  createFile: [anyUser(201)],
  createEvent: [members(201)],
  getEvent: [members(200)],
  getWebchat: [everybody(200)],
  listenConversation: [members(200)],
};

test('the table has every operation, and an expectation for every caller', () => {
  expect(
    Object.keys(matrix).sort(),
    'Each operation of the Chat API needs a row in `matrix` in src/server/http/access.test.ts: who may call it.',
  ).toEqual(operations.map(({ id }) => id).sort());
  for (const [expected] of Object.values(matrix)) expect(expected).toHaveLength(Object.keys(callers).length);
});

test('every route of the server is an operation or one of the listed routes', () => {
  const apiRoutes = apis.flatMap(({ base, operations }) => [
    ...operations.map(({ method, path }) => `${method} ${base}${path}`),
    // Errors for wrong methods, and the handlers before all operations of an API: CORS, rate limits.
    ...operations.map(({ path }) => `ALL ${base}${path}`),
    `ALL ${base}/*`,
  ]);
  const chat = '/chat/{webhookId}';
  const unoffered = notOffered.flatMap(({ api, routes }) => {
    const base = apis.find(({ name }) => name === api)?.base ?? billingBase;
    return routes.map((route) => route.replace('ANY ', 'ALL ').replace(' ', ` ${base}`));
  });
  const expectedRoutes = new Set([
    ...apiRoutes,
    `GET ${chat}/hello`,
    `GET ${chat}/hello/`,
    `GET ${chat}/openapi.json`,
    ...unoffered,
    `ALL ${billingBase}/*`,
    'GET /v1/openapi.json',
    'GET /healthz',
    'GET /readyz',
    'GET /playground',
    'GET /console',
    'GET /v1/docs',
    'GET /docs',
    'GET /inbox',
    'GET /inbox/*',
    // Routes for every method that have separate tests: files, uploads, the widget, pages; and errors for wrong
    // methods.
    `ALL ${chat}/webchat.js`,
    `ALL ${chat}/page`,
    `ALL ${chat}/files/{token}/*`,
    `ALL ${chat}/uploads/{token}`,
    'ALL /v1/files/content/{token}/*',
    'ALL /v1/files/uploads/{token}',
    'ALL /v1/archives/{token}',
    'ALL /webchat/*',
    'ALL /playground/*',
    'GET /c',
    'ALL /c/*',
    'ALL /c/unsubscribe/{token}',
    'ALL /console/*',
    'ALL /v1/docs/*',
    'ALL /docs/*',
    'ALL /v1/openapi.json',
    'ALL /*',
    ...['/hello', '/openapi.json'].map((path) => `ALL ${chat}${path}`),
  ]);
  const routes = server.composition.app.routes.map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)(?:\{\.\+\})?/g, '{$1}')}`,
  );
  expect(routes.length).toBeGreaterThan(operations.length);
  expect(routes.filter((route) => !expectedRoutes.has(route))).toEqual([]);
});

async function sendAs(id: string, fixture: Fixture, key: string | undefined) {
  const operation = operations.find((row) => row.id === id);
  if (!operation) throw new Error(`The Chat API has no operation "${id}".`);
  const example = fillExample(examplesOf(operation)[0] ?? {}, testDataOf(fixture));
  const fields = { ...example, ...matrix[id]?.[1]?.(fixture) };
  const { method, target, body } = encodeRequest(id, operation.route, fields);
  const response = await server.fetch(base + target, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-user-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  if (operation.kind === 'subscription' && response.ok) {
    await response.body?.cancel();
    return { status: response.status, text: '', sent: target, operation };
  }
  return { status: response.status, text: await response.text(), sent: target + body, operation };
}

/** Returns the values in a response that only participants can know, without those that the caller sent. */
function leaks(answer: string, sent: string, fixture: Fixture): string[] {
  const secrets = [
    'canary',
    fixture.owner.id,
    fixture.participant.id,
    fixture.removed.id,
    fixture.messageId,
    fixture.removedId,
    fixture.eventId,
  ];
  return secrets.filter((word) => answer.includes(word) && !sent.includes(word));
}

/** Operations that change the fixture. */
const destructive = [
  ...['deleteUser', 'revokeKey', 'revokeKeys', 'deleteConversation', 'deleteMessage', 'removeParticipant'],
  ...['acceptInvitation', 'declineInvitation'],
];

test.each(Object.entries(matrix))('%s is allowed and rejected as in the table', async (id, [expected]) => {
  const cells = Object.entries(callers).map(([callerName, keyOf], at) => ({
    callerName,
    keyOf,
    status: expected[at] ?? 0,
  }));
  let fixture = await createFixture();

  // Refused: nothing is revealed, changed or published.
  const stream = await server.listen(fixture.owner.key, fixture.conversationId);
  onTestFinished(() => stream.cancel());
  const before = await settledRows(server.db);
  for (const { callerName, keyOf, status } of cells.filter((cell) => cell.status >= 400)) {
    const answer = await sendAs(id, fixture, keyOf(fixture));
    expect([callerName, answer.status]).toEqual([callerName, status]);
    const body = JSON.parse(answer.text);
    expect(v.is(schemas.error, body)).toBe(true);
    expect([callerName, body.metadata, leaks(answer.text, answer.sent, fixture)]).toEqual([
      callerName,
      // The holder of the key of a deleted user learns that the deletion is done, and nothing else.
      callerName === 'deleted' && id === 'deleteUser' ? { userDeleted: true } : undefined,
      [],
    ]);
  }
  expect(await allRows(server.db)).toEqual(before);
  expect(server.composition.pubSub.size).toBe(1);
  // This message follows everything that was published before it.
  await server.sendMessage(fixture.owner.key, fixture.conversationId, 'the end');
  const { signal } = await stream.until(({ data }) => data.includes('the end'));
  // On a slow machine there may be a ping, which has no signal.
  expect(stream.frames.flatMap((frame) => frame.signal ?? [])).toEqual([signal]);
  await stream.cancel();

  // Accepted: the response matches its schema and, for non-participants, contains no data of participants.
  for (const { callerName, keyOf, status } of cells.filter((cell) => cell.status < 400)) {
    if (destructive.includes(id)) fixture = await createFixture();
    const answer = await sendAs(id, fixture, keyOf(fixture));
    expect([callerName, answer.status]).toEqual([callerName, status]);
    if (!['participant', 'owner'].includes(callerName)) {
      // Their own id and name are allowed; an invited user also gets the id of the inviter.
      const own =
        callerName === 'removed'
          ? `${fixture.removed.id} canary`
          : callerName === 'invited'
            ? fixture.owner.id
            : '';
      expect([callerName, leaks(answer.text, answer.sent + own, fixture)]).toEqual([callerName, []]);
    }
    if (!answer.operation.output) continue;
    const body = JSON.parse(answer.text);
    const shape = v.safeParse(answer.operation.output, body);
    expect([callerName, answer.operation.status, shape.issues]).toEqual([callerName, status, undefined]);
    expect(body).toEqual(shape.output);
  }
});

describe('permissions that end', () => {
  test('a removed participant can still delete their own messages, and nothing else', async () => {
    const fixture = await createFixture();
    const { key } = fixture.removed;
    expect((await server.call('GET', `/messages/${fixture.removedId}`, { key })).status).toBe(403);
    const body = { value: 'positive' };
    expect((await server.call('PUT', `/messages/${fixture.removedId}/feedback`, { key, body })).status).toBe(
      403,
    );
    expect((await server.call('DELETE', `/messages/${fixture.removedId}`, { key })).status).toBe(200);
  });

  test('a stream is closed when the key that opened it is revoked', async () => {
    let time = Date.now();
    const timed = await startTestServer({ now: () => time });
    onTestFinished(() => timed.close());
    const { id, key } = await timed.user();
    const conversationId = await timed.conversation(key);
    const short = await timed.listen(forge({ id, exp: time / 1000 + 60 }), conversationId);
    const long = await timed.listen(key, conversationId);
    time += 59_000;
    timed.composition.pubSub.ping(Number.POSITIVE_INFINITY);
    await short.until(({ data }) => data === 'ping');
    time += 1_000;
    timed.composition.pubSub.ping(Number.POSITIVE_INFINITY);
    await short.ended;
    await timed.sendMessage(key, conversationId, 'canary');
    await long.untilType('message_created');
    expect(short.frames).toHaveLength(1);
    await long.cancel();
  });
});

describe('addresses of uploads and downloads', () => {
  const announce = async (key: string) => {
    const { body } = await server.call('POST', '/files', { key, body: { key: 'canary.txt', size: 2 } });
    const { uploadUrl, url } = body.file as { uploadUrl: string; url: string };
    return { write: new URL(uploadUrl).pathname, read: new URL(url).pathname };
  };
  const patch = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '1' };
  type Way = [method: string, headers: Record<string, string>, body: string | undefined, status: number];
  /** By operation in the OpenAPI document: the responses to a holder of the address, in this order. */
  const ways: Record<string, Way> = {
    putFileBytes: ['PUT', {}, 'x', 400],
    getUploadOffset: ['HEAD', {}, undefined, 204],
    patchFileBytes: ['PATCH', patch, 'x', 204],
    readFile: ['GET', {}, undefined, 200],
  };
  const use = (address: string, [method, headers, body]: Way, key?: string) =>
    server.fetch(address, {
      method,
      headers: { ...headers, ...(key ? { 'x-user-key': key } : {}) },
      ...(body === undefined ? {} : { body }),
    });

  test('the table contains all of them', () => {
    // Files of the Files API have separate tests (files/operations/files.test.ts).
    const described = Object.values(filePaths.chat ?? {}).flatMap((path) =>
      Object.values(path as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    expect(Object.keys(ways).sort()).toEqual(described.sort());
  });

  test('are valid for every holder, with any key, and a key alone is not sufficient', async () => {
    const fixture = await createFixture();
    for (const [callerName, keyOf] of Object.entries(callers)) {
      const { write, read } = await announce(fixture.owner.key);
      const before = await settledRows(server.db);
      const [writing = '', reading = ''] = [write.split('/')[4], read.split('/')[4]];
      for (const [name, way] of Object.entries(ways)) {
        const [own, other] = name === 'readFile' ? [reading, writing] : [writing, reading];
        for (const token of [other, `${own.slice(0, -4)}AAAA`, own.split('-')[0]]) {
          const address = name === 'readFile' ? `${base}/files/${token}/x` : `${base}/uploads/${token}`;
          const refused = await use(address, way, keyOf(fixture));
          expect([callerName, name, refused.status]).toEqual([callerName, name, 404]);
          expect(leaks(await refused.text(), address, fixture)).toEqual([]);
        }
      }
      expect(await allRows(server.db)).toEqual(before);
      for (const [name, way] of Object.entries(ways)) {
        const answer = await use(name === 'readFile' ? read : write, way, keyOf(fixture));
        expect([callerName, name, answer.status]).toEqual([callerName, name, way[3]]);
        await answer.body?.cancel();
      }
    }
  });

  test('stay valid when their user is removed from a conversation, and end with the user', async () => {
    const fixture = await createFixture();
    const { key, id } = fixture.participant;
    const [pending, done] = [await announce(key), await announce(key)];
    const get = async () => {
      const { status, body } = await server.fetch(done.read);
      await body?.cancel();
      return status;
    };
    const whole: Way = ['PUT', {}, 'xx', 204];
    expect((await use(done.write, whole)).status).toBe(204);
    await server.call('DELETE', `${conversationPath(fixture)}/participants/${id}`, {
      key: fixture.owner.key,
    });
    expect((await use(pending.write, ['PUT', {}, 'x', 400])).status).toBe(400);
    expect(await get()).toBe(200);
    await server.call('DELETE', '/users/me', { key });
    expect((await use(pending.write, whole)).status).toBe(404);
    expect(await get()).toBe(404);
  });
});

describe('the Admin API', () => {
  // Operations on one dead letter have separate tests (bot-logs.test.ts). Only operators can delete a workspace, and
  // never the first one: operator.test.ts. A personal access token is found by its member, in any workspace:
  // api-keys.test.ts.
  const elsewhere = ['deleteWorkspace', 'deletePersonalAccessToken'];
  const named = operationsOf('admin').filter(
    ({ id, path }) => path.includes('{id}') && !path.includes('{eventId}') && !elsewhere.includes(id),
  );

  test('has operations that name a resource', () => {
    expect(named.length).toBeGreaterThan(8);
  });

  // permissions.test.ts tests the table of permissions with unknown ids. Here the named resource exists.
  test.each(named)(
    '$id reveals nothing without authentication, nor to another workspace',
    async (operation) => {
      const home = await startTestServer();
      const { token = '', workspaceId } = home.admin;
      const other = 'other-token-'.repeat(4);
      let theirs = '';
      const ids = await home.db.write(async (tx) => {
        // Of `ensureAdminToken`: a work takes its locks before it writes.
        await tx.lock('start:');
        theirs = (await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 })).id;
        await ensureAdminToken(tx, theirs, other, 1);
        const bot = await createBot(tx, {
          workspaceId,
          webhookId: 'canary',
          name: 'canary',
          webhookUrl: 'https://canary.example',
          ownKeys: 1,
          now: 1,
        });
        await storeConfiguration(tx, bot.id, '{"botName":"canary"}');
        const person = { name: null, pictureUrl: null, profile: null, createdAt: 1, updatedAt: 1 };
        const visitor = { id: 'user_1', botId: bot.id, foreignId: 'visitor', keysValidAfter: null };
        await insertUser(tx, { ...visitor, ...person });
        const { owner } = await createWorkspace(tx, { name: 'canary', email: 'canary@example.com', now: 1 });
        const member = { ...owner, id: 'member_mine', workspaceId };
        await insertMember(tx, member);
        const of = { workspaceId, memberId: member.id, botId: null, integration: null, expiresAt: null };
        const { row } = await issueToken(tx, { ...of, kind: 'personal', name: 'canary', createdAt: 1 });
        const fields = {
          foreignId: null,
          name: 'canary',
          pictureUrl: null,
          profile: null,
          keysValidAfter: null,
        };
        await insertUser(tx, { id: 'user_mine', botId: bot.id, ...fields, createdAt: 1, updatedAt: 1 });
        await tx.run("UPDATE workspaces SET name = 'canary' WHERE id = ?", workspaceId);
        const ofBot = { ...of, memberId: null, botId: bot.id, kind: 'bot', name: 'canary' } as const;
        const { row: bak } = await issueToken(tx, { ...ofBot, createdAt: 1 });
        // The values of the placeholders in the examples.
        return {
          bot: bot.id,
          demoBot: bot.id,
          user: 'user_mine',
          other: 'user_mine',
          botTokenId: bak.id,
          tokenId: row.id,
          workspace: workspaceId,
          member: member.id,
        };
      });
      const { key } = await home.user();
      const of = (bearer: string, workspace = workspaceId) => ({
        authorization: `Bearer ${bearer}`,
        'x-workspace-id': workspace,
      });
      const request = encodeRequest(
        operation.id,
        operation.route,
        fillExample(examplesOf(operation)[0] ?? {}, ids),
      );
      const send = async (headers: Record<string, string>) => {
        const { method, target, body } = request;
        const response = await home.fetch(`/v1/admin${target}`, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body }),
        });
        return { status: response.status, text: await response.text() };
      };
      const before = await settledRows(home.db, ['audit_log']);
      for (const [headers, status] of [
        [{}, 401],
        [of('garbage'), 401],
        [of(key), 401],
        [{ 'x-user-key': key }, 401],
        [of(other), 401],
        [of(other, theirs), 404],
      ] as const) {
        const answer = await send(headers);
        expect(answer.status).toBe(status);
        expect(await allRows(home.db, ['audit_log'])).toEqual(before);
        for (const word of ['canary', ...Object.values(ids)]) expect(answer.text).not.toContain(word);
      }
      expect((await send(of(token))).status).toBe(200);
      await home.close();
    },
  );
});
