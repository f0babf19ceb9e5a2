// Tests of the wait for writes that do not see a change yet.
import { beforeEach, expect, test } from 'vitest';
import { gate } from '../../testing/gate.testing.ts';
import type { Database } from '../database.ts';
import { runningWritesEnded } from '../deletions.ts';
import { usePostgres } from './databases.testing.ts';

const postgres = usePostgres();
let db: Database;
let other: Database;
beforeEach(async () => {
  [db, other] = [await postgres.open(), await postgres.open()];
});

/** Begins a write, which goes on until `end` is called. */
async function beginWrite(target: Database) {
  const { opened: ended, open: end } = gate();
  const { opened: isBegun, open: begun } = gate();
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
