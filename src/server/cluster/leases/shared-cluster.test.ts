// Tests of background work that one of several processes does: taken once, given up, taken over, and fenced.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LeaseLost, type Processes, type Role, type Worker } from '../../jobs/processes.ts';
import { createLogger } from '../../startup/log.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import { isPostgresTest, releaseTestDatabase } from '../../storage/postgres/testing.ts';
import { openTestDatabase, pollOptions } from '../../testing.ts';
import { createBroadcasts } from '../relay/broadcasts.ts';
import { createMemoryRelayHub, type MemoryRelayHub } from '../relay/memory-relay.testing.ts';
import { createSharedCluster } from './shared-cluster.ts';

/** A worker that records what happens to it. */
interface TestWorker extends Worker {
  db: Database;
  wakes: number;
}

interface Process {
  name: string;
  cluster: Processes;
  role: Role<TestWorker>;
  /** Makes each statement of the process wait, as if it were frozen; the result lets it go on. */
  freeze(): () => void;
}

let home: string;
let hub: MemoryRelayHub;
let databases: Database[];
let events: string[];
let log: string[];
let processes: Process[];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'webchat-cluster-'));
  hub = createMemoryRelayHub();
  databases = [];
  events = [];
  log = [];
  processes = [];
  leaseTime = shortLease;
});
afterEach(async () => {
  for (const { cluster } of processes) await cluster.close();
  for (const db of databases) await db.close();
  await releaseTestDatabase(home);
  await rm(home, { recursive: true, force: true });
});

/** Milliseconds; renewed each third of it. */
const shortLease = 1_200;
/** For a process that must keep its lease while another one loses its own, also when the computer is slow. */
const mediumLease = 3_000;
/** For tests in which no lease may end. */
const longLease = 60_000;
let leaseTime: number;

/** `botCode`: the version of the code of bots that the process runs. */
async function add(name: string, botCode?: string): Promise<Process> {
  // SQLite has one connection for all, PostgreSQL one pool for each.
  let own = databases[0];
  if (!own || isPostgresTest()) {
    own = await openTestDatabase(home);
    databases.push(own);
  }
  const stored = own;
  let thawed: Promise<void> = Promise.resolve();
  const db: Database = {
    ...stored,
    read: (work) => stored.read(work),
    write: async (work) => {
      await thawed;
      return stored.write(work);
    },
  };
  const logger = createLogger('info', { write: (line: string) => log.push(line) });
  const broadcasts = createBroadcasts(hub.connect(), logger);
  const cluster = createSharedCluster({ db, broadcasts, logger, leaseTime, botCode, botCodeTolerance: 0 });
  const role = cluster.assign<TestWorker>('test work', (fenced) => {
    const worker: TestWorker = {
      db: fenced,
      wakes: 0,
      start: () => void events.push(`${name} starts`),
      wake() {
        worker.wakes += 1;
      },
      close: async () => void events.push(`${name} ends`),
    };
    return worker;
  });
  const process: Process = {
    name,
    cluster,
    role,
    freeze() {
      let thaw = () => {};
      thawed = new Promise((resolve) => {
        thaw = resolve;
      });
      return thaw;
    },
  };
  await cluster.start();
  processes.push(process);
  return process;
}

const workers = () => processes.filter(({ role }) => role.worker).map(({ name }) => name);
const touch = (tx: WriteTx) => tx.run('UPDATE processes SET version = version');

test('one process does the work, and is asked to look for more while it is alive', async () => {
  leaseTime = mediumLease;
  const first = await add('a');
  await add('b');
  await add('c');
  expect(workers()).toEqual(['a']);
  expect(events).toEqual(['a starts']);
  await expect.poll(() => first.role.worker?.wakes, pollOptions).toBeGreaterThan(3);
  expect(workers()).toEqual(['a']);
});

test('each process knows how many are alive', async () => {
  leaseTime = longLease;
  const first = await add('a');
  expect(first.cluster.count()).toBe(1);
  const second = await add('b');
  expect(second.cluster.count()).toBe(2);
  await expect.poll(() => first.cluster.count(), pollOptions).toBe(2);
  await second.cluster.close();
  await expect.poll(() => first.cluster.count(), pollOptions).toBe(1);
});

test('a process that stops hands its work to another one, which is notified', async () => {
  leaseTime = longLease;
  const first = await add('a');
  await add('b');
  await first.cluster.close();
  // The other one may have been notified already.
  expect(events.slice(0, 2)).toEqual(['a starts', 'a ends']);
  await expect.poll(workers, pollOptions).toContain('b');
  expect(events).toEqual(['a starts', 'a ends', 'b starts']);
});

test('a process that stops gives its work to another one, also when it cannot tell', async () => {
  const first = await add('a');
  await add('b');
  hub.fate = () => 'lost';
  await first.cluster.close();
  await expect.poll(workers, pollOptions).toContain('b');
});

