// Tests of how background work spreads over processes: each has its share, and no work is done twice at once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Processes } from '../../jobs/processes.ts';
import { createLogger } from '../../startup/log.ts';
import type { Database } from '../../storage/database.ts';
import { isPostgresTest, releaseTestDatabase } from '../../storage/postgres/testing.ts';
import { openTestDatabase, pollOptions } from '../../testing.ts';
import { createBroadcasts } from '../relay/broadcasts.ts';
import { createMemoryRelayHub, type MemoryRelayHub } from '../relay/memory-relay.testing.ts';
import { createSharedCluster } from './shared-cluster.ts';

const roles = ['index files', 'work on tables', 'clean up'];
/** Milliseconds; long, because processes that start and stop tell each other. */
const leaseTime = 3_000;
/** For a test in which no lease may end, also when the computer is slow. */
const longLease = 60_000;

interface Process {
  cluster: Processes;
  /** The work that is being done. */
  working: Set<string>;
  /** Nothing of the process reaches the database any more, as after kill -9. */
  kill(): void;
}

let home: string;
let hub: MemoryRelayHub;
let databases: Database[];
let live: Process[];
let killed: Process[];
let log: string[];
/** Work that two processes did at once. */
let doubled: string[];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'webchat-share-'));
  hub = createMemoryRelayHub();
  databases = [];
  live = [];
  killed = [];
  log = [];
  doubled = [];
});
afterEach(async () => {
  for (const { cluster } of [...live, ...killed]) await cluster.close();
  for (const db of databases) await db.close();
  await releaseTestDatabase(home);
  await rm(home, { recursive: true, force: true });
});

/** `refuses`: work that cannot be started here. */
async function start(refuses?: string, lease = leaseTime): Promise<Process> {
  let stored = databases[0];
  if (!stored || isPostgresTest()) {
    stored = await openTestDatabase(home);
    databases.push(stored);
  }
  const own = stored;
  let isKilled = false;
  const db: Database = {
    ...own,
    read: (work) => own.read(work),
    write: (work) => (isKilled ? Promise.reject(new Error('killed')) : own.write(work)),
  };
  const logger = createLogger('info', { write: (line: string) => log.push(line) });
  const cluster = createSharedCluster({
    db,
    broadcasts: createBroadcasts(hub.connect(), logger),
    logger,
    leaseTime: lease,
  });
  const working = new Set<string>();
  const process: Process = {
    cluster,
    working,
    kill() {
      isKilled = true;
      live = live.filter((one) => one !== process);
      killed.push(process);
    },
  };
  for (const name of roles)
    cluster.assign(name, () => ({
      start() {
        if (name === refuses) throw new Error('This cannot be started here.');
        if (live.some((other) => other.working.has(name))) doubled.push(name);
        working.add(name);
      },
      async close() {
        // A piece of work that takes a while.
        await new Promise((resolve) => setImmediate(resolve));
        working.delete(name);
      },
    }));
  live.push(process);
  await cluster.start();
  return process;
}

async function stop(process: Process): Promise<void> {
  await process.cluster.close();
  live = live.filter((one) => one !== process);
}

const work = () => live.flatMap(({ working }) => [...working]).sort();
const shares = () => live.map(({ working }) => working.size);
const fair = () => Math.ceil(roles.length / live.length);
/** Resolves when all work is done, and nobody has more than a fair share. */
const spread = () =>
  expect
    .poll(() => [work(), Math.max(...shares()) <= fair()], pollOptions)
    .toEqual([[...roles].sort(), true]);

test('the work of one process spreads over those that start later, and comes back when they stop', async () => {
  const first = await start(undefined, longLease);
  expect(shares()).toEqual([3]);
  const second = await start(undefined, longLease);
  await spread();
  expect(shares().sort()).toEqual([1, 2]);
  const third = await start(undefined, longLease);
  await spread();
  expect(shares()).toEqual([1, 1, 1]);
  const fourth = await start(undefined, longLease);
  await spread();
  expect(shares().filter((count) => count === 1)).toHaveLength(3);
  for (const process of [first, third, second]) {
    await stop(process);
    await spread();
  }
  expect([...fourth.working].sort()).toEqual([...roles].sort());
  expect(doubled).toEqual([]);
});

test('work that a process cannot start is done by another one, also beyond its share', async () => {
  const first = await start(roles[0]);
  expect([...first.working]).toEqual(roles.slice(1));
  const second = await start();
  await expect.poll(work, pollOptions).toEqual([...roles].sort());
  expect(second.working.has(roles[0] ?? '')).toBe(true);
  const third = await start(roles[0]);
  await expect.poll(work, pollOptions).toEqual([...roles].sort());
  // The only one that can do it ends last.
  await stop(first);
  await expect.poll(work, pollOptions).toEqual([...roles].sort());
  await stop(third);
  await spread();
});

/** A sequence of random numbers from 0 to 1 for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test.each([1, 2, 3])(
  'after random starts, stops and kills each work is done by one process, and shares are fair: seed %i',
  async (seed) => {
    const chance = random(seed * 7_919);
    await start();
    for (let step = 0; step < 8; step += 1) {
      const dice = chance();
      const one = live[Math.floor(chance() * live.length)] as Process;
      if (live.length === 1 || (dice < 0.5 && live.length < 5))
        await Promise.all([start(), chance() < 0.3 && start()]);
      else if (dice < 0.9) await stop(one);
      else one.kill();
      // Half of the steps come before the work of the one before has spread.
      if (chance() < 0.5) await spread();
    }
    await spread();
    // A process that was too slow loses its lease before it knows: then its writes are refused.
    const lost = log.filter((line) => line.includes('another process has taken')).length;
    expect(doubled.length).toBeLessThanOrEqual(lost);
  },
);
