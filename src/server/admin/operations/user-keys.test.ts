// Members of a workspace revoke user keys of a bot's visitors: all of one visitor, or one that has leaked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUserKeys } from '../../auth/user-keys.ts';
import { type AdminScene, adminScene, asker } from '../testing.ts';

let scene: AdminScene;
let demo: string;
beforeAll(async () => {
  scene = await adminScene();
  demo = (await scene.owner('GET', '/bots?sortDirection=asc')).body.bots[0].id;
});
afterAll(() => scene.server.close());

const revoke = (body: unknown, ask = scene.by.manager, bot = demo) =>
  ask('POST', `/bots/${bot}/user-keys/revoke`, body);
const me = async (key: string) => (await scene.server.call('GET', '/users/me', { key })).status;
const getOrCreate = async (key: string) =>
  (await scene.server.call('POST', '/users/get-or-create', { key, body: {} })).status;
const ahead = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

test('all keys of a user, by either id: its streams end, later keys are valid, others do not notice', async () => {
  const [one, other] = [await scene.server.user(), await scene.server.user()];
  const room = await scene.server.conversation(one.key);
  const stream = await scene.server.listen(one.key, room);
  expect(await revoke({ userId: one.id })).toEqual({ status: 200, body: {} });
  await stream.ended;
  expect([await me(one.key), await me(other.key)]).toEqual([401, 200]);

  const signed = scene.server.sign('customer-1');
  await getOrCreate(signed);
  expect((await revoke({ userId: 'customer-1' })).status).toBe(200);
  expect([await me(signed), await getOrCreate(signed)]).toEqual([401, 401]);
  // As signed a minute from now: keys that are dated up to then may have been signed before.
  expect(await me(scene.server.sign('customer-1', { iat: Date.now() / 1_000 + 60 }))).toBe(200);
});

test('one key that has leaked, also before its user or its time comes; a second time changes nothing', async () => {
  const leaked = scene.server.sign('customer-2', { iat: ahead(-60) });
  const other = scene.server.sign('customer-2', { iat: ahead(-61) });
  for (let n = 0; n < 2; n += 1) expect((await revoke({ key: leaked })).status).toBe(200);
  expect([await getOrCreate(leaked), await getOrCreate(other), await me(leaked)]).toEqual([401, 201, 401]);

  const early = scene.server.sign('customer-2', { nbf: ahead(3_600) });
  expect((await revoke({ key: early })).status).toBe(200);
  const late = scene.server.sign('customer-2', { exp: ahead(-3_600) });
  expect((await revoke({ key: late })).status).toBe(200);

  const issued = await scene.server.user();
  const stream = await scene.server.listen(issued.key, await scene.server.conversation(issued.key));
  expect((await revoke({ key: issued.key })).status).toBe(200);
  await stream.ended;
  expect(await me(issued.key)).toBe(401);
});

test('what is not a key of this bot, and nobody, is refused and changes nothing', async () => {
  const { id, key } = await scene.server.user();
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
  const { bot } = (await scene.owner('POST', '/bots', { name: 'Other' })).body;
  expect((await revoke({ userId: id }, scene.owner, bot.id)).status).toBe(404);
  expect((await revoke({ key }, scene.owner, bot.id)).status).toBe(400);
  const made = await scene.owner('POST', '/workspaces', { name: 'Other', email: 'o@example.com' });
  const outsider = asker(scene.server, made.body.value, made.body.workspace.id);
  expect((await revoke({ key }, outsider)).status).toBe(404);
  for (const role of ['viewer', 'billing', 'developer'] as const) {
    expect([role, (await revoke({ key }, scene.by[role])).status]).toEqual([role, 403]);
  }
  expect(await me(key)).toBe(200);
});

test('revoked keys and deleted users of a bot go with the bot', async () => {
  const { bot } = (await scene.owner('POST', '/bots', { name: 'Doomed', webhookId: 'doomed' })).body;
  const { deployment } = (await scene.owner('GET', `/bots/${bot.id}/deployment`)).body;
  const keys = createUserKeys(deployment.userKeySecret);
  await revoke({ key: keys.sign('a') }, scene.owner, bot.id);
  const key = keys.sign('b');
  const headers = { 'x-user-key': key, 'content-type': 'application/json' };
  await scene.server.fetch('/chat/doomed/users/get-or-create', { method: 'POST', headers, body: '{}' });
  await scene.server.fetch('/chat/doomed/users/me', { method: 'DELETE', headers });
  const left = () =>
    scene.server.db.read((tx) =>
      tx.all(
        'SELECT bot_id FROM revoked_user_keys WHERE bot_id = ? UNION ALL SELECT bot_id FROM deleted_users WHERE bot_id = ?',
        bot.id,
        bot.id,
      ),
    );
  expect(await left()).toHaveLength(2);
  await scene.owner('DELETE', `/bots/${bot.id}`);
  await scene.server.composition.cleanUp();
  expect(await left()).toEqual([]);
});
