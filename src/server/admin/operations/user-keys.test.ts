// Tests of the revocation of user keys by members: all keys of one visitor, or one leaked key.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUserKeys } from '../../auth/user-keys.ts';
import { type AdminFixture, createAdminFixture, requesterFor } from '../testing.ts';

let fixture: AdminFixture;
let demo: string;
beforeAll(async () => {
  fixture = await createAdminFixture();
  demo = (await fixture.owner('GET', '/bots?sortDirection=asc')).body.bots[0].id;
});
afterAll(() => fixture.server.close());

const revoke = (body: unknown, send = fixture.by.manager, bot = demo) =>
  send('POST', `/bots/${bot}/user-keys/revoke`, body);
const me = async (key: string) => (await fixture.server.call('GET', '/users/me', { key })).status;
const getOrCreate = async (key: string) =>
  (await fixture.server.call('POST', '/users/get-or-create', { key, body: {} })).status;
// One second for all, so that the dates of two keys differ by what the tests say.
const begun = Math.floor(Date.now() / 1_000);
const ahead = (seconds: number) => begun + seconds;

test('revoking all keys of a user, by either id, closes their streams; later keys and other users are unaffected', async () => {
  const [one, other] = [await fixture.server.user(), await fixture.server.user()];
  const conversationId = await fixture.server.conversation(one.key);
  const stream = await fixture.server.listen(one.key, conversationId);
  expect(await revoke({ userId: one.id })).toEqual({ status: 200, body: {} });
  await stream.ended;
  expect([await me(one.key), await me(other.key)]).toEqual([401, 200]);

  const signed = fixture.server.sign('customer-1');
  await getOrCreate(signed);
  expect((await revoke({ userId: 'customer-1' })).status).toBe(200);
  expect([await me(signed), await getOrCreate(signed)]).toEqual([401, 401]);
  // Dated a minute later: keys with an earlier date may have been signed before the revocation.
  expect(await me(fixture.server.sign('customer-1', { iat: Date.now() / 1_000 + 60 }))).toBe(200);
});

test('a leaked key can be revoked before its user exists or its validity begins; repeating it changes nothing', async () => {
  const leaked = fixture.server.sign('customer-2', { iat: ahead(-60) });
  const other = fixture.server.sign('customer-2', { iat: ahead(-61) });
  for (let n = 0; n < 2; n += 1) expect((await revoke({ key: leaked })).status).toBe(200);
  expect([await getOrCreate(leaked), await getOrCreate(other), await me(leaked)]).toEqual([401, 201, 401]);

  const early = fixture.server.sign('customer-2', { nbf: ahead(3_600) });
  expect((await revoke({ key: early })).status).toBe(200);
  const late = fixture.server.sign('customer-2', { exp: ahead(-3_600) });
  expect((await revoke({ key: late })).status).toBe(200);

  const issued = await fixture.server.user();
  const stream = await fixture.server.listen(issued.key, await fixture.server.conversation(issued.key));
  expect((await revoke({ key: issued.key })).status).toBe(200);
  await stream.ended;
  expect(await me(issued.key)).toBe(401);
});

test('a value that is not a key of this bot and an unknown user are refused without a change', async () => {
  const { id, key } = await fixture.server.user();
  for (const body of [
    {},
    { userId: id, key },
    { key: 'a.b.c' },
    { key: '' },
    { key: `${key}x` },
    { key: createUserKeys('another secret altogether').sign(id) },
    { userId: 7 },
  ]) {
    expect([body, (await revoke(body)).status]).toEqual([body, 400]);
  }
  expect((await revoke({ userId: 'nobody' })).status).toBe(404);
  expect((await revoke({ userId: 'x\0' })).status).toBe(400);
  const { bot } = (await fixture.owner('POST', '/bots', { name: 'Other' })).body;
  expect((await revoke({ userId: id }, fixture.owner, bot.id)).status).toBe(404);
  expect((await revoke({ key }, fixture.owner, bot.id)).status).toBe(400);
  const made = await fixture.owner('POST', '/workspaces', { name: 'Other', email: 'o@example.com' });
  const otherWorkspace = requesterFor(fixture.server, made.body.value, made.body.workspace.id);
  expect((await revoke({ key }, otherWorkspace)).status).toBe(404);
  for (const role of ['viewer', 'billing', 'developer'] as const) {
    expect([role, (await revoke({ key }, fixture.by[role])).status]).toEqual([role, 403]);
  }
  expect(await me(key)).toBe(200);
});

test('records of revoked keys and deleted users are deleted with their bot', async () => {
  const { bot } = (await fixture.owner('POST', '/bots', { name: 'Doomed', webhookId: 'doomed' })).body;
  const { deployment } = (await fixture.owner('GET', `/bots/${bot.id}/deployment`)).body;
  const keys = createUserKeys(deployment.userKeySecret);
  await revoke({ key: keys.sign('a') }, fixture.owner, bot.id);
  const key = keys.sign('b');
  const headers = { 'x-user-key': key, 'content-type': 'application/json' };
  await fixture.server.fetch('/chat/doomed/users/get-or-create', { method: 'POST', headers, body: '{}' });
  await fixture.server.fetch('/chat/doomed/users/me', { method: 'DELETE', headers });
  const storedKeys = () =>
    fixture.server.db.read((tx) =>
      tx.all(
        'SELECT bot_id FROM revoked_user_keys WHERE bot_id = ? UNION ALL SELECT bot_id FROM deleted_users WHERE bot_id = ?',
        bot.id,
        bot.id,
      ),
    );
  expect(await storedKeys()).toHaveLength(2);
  await fixture.owner('DELETE', `/bots/${bot.id}`);
  await fixture.server.composition.cleanUp();
  expect(await storedKeys()).toEqual([]);
});
