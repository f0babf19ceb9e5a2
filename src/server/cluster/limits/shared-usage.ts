// Adds the usage of limits of this process to that of all others, several times a second. A request is decided at once, by
// what this process knows.
import type { Logger } from 'pino';
import { createKeyedHash } from '../../limits/client-address.ts';
import type { SharedUsage } from '../../limits/shared-limit.ts';
import { addSharedUse, deleteSharedLimitsBefore } from '../../storage/cluster/shared-limits.ts';
import type { Database } from '../../storage/database.ts';
import { createExchange } from './exchange.ts';

/** The part of a limit that a process uses before it asks at once. */
const earlyPart = 0.1;

export interface UsageExchange extends SharedUsage {
  /** Exchanges what was used until now. */
  exchange(): Promise<void>;
  close(): Promise<void>;
}

interface Pending {
  key: string;
  units: number;
  freed: number;
  lifetime: number;
  onUsed(key: string, used: number): void;
}

/**
 * Begins to exchange. A process that waits for `settled` uses at most a tenth of a limit, and what is under way at that
 * moment, before the others know it. Usage beyond a limit counts, too, so that later requests make up for it.
 *
 * `secret`: keys contain addresses of visitors, which are stored as a keyed hash only. `processes`: the number of those that
 * were alive when it was last known.
 */
export function createSharedUsage(
  db: Database,
  secret: string,
  logger: Logger,
  processes: () => number,
): UsageExchange {
  const exchange = createExchange<Pending>({
    async send(batch) {
      const uses = [...batch].map(([id, { units, freed, lifetime }]) => ({
        id,
        used: Math.round(units * 1000),
        freed: Math.round(freed * 1000),
        lifetime,
      }));
      for (const { id, used } of await addSharedUse(db, uses)) {
        const { key, onUsed } = batch.get(id) ?? {};
        if (key !== undefined) onUsed?.(key, used / 1000 + (exchange.pending.get(id)?.units ?? 0));
      }
    },
    merge: (unsent, since) => ({ ...unsent, units: unsent.units + since.units }),
    check: () => deleteSharedLimitsBefore(db, Date.now()).catch(() => {}),
    logger,
    failure: 'limits are not shared with other processes',
  });
  const { pending } = exchange;
  const hash = createKeyedHash(secret);
  /** The usage of this process that others do not know. */
  const unknown = (id: string): number =>
    (pending.get(id)?.units ?? 0) + (exchange.sending.get(id)?.units ?? 0);
  const run = async (): Promise<void> => void (await exchange.run());
  let isClosed = false;

  return {
    limit(name, { limit, freed, lifetime }, onUsed) {
      const idOf = (key: string) => hash(`${name} ${key}`);
      return {
        use(key, units) {
          if (isClosed) return;
          const id = idOf(key);
          const one = pending.get(id) ?? { key, units: 0, freed, lifetime, onUsed };
          one.units += units;
          pending.set(id, one);
          if (one.units >= limit * earlyPart) void run();
        },
        // While the exchanges fail, others cannot be told.
        settled: (key) =>
          !exchange.isFailing && unknown(idOf(key)) >= limit * earlyPart ? run() : undefined,
        share: () => (exchange.isFailing ? 1 / processes() : 1),
        available(key, free) {
          if (!exchange.isFailing) return free;
          const used = unknown(idOf(key));
          return Math.max(1, Math.floor((free + used) / processes())) - used;
        },
      };
    },
    exchange: run,
    async close() {
      isClosed = true;
      await exchange.close();
    },
  };
}
