// Tests of the limits of open streams, which all processes of a server count together, and of slots by network.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSharedSlotCounts } from '../cluster/limits/shared-slot-counts.ts';
import { createLogger } from '../startup/log.ts';
import { forgetProcess, reportProcess } from '../storage/cluster/processes.ts';
import type { Database } from '../storage/database.ts';
import { releaseTestDatabase } from '../storage/postgres/testing.ts';
import {
  openTestDatabase,
  pollOptions,
  startTestCluster,
  type TestServer,
  type TestStream,
} from '../testing.ts';
import { createNetworkSlots, createStreamSlots } from './slots.ts';

describe('the slots of several processes', () => {
  let folder: string;
  let stored: Database;
  let db: Database;
  /** Called before each write of a process. */
  let beforeWrite: () => Promise<void>;
  let processes: { close(): Promise<void> }[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webchat-slots-'));
    stored = await openTestDatabase(folder);
    beforeWrite = async () => {};
    db = {
      ...stored,
      read: (work) => stored.read(work),
      async write(work) {
        await beforeWrite();
        return stored.write(work);
      },
    };
    processes = [];
  });
  afterEach(async () => {
    for (const { close } of processes) await close();
    await stored.close();
    await releaseTestDatabase(folder);
    await rm(folder, { recursive: true, force: true });
  });

  async function add(processId: string, limits = { perUser: 1_000, perAddress: 10 }) {
    const logger = createLogger('silent', { write() {} });
    await stored.write((tx) => reportProcess(tx, { id: processId, version: '1' }));
    const counts = createSharedSlotCounts({ db, processId, secret: 'secret', logger });
    processes.push(counts);
    const slots = createStreamSlots(limits, counts);
    const open = async (user = 'u', network = '192.0.2.1') => {
      try {
        return await slots.acquire(user, network);
      } catch (error) {
        expect(error).toMatchObject({ type: 'RateLimited' });
        return undefined;
      }
    };
    /** Opens streams until one is refused. */
    const fill = async () => {
      const releases: (() => void)[] = [];
      for (let release = await open(); release; release = await open()) releases.push(release);
      // Others know all of them.
      await counts.exchange([]);
      return releases;
    };
    /** Lets the process know what the others have. */
    const ask = () => counts.exchange(['user u', 'network 192.0.2.1']);
    return { processId, counts, open, fill, ask };
  }
  const rows = () =>
    stored.read((tx) =>
      tx.all<{ id: string; processId: string; streams: number }>(
        'SELECT id, process_id, streams FROM open_streams ORDER BY process_id, streams',
      ),
    );
  /** As if a process had given no sign of life for half a minute. */
  const freeze = (processId: string) =>
    stored.write((tx) => tx.run('UPDATE processes SET seen_at = seen_at - 30000 WHERE id = ?', processId));

  test('are counted together, and a released one is free at the other process', async () => {
    const [one, other] = [await add('one'), await add('other')];
    const held = await one.fill();
    expect(held).toHaveLength(10);
    await other.ask();
    expect(await other.open()).toBeUndefined();
    held[0]?.();
    held[0]?.();
    // The release is on its way when the other process asks.
    expect(await other.open()).toBeDefined();
    expect(await other.open()).toBeUndefined();
    expect(await other.open('u', '192.0.2.2')).toBeDefined();
  });

  test('are exceeded by at most one stream for each process that does not know what the others have', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((id) => add(id)));
    const opened: number[] = [];
    for (const { fill } of all) opened.push((await fill()).length);
    expect(opened[0]).toBe(10);
    for (const count of opened.slice(1)) expect(count).toBeLessThanOrEqual(1);
    for (const { open } of all) expect(await open()).toBeUndefined();
  });

  test('are exceeded by at most a tenth of the limit for each process, however many come at once', async () => {
    const limits = { perUser: 1_000, perAddress: 50 };
    const all = await Promise.all(['a', 'b', 'c'].map((id) => add(id, limits)));
    for (let round = 0; round < 3; round += 1) {
      const opened = await Promise.all(all.flatMap(({ open }) => Array.from({ length: 100 }, () => open())));
      const releases = opened.filter((release) => release !== undefined);
      expect(releases.length).toBeGreaterThanOrEqual(50);
      expect(releases.length).toBeLessThanOrEqual(50 + 3 * 5);
      for (const release of releases) release();
      await Promise.all(all.map(({ counts }) => counts.exchange([])));
    }
    expect(await rows()).toEqual([]);
  });

  test('of a process that was killed are free when its lease is over, and not before', async () => {
    const [one, other] = [await add('one'), await add('other')];
    await one.fill();
    await other.ask();
    expect(await other.open()).toBeUndefined();
    await freeze('one');
    expect(await other.fill()).toHaveLength(10);
    await other.counts.check();
    expect(new Set((await rows()).map(({ processId }) => processId))).toEqual(new Set(['other']));
  });

  test('of a process that was frozen count again when it goes on, also when others have removed them', async () => {
    const [one, other] = [await add('one'), await add('other')];
    await one.fill();
    await freeze('one');
    await other.counts.check();
    expect(await rows()).toEqual([]);
    await stored.write((tx) => reportProcess(tx, { id: 'one', version: '1' }));
    const release = await other.open();
    expect(release).toBeDefined();
    await one.counts.check();
    await other.ask();
    expect(await other.open()).toBeUndefined();
    release?.();
    expect(await other.open()).toBeUndefined();
    expect(await one.open()).toBeUndefined();
  });

  test('of a process that ends are free at once, and no row of it remains', async () => {
    const [one, other] = [await add('one'), await add('other')];
    await one.fill();
    await one.counts.close();
    await stored.write((tx) => forgetProcess(tx, 'one'));
    expect(await other.fill()).toHaveLength(10);
    expect((await rows()).every(({ processId }) => processId === 'other')).toBe(true);
  });

  test('are right after a write whose response was lost, and after failures', async () => {
    const [one, other] = [await add('one'), await add('other')];
    const held = await one.fill();
    let failures = 2;
    const write = stored.write;
    stored.write = async (work) => {
      const result = await write(work);
      if (failures > 0) {
        failures -= 1;
        throw new Error('the response was lost');
      }
      return result;
    };
    for (const release of held.slice(0, 3)) release();
    for (let n = 0; n < 4; n += 1) await one.counts.exchange([]);
    stored.write = write;
    expect(failures).toBe(0);
    expect(await other.fill()).toHaveLength(3);
  });

  test('are given by what a process knows while the database does not answer', async () => {
    const [one, other] = [await add('one'), await add('other')];
    const held = await one.fill();
    await other.ask();
    expect(await other.open()).toBeUndefined();
    beforeWrite = () => Promise.reject(new Error('the database is away'));
    held[0]?.();
    expect(await one.open()).toBeDefined();
    expect(await one.open()).toBeUndefined();
    // It knows only that the others had all.
    expect(await other.open()).toBeUndefined();
    expect(await other.open('v', '192.0.2.9')).toBeDefined();
    beforeWrite = async () => {};
    await Promise.all([one, other].map(({ counts }) => counts.exchange([])));
    expect(await one.open()).toBeUndefined();
  });

  test('that are waited for at once by many cost few transactions', async () => {
    const one = await add('one', { perUser: 1_000, perAddress: 10_000 });
    let writes = 0;
    beforeWrite = async () => {
      writes += 1;
    };
    const opened = await Promise.all(Array.from({ length: 900 }, (_, n) => one.open(`user ${n}`)));
    expect(opened.every((release) => release !== undefined)).toBe(true);
    await one.counts.exchange([]);
    expect(writes).toBeLessThanOrEqual(3);
  });

  test('are stored under no address and no user id', async () => {
    const one = await add('one');
    await one.open('user_1', '2001:db8:1:1::/64');
    await one.counts.exchange([]);
    expect((await rows()).map(({ id }) => id)).toHaveLength(3);
    for (const { id } of await rows()) expect(id).toMatch(/^[\w-]{27}$/);
  });
});

