// Tests of user keys that are limited to one conversation: as an input they prove nothing, and a key whose limit cannot be read opens
// nothing. The operations are those of the declarations.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeRequest } from '../../client/platform/encode.ts';
import { apis, operationsOf } from '../../protocol/operations/apis.ts';
import { userKeyFields } from '../../protocol/schemas/base/user-key-input.ts';
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
