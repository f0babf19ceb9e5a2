// Tests of the wait for writes that do not see a change yet.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { runningWritesEnded } from '../running-writes.ts';
import { openPostgres } from './postgres.ts';
import { releaseTestDatabase, testDatabaseOf } from './testing.ts';

let folder: string;
let db: Database;
let other: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-running-'));
  const url = await testDatabaseOf(folder);
  db = await openPostgres(url);
  other = await openPostgres(url);
});
afterEach(async () => {
  await db.close();
  await other.close();
  await releaseTestDatabase(folder);
  await rm(folder, { recursive: true });
});

/** Begins a write, which goes on until `end` is called. */
async function beginWrite(target: Database) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const written = target.write(async (tx) => {
    await tx.get('SELECT 1');
    begun();
    await ended;
    await tx.run("INSERT INTO deletions (kind, id) VALUES ('bot', 'late')");
  });
  await isBegun;
  return {
    end() {
      end();
      return written;
    },
  };
}

const rows = () => db.read((tx) => tx.all('SELECT id FROM deletions ORDER BY id'));

test('a write of another process that began before is waited for', async () => {
  const early = await beginWrite(other);
  let isOver = false;
  const waiting = runningWritesEnded(db, () => false).then(async () => {
    isOver = true;
    return rows();
  });
  // A write of this process that comes later ends meanwhile.
  await db.write((tx) => tx.run("INSERT INTO deletions (kind, id) VALUES ('bot', 'meanwhile')"));
  expect(isOver).toBe(false);
  await early.end();
  expect(await waiting).toEqual([{ id: 'late' }, { id: 'meanwhile' }]);
});

test('without running writes the wait is over at once, and a server that stops ends it', async () => {
  await runningWritesEnded(db, () => false);
  const running = await beginWrite(other);
  let isClosed = false;
  const waiting = runningWritesEnded(db, () => isClosed);
  isClosed = true;
  await waiting;
  await running.end();
});
