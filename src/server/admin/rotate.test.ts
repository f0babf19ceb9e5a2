// Tests of the rotation of a bot's secrets: everything signed with the old secrets becomes invalid at once.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPermitted, roles } from '../../protocol/permissions.ts';
import { createKeyRing, createUserKeys } from '../auth/user-keys.ts';
import { readStream } from '../testing.ts';
import { type AdminFixture, createAdminFixture, requesterFor } from './testing.ts';

let fixture: AdminFixture;
beforeAll(async () => {
  fixture = await createAdminFixture();
});
afterAll(() => fixture.server.close());

const webhookUrl = 'http://127.0.0.1:9/hook';
let count = 0;
/** Creates a bot, and functions that read its secrets and create visitors. */
async function createVisitedBot(fields: object = {}) {
  count += 1;
  const webhookId = `shop-${count}`;
  const { bot } = (await fixture.owner('POST', '/bots', { name: webhookId, webhookId, ...fields })).body;
  const secrets = async () => (await fixture.owner('GET', `/bots/${bot.id}/deployment`)).body.deployment;
  const call = (method: string, path: string, key?: string) =>
    fixture.server.fetch(`/chat/${webhookId}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { 'x-user-key': key }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
  const visitor = async () => {
    const { key } = (await (await call('POST', '/users')).json()) as { key: string };
    const created = await call('POST', '/conversations', key);
    const { conversation } = (await created.json()) as { conversation: { id: string } };
    return { key, listen: () => call('GET', `/conversations/${conversation.id}/listen`, key) };
  };
  const rotate = (send = fixture.owner, headers = {}) =>
    send('POST', `/bots/${bot.id}/deployment/rotate`, undefined, headers);
  return { bot, secrets, call, visitor, rotate };
}

test('a rotation ends old user keys and streams and changes the signing secret, for this bot only', async () => {
  const [one, other] = [await createVisitedBot({ webhookUrl }), await createVisitedBot()];
  const [before, ofOther] = [await one.secrets(), await other.secrets()];
  const [visitor, theirs] = [await one.visitor(), await other.visitor()];
  const stream = readStream(await visitor.listen());
  const going = readStream(await theirs.listen());
  const signed = createUserKeys(before.userKeySecret).sign('ann');
  expect((await one.call('POST', '/users/get-or-create', signed)).status).toBe(201);

  expect(await one.rotate(fixture.by.administrator)).toEqual({ status: 200, body: {} });
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
  // A key for the same id opens the same user.
  const newKey = createUserKeys(after.userKeySecret).sign('ann');
  expect((await one.call('GET', '/users/me', newKey)).status).toBe(200);
  expect((await (await one.visitor()).listen()).status).toBe(200);

  expect(await other.secrets()).toEqual(ofOther);
  expect((await other.call('GET', '/users/me', theirs.key)).status).toBe(200);
  expect(fixture.server.composition.pubSub.size).toBe(2);
  await going.cancel();
});

test('every rotation creates new secrets; a bot without a webhook gets no signing secret', async () => {
  const one = await createVisitedBot();
  const seen = new Set<string>();
  for (let n = 0; n < 4; n += 1) {
    const { userKeySecret, signingSecret } = await one.secrets();
    expect(signingSecret).toBeUndefined();
    seen.add(userKeySecret);
    await one.rotate();
  }
  expect(seen.size).toBe(4);
});

test('two rotations with one Idempotency-Key run once, also concurrently, and no secret is stored with the response', async () => {
  const one = await createVisitedBot({ webhookUrl });
  const before = await one.secrets();
  const headers = { 'idempotency-key': 'a rotation' };
  const answers = await Promise.all([1, 2, 3].map(() => one.rotate(fixture.owner, headers)));
  const after = await one.secrets();
  answers.push(await one.rotate(fixture.owner, headers));
  for (const answer of answers) expect(answer).toEqual({ status: 200, body: {} });
  expect(await one.secrets()).toEqual(after);
  expect(after.userKeySecret).not.toBe(before.userKeySecret);
  const stored = JSON.stringify(await fixture.server.db.read((tx) => tx.all('SELECT * FROM requests')));
  for (const secret of [after.userKeySecret, after.signingSecret]) expect(stored).not.toContain(secret);
});

test('requests in flight during a rotation create nothing with an old key', async () => {
  const one = await createVisitedBot();
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

test('a rotation requires the permission to revoke tokens, in the workspace of the bot', async () => {
  const one = await createVisitedBot({ webhookUrl });
  const before = await one.secrets();
  for (const role of roles.filter((role) => !isPermitted(role, 'tokens.write'))) {
    expect([role, (await one.rotate(fixture.by[role])).status]).toEqual([role, 403]);
  }
  const made = await fixture.owner('POST', '/workspaces', { name: 'Other', email: 'o@example.com' });
  const otherWorkspace = requesterFor(fixture.server, made.body.value, made.body.workspace.id);
  expect((await one.rotate(otherWorkspace)).status).toBe(404);
  expect(await one.secrets()).toEqual(before);
});

test('keys signed with USER_KEY_SECRET cannot be rotated, and the error names the setting', async () => {
  const [demo] = (await fixture.owner('GET', '/bots?sortDirection=asc')).body.bots;
  const { key } = await fixture.server.user();
  const { status, body } = await fixture.owner('POST', `/bots/${demo.id}/deployment/rotate`);
  expect([status, body.type]).toEqual([409, 'ReferenceConstraint']);
  expect(body.message).toContain('USER_KEY_SECRET');
  expect((await fixture.server.call('GET', '/users/me', { key })).status).toBe(200);
});

test('the first secret of a bot is the same as in earlier versions', () => {
  const ring = createKeyRing('a secret');
  const earlier = createHmac('sha256', 'a secret').update('user keys of bot_1').digest('base64url');
  expect(ring.secretOf({ id: 'bot_1', ownKeys: 1 })).toBe(earlier);
  expect(ring.secretOf({ id: 'bot_1', ownKeys: 0 })).toBeUndefined();
});
