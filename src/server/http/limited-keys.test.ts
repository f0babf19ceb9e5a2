// Tests of user keys that are limited to one conversation: as an input they prove nothing, and a key whose limit cannot be read opens
// nothing. The operations are those of the declarations.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeRequest } from '../../client/platform/encode.ts';
import { apis, operationsOf } from '../../protocol/operations/apis.ts';
import { userKeyFields } from '../../protocol/schemas/chat.ts';
import { issuedClaims } from '../auth/user-keys.ts';
import { settledRows } from '../testing/settled-rows.testing.ts';
import { allRows, base, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const withKeys = apis.flatMap(({ operations }) => operations).filter((one) => userKeyFields(one).length > 0);

/** A visitor with two conversations, and a function that signs keys as the links in mails give them. */
async function createVisitor() {
  const { id, key } = await server.user({ name: 'canary' });
  const conversationId = await server.conversation(key);
  const other = await server.conversation(key);
  await server.sendMessage(key, other, 'canary');
  const keyFor = (conversation: unknown) =>
    server.sign(id, { ...issuedClaims(randomUUID(), Date.now(), 3_600), conversation });
  return { id, key, conversationId, keyFor };
}

test('keys with limits that are revoked, however many, end no other key of their user', async () => {
  const { key, conversationId, keyFor } = await createVisitor();
  const revoke = (limited: string) => server.call('DELETE', '/users/me/key', { key: limited });
  for (let n = 0; n < 100; n += 1) expect((await revoke(keyFor([conversationId]))).status).toBe(200);
  const last = await revoke(keyFor([conversationId]));
  expect([last.status, last.body.message]).toEqual([
    403,
    'Too many keys of this user with limits are revoked.',
  ]);
  expect((await server.call('GET', '/users/me', { key })).status).toBe(200);
  // Nor do they use up what the visitor may revoke.
  const { body } = await server.call('POST', '/users/me/key', { key });
  expect((await revoke(body.key as string)).status).toBe(200);
  expect((await server.call('GET', '/users/me', { key })).status).toBe(200);
  // The visitor ends all of them, and nothing of them stays.
  expect((await server.call('DELETE', '/users/me/keys', { key })).status).toBe(200);
  const { revoked_user_keys: rows } = await allRows(server.db);
  expect(rows).toEqual([]);
});

test('a limited key sends nothing to a conversation that has got the foreign id of its own one', async () => {
  const { key, keyFor } = await createVisitor();
  const id = `order-${randomUUID()}`;
  const create = async () => {
    const { body } = await server.call('POST', '/conversations/get-or-create', { key, body: { id } });
    return (body.conversation as { id: string }).id;
  };
  const send = (userKey: string) =>
    server.call('POST', '/messages', {
      key: userKey,
      body: { conversationId: id, payload: { type: 'text', text: 'Hello' } },
    });
  await create();
  const [{ id: serverId }] = (await server.db.read((tx) =>
    tx.all('SELECT id FROM conversations WHERE foreign_id = ?', id),
  )) as [{ id: string }];
  const limited = keyFor([serverId, id]);
  expect((await send(limited)).status).toBe(201);
  expect((await server.call('DELETE', `/conversations/${id}`, { key })).status).toBe(200);
  await create();
  expect((await send(limited)).status).toBe(403);
  expect((await send(key)).status).toBe(201);
});

test('a limited key gets no stored response to another key of its user', async () => {
  const { key, conversationId, keyFor } = await createVisitor();
  const profile = 'canary-profile';
  const headers = { 'idempotency-key': randomUUID() };
  await server.call('PUT', '/users/me', { key, body: { profile } });
  const get = (userKey: string) =>
    server.call('POST', '/users/get-or-create', { key: userKey, body: {}, headers });
  expect((await get(key)).body.user).toMatchObject({ profile });
  const { body } = await get(keyFor([conversationId]));
  expect(Object.keys(body.user as object)).not.toContain('profile');
});

test('the fields of user keys are found in the declarations', () => {
  expect(withKeys.map((operation) => [operation.id, userKeyFields(operation)])).toEqual([
    ['mergeUser', ['userKey']],
  ]);
  // A revocation takes any key, also a limited one: it proves nothing of its user.
  const named = apis.flatMap(({ operations }) =>
    operations.flatMap((operation) => {
      const { entries = {} } = (operation.input ?? {}) as { entries?: object };
      return Object.keys(entries).some((name) => /user_?key/i.test(name)) ? [operation.id] : [];
    }),
  );
  expect(named).toEqual(withKeys.map(({ id }) => id));
});

test.each(withKeys)('$id refuses a limited key in its input, and changes nothing', async (operation) => {
  const { id, key, conversationId, keyFor } = await createVisitor();
  const caller = await server.user({ id: `customer-${randomUUID()}` });
  const send = async (userKey: string) => {
    const fields = Object.fromEntries(userKeyFields(operation).map((name) => [name, userKey]));
    const { method, target, body } = encodeRequest(operation.id, operation.route, fields);
    const headers = { 'x-user-key': caller.key, 'content-type': 'application/json' };
    const response = await server.fetch(base + target, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: (await response.json()) as { message?: string } };
  };
  const before = await settledRows(server.db);
  const refused = await send(keyFor([conversationId]));
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'The user key is limited to one conversation.',
  ]);
  for (const malformed of [null, [], '', conversationId, [7], [conversationId, null]]) {
    expect([malformed, (await send(keyFor(malformed))).status]).toEqual([malformed, 403]);
  }
  expect(await allRows(server.db)).toEqual(before);
  expect((await server.call('GET', '/users/me', { key })).body.user).toMatchObject({ id });
  // The key of the visitor proves the same that it proved before.
  expect((await send(key)).status).toBe(200);
});

test.each([null, [], '', 'conv_1', 7, {}, false, [7], [''], [null]].map((claim) => ({ claim })))(
  'no operation accepts a key with the claim conversation $claim',
  async ({ claim }) => {
    const { id, conversationId, keyFor } = await createVisitor();
    const keys = [keyFor(claim), server.sign(id, { conversation: claim })];
    const ofUsers = operationsOf('chat').filter(({ auth }) => auth !== 'none');
    expect(ofUsers.length).toBeGreaterThan(30);
    const before = await settledRows(server.db);
    for (const { id: name, method, path } of ofUsers) {
      for (const key of keys) {
        const target = path.replace(/\{\w+\}/g, conversationId);
        const { status, body } = await server.call(method, target, { key });
        expect([name, status, JSON.stringify(body).includes('canary')]).toEqual([name, 401, false]);
      }
    }
    expect(await allRows(server.db)).toEqual(before);
  },
);