test('a stream above the limit of a user is refused at every server, and one that ends makes room at the others', async () => {
  const cluster = await startTestCluster(2, {
    TRUST_PROXY: 1,
    streamsPerUser: 3,
    MAX_STREAMS_PER_ADDRESS: 100,
  });
  const [one, other] = cluster.servers as [TestServer, TestServer];
  const { key } = await one.user();
  const conversationId = await one.conversation(key);
  const listen = (server: TestServer) => server.listen(key, conversationId);
  const streams: TestStream[] = [];
  for (const server of [one, other, one]) streams.push(await listen(server));
  expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200]);
  for (const server of [one, other]) {
    // Each server may open one that the other does not know yet.
    const refused = async () => {
      const stream = await listen(server);
      streams.push(stream);
      return [stream.response.status, stream.response.headers.get('retry-after')];
    };
    await expect.poll(refused, pollOptions).toEqual([429, '60']);
  }
  const open = streams.filter(({ response }) => response.status === 200);
  expect(open.length).toBeLessThanOrEqual(3 + 2);
  for (const stream of open.slice(2)) await stream.cancel();
  const again = await listen(other);
  expect(again.response.status).toBe(200);
  // A server that stops gives up all of its slots.
  await other.composition.close();
  await expect
    .poll(async () => {
      const stream = await listen(one);
      return stream.response.status;
    }, pollOptions)
    .toBe(200);
  await cluster.close();
});

const slash64 = (n: number, site = '1') => `2001:db8:${site}:${n.toString(16)}::/64`;

test('network slots: a /48 has four times the slots of a /64; other networks are unaffected', () => {
  const slots = createNetworkSlots(10);
  const taken = Array.from({ length: 1_000 }, (_, n) => slots.acquire(slash64(n)));
  expect(taken.filter((release) => release !== undefined)).toHaveLength(40);
  expect(slots.acquire(slash64(5_000))).toBeUndefined();
  for (let n = 0; n < 10; n += 1) expect(slots.acquire(slash64(1, '2'))).toBeDefined();
  expect(slots.acquire(slash64(1, '2'))).toBeUndefined();
  expect(slots.acquire(slash64(2, '2'))).toBeDefined();
  // A released slot of any /64 is free for the whole /48.
  taken[3]?.();
  expect(slots.acquire(slash64(900))).toBeDefined();
  expect(slots.acquire(slash64(901))).toBeUndefined();
});

test('network slots: an IPv4 address has its own slots only', () => {
  const slots = createNetworkSlots(3);
  for (let n = 0; n < 100; n += 1) expect(slots.acquire(`192.0.2.${n}`)).toBeDefined();
  for (let n = 0; n < 2; n += 1) expect(slots.acquire('192.0.2.1')).toBeDefined();
  expect(slots.acquire('192.0.2.1')).toBeUndefined();
});

test('network slots: a slot is released once, a rejected request takes none, and no memory remains', () => {
  const slots = createNetworkSlots(1);
  const release = slots.acquire(slash64(1));
  expect(slots.acquire(slash64(1))).toBeUndefined();
  expect(slots.size).toBe(2);
  release?.();
  release?.();
  expect(slots.size).toBe(0);
  const again = slots.acquire(slash64(1));
  expect([again !== undefined, slots.acquire(slash64(1))]).toEqual([true, undefined]);
  again?.();
  // All unknown addresses count as one.
  expect([slots.acquire('') !== undefined, slots.acquire('')]).toEqual([true, undefined]);
});
