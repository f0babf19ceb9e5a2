// A process of a test cluster that can be frozen or killed: nothing that it asks of the database begins or is answered
// while it is frozen, and nothing ever is after it was killed.
import type { Database } from '../../storage/database.ts';
import type { Relay } from '../relay/relay.ts';

export interface UnreliableProcess {
  /** Its connection to the database. */
  db: Database;
  relay: Relay;
  /** As SIGSTOP. Writes that have begun may be stored. */
  freeze(): void;
  /** As SIGCONT. */
  thaw(): void;
  /** As SIGKILL: it gives up nothing, and is not heard any more. */
  kill(): void;
  readonly state: 'running' | 'frozen' | 'killed';
  /** Its latest lease of bot events. */
  readonly lease: string | undefined;
}

export function createUnreliableProcess(db: Database, relay: Relay): UnreliableProcess {
  let state: UnreliableProcess['state'] = 'running';
  let waiting: (() => void)[] = [];
  let lease: string | undefined;

  /** Resolves while the process runs. */
  async function running(): Promise<void> {
    while (state === 'frozen') await new Promise<void>((resolve) => waiting.push(resolve));
    if (state === 'killed') throw new Error('The process was killed.');
  }

  async function change(to: typeof state): Promise<void> {
    if (state === 'killed') return;
    state = to;
    const resumed = waiting;
    waiting = [];
    for (const resume of resumed) resume();
  }

  /** The notice for the process is late, or never comes. */
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    await running();
    try {
      return await question();
    } finally {
      await running();
    }
  }

  return {
    db: {
      ...db,
      read: (work) => ask(() => db.read(work)),
      // The effects of a commit are those of the process.
      write: (work) => {
        const effects: (() => void)[] = [];
        return ask(() =>
          db.write((tx) => {
            effects.length = 0;
            return work({
              ...tx,
              get(sql, ...values) {
                if (sql.startsWith('INSERT INTO delivery_leases')) lease = String(values[0]);
                return tx.get(sql, ...values);
              },
              afterCommit: (effect) => effects.push(effect),
            });
          }),
        ).then((value) => {
          for (const effect of effects) effect();
          return value;
        });
      },
      waiting: () => db.waiting(),
      isReady: () => ask(() => db.isReady()),
      purge: () => ask(() => db.purge()),
    },
    relay: {
      ...relay,
      publish(topic, message) {
        if (state === 'running') relay.publish(topic, message);
      },
      subscribe: (topic, listener) =>
        relay.subscribe(topic, (message) => {
          // A frozen process reads its connection later.
          void running().then(
            () => listener(message),
            () => {},
          );
        }),
    },
    freeze: () => void change('frozen'),
    thaw: () => void change('running'),
    kill: () => void change('killed'),
    get state() {
      return state;
    },
    get lease() {
      return lease;
    },
  };
}
