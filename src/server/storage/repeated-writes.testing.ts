// Runs the works of a database as its interface allows it (database.ts): some of them twice, the first time possibly only
// up to some statement. Also checks the order of locks. For tests only.
import type { Database, Tx, WriteTx } from './database.ts';
import { compareLocks, type LockName, sortLocks } from './locks.ts';

/** Statements after which a first run can end. */
const latestCut = 12;
const writingSql = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i;

/**
 * Returns the same database. Every second work runs twice, in the same transaction: a savepoint drops what the first run
 * did. `seed` decides which ones.
 */
export function repeatWrites(db: Database, seed: number): Database {
  const random = createRandom(seed);
  return {
    ...db,
    write: (work) =>
      db.write(async (tx) => {
        const dice = random();
        if (dice < 0.25) await runInVain(tx, work, Number.POSITIVE_INFINITY);
        else if (dice < 0.5) await runInVain(tx, work, 1 + Math.floor(random() * latestCut));
        const effects: (() => void)[] = [];
        const run = createRun(tx, effects, Number.POSITIVE_INFINITY);
        try {
          return await work(run.tx);
        } finally {
          run.end();
          for (const effect of effects) tx.afterCommit(effect);
        }
      }),
  };
}

/** Runs a work up to a number of statements, and drops what it did. */
async function runInVain(tx: WriteTx, work: (tx: WriteTx) => Promise<unknown>, cut: number): Promise<void> {
  await tx.run('SAVEPOINT first_run');
  const run = createRun(tx, [], cut);
  try {
    await work(run.tx);
  } catch (error) {
    // The second run fails in the same way, or it shows that the first one had an effect.
    if (error instanceof LockOrderError) throw error;
  } finally {
    run.end();
    await tx.run('ROLLBACK TO first_run');
    await tx.run('RELEASE first_run');
  }
}

/** A lock that other works could hold while they wait for one that this work holds. */
class LockOrderError extends Error {}

/** One run of a work. `cut`: the statement at which it loses its connection. */
function createRun(tx: WriteTx, effects: (() => void)[], cut: number): { tx: WriteTx; end(): void } {
  const locks = createLockOrder();
  let isOver = false;
  let statements = 0;

  function begin(sql: string, isWriting: boolean): void {
    if (isOver) throw new Error(`A statement after the end of its transaction: ${sql}`);
    statements += 1;
    if (statements >= cut) {
      isOver = true;
      throw new Error('The connection was lost (repeated-writes.testing.ts).');
    }
    if (isWriting) locks.noteWrite(sql);
  }

  const reads: Tx = {
    dialect: tx.dialect,
    async get(sql, ...values) {
      begin(sql, writingSql.test(sql));
      return tx.get(sql, ...values);
    },
    async all(sql, ...values) {
      begin(sql, writingSql.test(sql));
      return tx.all(sql, ...values);
    },
  };
  return {
    tx: {
      ...reads,
      async run(sql, ...values) {
        begin(sql, true);
        return tx.run(sql, ...values);
      },
      async lock(...names) {
        begin(`lock ${names.join(', ')}`, false);
        locks.take(names);
        await tx.lock(...names);
      },
      afterCommit(effect) {
        if (isOver) throw new Error('An effect that was registered after the end of its transaction.');
        effects.push(effect);
      },
    },
    end: () => {
      isOver = true;
    },
  };
}

/** Throws LockOrderError for a lock after one that follows it, or after a write, which locks rows. */
function createLockOrder(): { take(names: readonly LockName[]): void; noteWrite(sql: string): void } {
  const held = new Set<LockName>();
  let written: string | undefined;
  return {
    noteWrite(sql) {
      written ??= sql;
    },
    take(names) {
      const added = sortLocks(names).filter((name) => !held.has(name));
      const [first] = added;
      if (first === undefined) return;
      if (written !== undefined) throw new LockOrderError(`The lock ${first} was taken after: ${written}`);
      const later = [...held].find((name) => compareLocks(name, first) > 0);
      if (later !== undefined) throw new LockOrderError(`The lock ${first} was taken after ${later}.`);
      for (const name of added) held.add(name);
    },
  };
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
