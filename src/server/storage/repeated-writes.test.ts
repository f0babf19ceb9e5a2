// Tests of the checks that every write of a test server goes through (repeated-writes.testing.ts).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database, WriteTx } from './database.ts';
import { compareLocks, type LockName, sortLocks } from './locks.ts';
import { LockOrderError, repeatWrites } from './repeated-writes.testing.ts';
import { openSqlite } from './sqlite.ts';

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-repeated-'));
  db = repeatWrites(await openSqlite(join(folder, 'platform.db')), 7);
});
afterEach(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const insert = (tx: WriteTx, id: string) => tx.run('INSERT INTO usage (id) VALUES (?)', id);

test('repeated writes: some works run twice, and their first changes and effects are dropped', async () => {
  let runs = 0;
  const effects: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    await db.write(async (tx) => {
      runs += 1;
      tx.afterCommit(() => effects.push(n));
      await insert(tx, `${n}`);
    });
  }
  expect(runs).toBeGreaterThan(120);
  expect(runs).toBeLessThan(180);
  expect(effects).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

test('repeated writes: the same seed repeats the same works', async () => {
  const plain = await openSqlite(join(folder, 'plain.db'));
  const runsOf = async (seed: number) => {
    const repeated = repeatWrites(plain, seed);
    const runs = Array.from({ length: 30 }, () => 0);
    for (const n of runs.keys()) {
      await repeated.write(async () => {
        runs[n] = (runs[n] ?? 0) + 1;
      });
    }
    return runs;
  };
  expect(await runsOf(3)).toEqual(await runsOf(3));
  expect(await runsOf(3)).not.toEqual(await runsOf(4));
  await plain.close();
});

test('repeated writes: a statement, a lock or an effect after the end of a work is refused', async () => {
  let escaped: WriteTx | undefined;
  await db.write(async (tx) => {
    escaped = tx;
  });
  const tx = escaped as unknown as WriteTx;
  await expect(insert(tx, 'late')).rejects.toThrow('after the end of its transaction');
  await expect(tx.get('SELECT 1')).rejects.toThrow('after the end of its transaction');
  await expect(tx.lock('bot:b')).rejects.toThrow('after the end of its transaction');
  expect(() => tx.afterCommit(() => {})).toThrow('after the end of its transaction');
});

test('repeated writes: a lock after a later one, or after a write, is refused', async () => {
  const taking = (...calls: LockName[][]) =>
    db.write(async (tx) => {
      for (const names of calls) await tx.lock(...names);
    });
  await taking(['bot:a', 'bot:b'], ['owner:a'], ['bot:a'], ['owner:b', 'conversation:b', 'table:t']);
  for (const calls of [
    [['conversation:a'], ['bot:a']],
    [['bot:b'], ['bot:a']],
    [['table:t'], ['owner:o']],
    [['owner:o', 'workspace:w'], ['bot:b']],
    [['conversation:c'], ['owner:o']],
  ] as LockName[][][]) {
    await expect(taking(...calls), JSON.stringify(calls)).rejects.toThrow(LockOrderError);
  }
  const lateLock = db.write(async (tx) => {
    await tx.lock('bot:b');
    await insert(tx, 'a');
    // Held already.
    await tx.lock('bot:b');
    await tx.lock('owner:o');
  });
  await expect(lateLock).rejects.toThrow('The lock owner:o was taken after: INSERT INTO usage');
});

test('locks: are sorted by their kinds, then by their ids, each once', () => {
  expect(sortLocks(['start:', 'table:b', 'bot:b', 'table:a', 'bot:a', 'workspace:z', 'bot:b'])).toEqual([
    'workspace:z',
    'bot:a',
    'bot:b',
    'table:a',
    'table:b',
    'start:',
  ]);
  expect(compareLocks('bot:a', 'bot:a')).toBe(0);
});