test('a frozen process loses its work when the lease is over, can write nothing of it afterwards, and ends it', async () => {
  leaseTime = mediumLease;
  const first = await add('a');
  await add('b');
  const worker = first.role.worker;
  const thaw = first.freeze();
  const late = worker?.db.write(touch).catch((error: unknown) => error);
  await expect.poll(() => events, pollOptions).toEqual(['a starts', 'b starts']);
  thaw();
  expect(await late).toBeInstanceOf(LeaseLost);
  await expect.poll(() => events, pollOptions).toEqual(['a starts', 'b starts', 'a ends']);
  expect(workers()).toEqual(['b']);
  await expect(worker?.db.write(touch)).rejects.toThrow(LeaseLost);
});

test('a write of the work and the loss of the lease exclude each other', async () => {
  leaseTime = mediumLease;
  const first = await add('a');
  await add('b');
  const worker = first.role.worker;
  const thaw = first.freeze();
  let stored = 0;
  const writes = Array.from({ length: 40 }, () =>
    worker?.db.write(touch).then(
      () => (stored += 1),
      (error: unknown) => expect(error).toBeInstanceOf(LeaseLost),
    ),
  );
  await expect.poll(() => events.includes('b starts'), pollOptions).toBe(true);
  thaw();
  await Promise.all(writes);
  expect(stored).toBe(0);
});

// SQLite has one writer, so that a write is never longer than what waits for it.
test.runIf(isPostgresTest())(
  'a write that takes longer than the lease keeps the work, and delays neither its renewals nor its further writes nor others',
  async () => {
    leaseTime = mediumLease;
    const first = await add('a');
    const second = await add('b');
    const worker = first.role.worker;
    const expiry = async () =>
      (await databases[0]?.read((tx) => tx.get<{ at: number }>('SELECT expires_at AS at FROM leases')))?.at ??
      0;
    const begun = await expiry();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    /** The transactions in which it runs: tests repeat works within one. */
    const transactions = new Set<unknown>();
    const long = worker?.db.write(async (tx) => {
      const row = await tx.get<{ id: string }>('SELECT CAST(pg_current_xact_id() AS TEXT) AS id');
      transactions.add(row?.id);
      await ended;
    });
    await expect.poll(() => transactions.size, pollOptions).toBe(1);
    await expect.poll(expiry, pollOptions).toBeGreaterThan(begun + 2 * leaseTime);
    await worker?.db.write((tx) => tx.get('SELECT 1'));
    expect([first.cluster.count(), second.cluster.count()]).toEqual([2, 2]);
    end();
    await long;
    expect([transactions.size, events]).toEqual([1, ['a starts']]);
  },
);

test('the work is taken by exactly one of several processes that start at once', async () => {
  leaseTime = longLease;
  const started = await Promise.all(['a', 'b', 'c', 'd'].map((name) => add(name)));
  expect(started.filter(({ role }) => role.worker)).toHaveLength(1);
  expect(events).toHaveLength(1);
});

test('processes that run different code of bots know it, and one of them warns', async () => {
  const first = await add('a', 'old');
  const third = await add('c');
  // The last one: a process that begins to run with a difference may tell of it, too.
  const second = await add('b', 'new');
  const versions = () => [first, second, third].map(({ cluster }) => cluster.botCodeVersions());
  await expect.poll(versions, pollOptions).toEqual([2, 2, 2]);
  const warnings = () => log.filter((line) => line.includes('different code of bots'));
  await expect.poll(warnings, pollOptions).toHaveLength(1);
  await first.cluster.close();
  await expect.poll(() => versions().slice(1), pollOptions).toEqual([1, 1]);
  expect(warnings()).toHaveLength(1);
});

test('work that fails to start is logged and tried again, and stops no other work', async () => {
  const process = await add('a');
  await process.cluster.close();
  processes = [];
  const logger = createLogger('info', { write: (line: string) => log.push(line) });
  const [db] = databases;
  if (!db) throw new Error('A database is open.');
  const broadcasts = createBroadcasts(hub.connect(), logger);
  const cluster = createSharedCluster({ db, broadcasts, logger, leaseTime });
  let attempts = 0;
  const failing = cluster.assign<Worker>('failing work', () => ({
    async start() {
      attempts += 1;
      if (attempts < 3) throw new Error(`cannot start ${attempts}`);
    },
    close: async () => {},
  }));
  const other = cluster.assign<Worker>('other work', () => ({ start() {}, close: async () => {} }));
  await cluster.start();
  expect([failing.worker, other.worker]).toEqual([undefined, expect.anything()]);
  await expect.poll(() => failing.worker, pollOptions).toBeDefined();
  expect(attempts).toBe(3);
  expect(log.filter((line) => line.includes('background work could not be started'))).toHaveLength(2);
  await cluster.close();
});
