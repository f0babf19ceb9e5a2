// The database as one process sees it: the process can be killed between any two statements. What it was writing is rolled back,
// and it learns nothing any more: no call of it returns, so that nothing of it goes on.
import type { Database, Tx, WriteTx } from '../../src/server/storage/database.ts';

/** Where a process is killed: before a statement, or when a write is stored and nobody has been told. */
export type KillPoint = 'statement' | 'commit';

export interface ProcessDatabase {
  db: Database;
  /** Kills the process at the `count`-th such point from now. */
  killAt(point: KillPoint, count: number): void;
  /** Kills it now. */
  kill(): void;
  /** As SIGSTOP: nothing that it asks begins or is answered until the returned function is called. */
  freeze(): () => void;
}

/** @param onKilled called once, at that moment */
export function ofProcess(db: Database, onKilled: () => void): ProcessDatabase {
  let isKilled = false;
  let plan: { point: KillPoint; remaining: number } | undefined;
  let frozen: Promise<void> | undefined;

  const kill = () => {
    if (isKilled) return;
    isKilled = true;
    onKilled();
  };
  const reached = (point: KillPoint) => {
    if (plan?.point === point && --plan.remaining <= 0) kill();
    return isKilled;
  };
  const never = <T>() => new Promise<T>(() => {});
  const killed = () => new Error('The process was killed.');

  const statement = async <T>(run: () => Promise<T>): Promise<T> => {
    if (reached('statement')) throw killed();
    return run();
  };
  const reading = (tx: Tx): Tx => ({
    dialect: tx.dialect,
    get: (sql, ...values) => statement(() => tx.get(sql, ...values)),
    all: (sql, ...values) => statement(() => tx.all(sql, ...values)),
  });
  /** A question of a process that is killed meanwhile is never answered. */
  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    while (frozen !== undefined) await frozen;
    if (isKilled) return never();
    try {
      const answer = await question();
      while (frozen !== undefined) await frozen;
      return isKilled ? never() : answer;
    } catch (error) {
      while (frozen !== undefined) await frozen;
      if (isKilled) return never();
      throw error;
    }
  };

  return {
    kill,
    killAt(point, count) {
      plan = { point, remaining: count };
    },
    freeze() {
      let thaw = () => {};
      frozen = new Promise((resolve) => {
        thaw = () => {
          frozen = undefined;
          resolve();
        };
      });
      return thaw;
    },
    db: {
      isRemote: db.isRemote,
      isShared: db.isShared,
      location: db.location,
      read: (work) => ask(() => db.read((tx) => work(reading(tx)))),
      async write(work) {
        const effects: (() => void)[] = [];
        const value = await ask(() =>
          db.write(async (tx) => {
            if (isKilled) throw killed();
            const own: WriteTx = {
              ...reading(tx),
              lock: (...names) => tx.lock(...names),
              run: (sql, ...values) => statement(() => tx.run(sql, ...values)),
              afterCommit: (effect) => effects.push(effect),
            };
            const result = await work(own);
            if (isKilled) throw killed();
            return result;
          }),
        );
        if (reached('commit')) return never();
        for (const effect of effects) effect();
        return value;
      },
      waiting: () => db.waiting(),
      isReady: () => ask(() => db.isReady()),
      purge: () => ask(() => db.purge()),
      close: async () => {},
    },
  };
}
