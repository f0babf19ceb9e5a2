// The secrets of a bot are changed: what was signed with the old ones is good no more, at once and everywhere.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPermitted, roles } from '../../protocol/permissions.ts';
import { createKeyRing, createUserKeys } from '../auth/user-keys.ts';
import { readStream } from '../testing.ts';
import { type AdminScene, adminScene, asker } from './testing.ts';

let scene: AdminScene;
beforeAll(async () => {
  scene = await adminScene();
});
afterAll(() => scene.server.close());

const webhookUrl = 'http://127.0.0.1:9/hook';
let count = 0;
/** A bot, what it tells of its secrets, and a visitor of it. */
async function shop(fields: object = {}) {
  count += 1;
  const webhookId = `shop-${count}`;
  const { bot } = (await scene.owner('POST', '/bots', { name: webhookId, webhookId, ...fields })).body;
  const secrets = async () => (await scene.owner('GET', `/bots/${bot.id}/deployment`)).body.deployment;
  const call = (method: string, path: string, key?: string) =>
    scene.server.fetch(`/chat/${webhookId}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { 'x-user-key': key }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
  const visitor = async () => {
    const { key } = (await (await call('POST', '/users')).json()) as { key: string };
    const room = await call('POST', '/conversations', key);
    const { conversation } = (await room.json()) as { conversation: { id: string } };
    return { key, listen: () => call('GET', `/conversations/${conversation.id}/listen`, key) };
  };
  const rotate = (ask = scene.owner, headers = {}) =>
    ask('POST', `/bots/${bot.id}/deployment/rotate`, undefined, headers);
  return { bot, secrets, call, visitor, rotate };
}

test('old user keys and their streams end, new ones are good, the webhook is signed again; others do not notice', async () => {
  const [one, other] = [await shop({ webhookUrl }), await shop()];
  const [before, ofOther] = [await one.secrets(), await other.secrets()];
  const [visitor, theirs] = [await one.visitor(), await other.visitor()];
  const stream = readStream(await visitor.listen());
  const going = readStream(await theirs.listen());
  const signed = createUserKeys(before.userKeySecret).sign('ann');
  expect((await one.call('POST', '/users/get-or-create', signed)).status).toBe(201);

  expect(await one.rotate(scene.by.administrator)).toEqual({ status: 200, body: {} });
  await stream.ended;
  const after = await one.secrets();
  expect(after.signingSecret).toMatch(/^whsec_[\w+/-]{43}=?$/);
  expect(after.signingSecret).not.toBe(before.signingSecret);
  expect(after.userKeySecret).not.toBe(before.userKeySecret);
  for (const key of [visitor.key, signed]) {
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['POST', '/users/get-or-create'],
      ['POST', '/conversations'],
    ] as const) {
      expect([path, (await one.call(method, path, key)).status]).toEqual([path, 401]);
    }
  }
  expect((await visitor.listen()).status).toBe(401);
  // Ann is who she was.
  const renewed = createUserKeys(after.userKeySecret).sign('ann');
  expect((await one.call('GET', '/users/me', renewed)).status).toBe(200);
  expect((await (await one.visitor()).listen()).status).toBe(200);

  expect(await other.secrets()).toEqual(ofOther);
  expect((await other.call('GET', '/users/me', theirs.key)).status).toBe(200);
  expect(scene.server.composition.pubSub.size).toBe(2);
  await going.cancel();
});

test('each time brings secrets that were never there; one without a webhook gets no signing secret', async () => {
  const one = await shop();
  const seen = new Set<string>();
  for (let n = 0; n < 4; n += 1) {
    const { userKeySecret, signingSecret } = await one.secrets();
    expect(signingSecret).toBeUndefined();
    seen.add(userKeySecret);
    await one.rotate();
  }
  expect(seen.size).toBe(4);
});

test('asked for twice with one Idempotency-Key, at the same time too, it happens once; no secret is remembered', async () => {
  const one = await shop({ webhookUrl });
  const before = await one.secrets();
  const headers = { 'idempotency-key': 'a rotation' };
  const answers = await Promise.all([1, 2, 3].map(() => one.rotate(scene.owner, headers)));
  const after = await one.secrets();
  answers.push(await one.rotate(scene.owner, headers));
  for (const answer of answers) expect(answer).toEqual({ status: 200, body: {} });
  expect(await one.secrets()).toEqual(after);
  expect(after.userKeySecret).not.toBe(before.userKeySecret);
  const stored = JSON.stringify(await scene.server.db.read((tx) => tx.all('SELECT * FROM requests')));
  for (const secret of [after.userKeySecret, after.signingSecret]) expect(stored).not.toContain(secret);
});

test('requests that are on their way meanwhile make nothing with an old key', async () => {
  const one = await shop();
  const { userKeySecret } = await one.secrets();
  const old = Array.from({ length: 10 }, (_, n) => createUserKeys(userKeySecret).sign(`early-${n}`));
  const answers = await Promise.all([
    ...old.slice(0, 5).map((key) => one.call('POST', '/users/get-or-create', key)),
    one.rotate(),
    ...old.slice(5).map((key) => one.call('POST', '/users/get-or-create', key)),
  ]);
  for (const { status } of answers) expect([200, 201, 401]).toContain(status);
  for (const key of old) expect((await one.call('GET', '/users/me', key)).status).toBe(401);
});

test('it is for who may end tokens, and for nobody of another workspace', async () => {
  const one = await shop({ webhookUrl });
  const before = await one.secrets();
  for (const role of roles.filter((role) => !isPermitted(role, 'tokens.write'))) {
    expect([role, (await one.rotate(scene.by[role])).status]).toEqual([role, 403]);
  }
  const made = await scene.owner('POST', '/workspaces', { name: 'Other', email: 'o@example.com' });
  const outsider = asker(scene.server, made.body.value, made.body.workspace.id);
  expect((await one.rotate(outsider)).status).toBe(404);
  expect(await one.secrets()).toEqual(before);
});

test('keys of the settings are not changed here, and the refusal says where', async () => {
  const [demo] = (await scene.owner('GET', '/bots?sortDirection=asc')).body.bots;
  const { key } = await scene.server.user();
  const { status, body } = await scene.owner('POST', `/bots/${demo.id}/deployment/rotate`);
  expect([status, body.type]).toEqual([409, 'ReferenceConstraint']);
  expect(body.message).toContain('USER_KEY_SECRET');
  expect((await scene.server.call('GET', '/users/me', { key })).status).toBe(200);
});

test('the first secret of a bot is what it was in earlier versions', () => {
  const ring = createKeyRing('a secret');
  const earlier = createHmac('sha256', 'a secret').update('user keys of bot_1').digest('base64url');
  expect(ring.secretOf({ id: 'bot_1', ownKeys: 1 })).toBe(earlier);
  expect(ring.secretOf({ id: 'bot_1', ownKeys: 0 })).toBeUndefined();
});
