// Tests that streams at other processes end when their user loses access, whether the order to end them arrives or is lost.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { streamStates } from '../storage/chat/participants.ts';
import type { Tx } from '../storage/database.ts';
import {
  openTestDatabase,
  pollOptions,
  readStream,
  recordStatements,
  startTestCluster,
  type TestCluster,
  type TestServer,
} from '../testing.ts';

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

const never = 1_000_000;

interface Fixture {
  one: TestServer;
  other: TestServer;
  owner: { id: string; key: string };
  guest: { id: string; key: string };
  conversationId: string;
  /** Calls the Admin API. */
  admin(method: string, path: string, body?: object): Promise<Response>;
}

/** Starts two processes; a guest takes part in the conversation of an owner. `access`: between two checks. */
async function start(access: number): Promise<Fixture> {
  const adminToken = 'n7ZkX2p9Qm4Vt8Ls1Bw6Yc3Rf5Hj0Gd2';
  cluster = await startTestCluster(2, {
    ADMIN_TOKEN: adminToken,
    realtimeIntervals: { tail: never, access },
  });
  const [one, other] = cluster.servers as [TestServer, TestServer];
  const [owner, guest] = [await one.user(), await one.user({ id: 'guest' })];
  const conversationId = await one.conversation(owner.key);
  await one.join(owner.key, conversationId, guest);
  const admin = (method: string, path: string, body?: object) =>
    one.fetch(`/v1/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        'x-workspace-id': one.admin.workspaceId,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  return { one, other, owner, guest, conversationId, admin };
}

/** Causes that end streams, and whether they end those of the owner and those of the guest. */
const cases: [
  name: string,
  act: (fixture: Fixture) => Promise<Response | { status: number }>,
  ends: string[],
][] = [
  [
    'a removed participant',
    ({ one, owner, conversationId }) =>
      one.call('DELETE', `/conversations/${conversationId}/participants/guest`, { key: owner.key }),
    ['guest'],
  ],
  ['a deleted user', ({ one, guest }) => one.call('DELETE', '/users/me', { key: guest.key }), ['guest']],
  [
    'the deleted owner of the conversation',
    ({ one, owner }) => one.call('DELETE', '/users/me', { key: owner.key }),
    ['owner', 'guest'],
  ],
  ['revoked keys', ({ one, owner }) => one.call('DELETE', '/users/me/keys', { key: owner.key }), ['owner']],
  ['a revoked key', ({ one, guest }) => one.call('DELETE', '/users/me/key', { key: guest.key }), ['guest']],
  [
    'a deleted conversation',
    ({ one, owner, conversationId }) =>
      one.call('DELETE', `/conversations/${conversationId}`, { key: owner.key }),
    ['owner', 'guest'],
  ],
];

describe.each(cases)('streams at another process: %s', (_, act, ends) => {
  test.each([
    ['are ended by the order', 'arrives', never],
    ['are ended by the check when the order is lost', 'lost', 300],
  ] as const)('%s', async (_, fate, interval) => {
    const fixture = await start(interval);
    const { other, owner, guest, conversationId } = fixture;
    const streams = {
      owner: await other.listen(owner.key, conversationId),
      guest: await other.listen(guest.key, conversationId),
    };
    if (cluster) cluster.hub.fate = () => fate;
    expect((await act(fixture)).status).toBeLessThan(300);
    for (const [name, stream] of Object.entries(streams)) if (ends.includes(name)) await stream.ended;
    expect(other.composition.pubSub.size).toBe(2 - ends.length);
    for (const stream of Object.values(streams)) await stream.cancel();
  });
});

describe.each([
  ['rotated keys of the bot', 'POST', '/deployment/rotate'],
  ['a deleted bot', 'DELETE', ''],
])('streams at another process: %s', (_, method, path) => {
  test.each([
    ['are ended by the order', 'arrives', never],
    ['are ended by the check when the order is lost', 'lost', 300],
  ] as const)('%s', async (_, fate, interval) => {
    const { one, other, admin, owner, conversationId } = await start(interval);
    const created = await admin('POST', '/bots', { name: 'shop', webhookId: 'shop' });
    const { bot } = (await created.json()) as { bot: { id: string } };
    const post = async (to: string, key?: string) => {
      const headers = { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) };
      return (await one.fetch(`/chat/shop${to}`, { method: 'POST', headers, body: '{}' })).json();
    };
    const { key } = (await post('/users')) as { key: string };
    const { conversation } = (await post('/conversations', key)) as { conversation: { id: string } };
    const ofShop = readStream(
      await other.fetch(`/chat/shop/conversations/${conversation.id}/listen`, {
        headers: { 'x-user-key': key },
      }),
    );
    const ofAnother = await other.listen(owner.key, conversationId);
    expect(other.composition.pubSub.size).toBe(2);
    if (cluster) cluster.hub.fate = () => fate;
    expect((await admin(method, `/bots/${bot.id}${path}`)).status).toBe(200);
    await ofShop.ended;
    expect(other.composition.pubSub.size).toBe(1);
    await ofAnother.cancel();
  });
});

test('the new owner of a conversation is known at a process that did not receive the change', async () => {
  const { one, other, owner, guest, conversationId } = await start(30);
  const stream = await other.listen(guest.key, conversationId);
  const heir = await one.user();
  await one.db.write((tx) =>
    tx.run('UPDATE conversations SET owner_id = ? WHERE owner_id = ?', heir.id, owner.id),
  );
  // The streams of a conversation are found by its owner when the owner is deleted.
  const { pubSub } = other.composition;
  await expect
    .poll(() => {
      pubSub.closeUserAndOwnedConversations(heir.id);
      return pubSub.size;
    }, pollOptions)
    .toBe(0);
  await stream.ended;
});

test('streams with access stay open, however often they are checked', async () => {
  const { one, other, owner, guest, conversationId } = await start(30);
  const streams = [
    await other.listen(owner.key, conversationId),
    await other.listen(guest.key, conversationId),
  ];
  const statements = recordStatements(other.db);
  const checks = () => statements.filter((sql) => sql.includes('revoked_user_keys')).length;
  await expect.poll(checks, pollOptions).toBeGreaterThan(5);
  await one.sendMessage(owner.key, conversationId, 'still here');
  for (const stream of streams) await stream.untilType('message_created');
  for (const stream of streams) await stream.cancel();
});

test('the check of 1,000 streams is one statement that uses indexes', async () => {
  const home = await mkdtemp(join(tmpdir(), 'webchat-access-'));
  const db = await openTestDatabase(home);
  const statements = recordStatements(db);
  const ids = { botId: 'a', conversationId: 'b', userId: 'c', keyHash: 'd' };
  const states = await db.read((tx) =>
    streamStates(
      tx,
      Array.from({ length: 1_000 }, () => ids),
    ),
  );
  expect(states).toEqual(Array.from({ length: 1_000 }, () => undefined));
  expect(statements).toHaveLength(1);
  const plan = await db.read(async (tx: Tx) =>
    tx.dialect === 'sqlite' ? tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statements[0]}`, '[]') : [],
  );
  const scans = plan.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN '));
  expect(scans.filter((detail) => !/^SCAN (?:s|json_each)(?: |$)/.test(detail))).toEqual([]);
  await db.close();
  await rm(home, { recursive: true, force: true });
});
