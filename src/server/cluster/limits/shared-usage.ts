// Adds the usage of limits of this process to that of all others, several times a second. A request is decided at once, by
// what this process knows.
import type { Logger } from 'pino';
import { createKeyedHash } from '../../limits/keyed-hash.ts';
import type { SharedUsage } from '../../limits/shared-limit.ts';
import type { Database } from '../../storage/database.ts';
import { addSharedUse, deleteSharedLimitsBefore } from '../../storage/shared-limits.ts';

/** Milliseconds between two exchanges. */
const intervalMs = 200;
/** The part of a limit that a process uses before it asks at once. */
const earlyPart = 0.1;
/** Milliseconds between two deletions of old counts. */
const cleanupIntervalMs = 60_000;
/** The number of counts that one statement adds. */
const batch = 1_000;

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
  const pending = new Map<string, Pending>();
  /** What is being added. */
  let sent = new Map<string, Pending>();
  let running: Promise<void> | undefined;
  let isClosed = false;
  let failures = 0;

  const idOf = createKeyedHash(secret);

  async function exchangeAll(): Promise<void> {
    while (pending.size > 0) {
      sent = new Map([...pending].slice(0, batch));
      for (const id of sent.keys()) pending.delete(id);
      try {
        const rows = await addSharedUse(
          db,
          [...sent].map(([id, { units, freed, lifetime }]) => ({
            id,
            used: Math.round(units * 1000),
            freed: Math.round(freed * 1000),
            lifetime,
          })),
        );
        failures = 0;
        for (const { id, used } of rows) {
          const { key, onUsed } = sent.get(id) ?? {};
          if (key !== undefined) onUsed?.(key, used / 1000 + (pending.get(id)?.units ?? 0));
        }
      } catch (error) {
        // Kept for the next time; until then each process gives its share.
        for (const [id, one] of sent) {
          const since = pending.get(id);
          pending.set(id, { ...one, units: one.units + (since?.units ?? 0) });
        }
        failures += 1;
        if (failures === 1) logger.warn({ err: error }, 'limits are not shared with other processes');
        return;
      } finally {
        sent = new Map();
      }
    }
  }

  const exchange = (): Promise<void> => {
    running ??= exchangeAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  const timers = [
    setInterval(() => void exchange(), intervalMs),
    setInterval(() => {
      deleteSharedLimitsBefore(db, Date.now()).catch(() => {});
    }, cleanupIntervalMs),
  ];
  for (const timer of timers) timer.unref();

  return {
    limit(name, { limit, freed, lifetime }, onUsed) {
      return {
        use(key, units) {
          if (isClosed) return;
          const id = idOf(`${name} ${key}`);
          const one = pending.get(id) ?? { key, units: 0, freed, lifetime, onUsed };
          one.units += units;
          pending.set(id, one);
          if (one.units >= limit * earlyPart) void exchange();
        },
        settled(key) {
          const id = idOf(`${name} ${key}`);
          // They cannot be told.
          if (failures > 0) return undefined;
          const unknown = (pending.get(id)?.units ?? 0) + (sent.get(id)?.units ?? 0);
          return unknown >= limit * earlyPart ? exchange() : undefined;
        },
        share: () => (failures > 0 ? 1 / processes() : 1),
        available(key, free) {
          if (failures === 0) return free;
          const id = idOf(`${name} ${key}`);
          const used = (pending.get(id)?.units ?? 0) + (sent.get(id)?.units ?? 0);
          return Math.max(1, Math.floor((free + used) / processes())) - used;
        },
      };
    },
    exchange,
    async close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      await exchange();
    },
  };
}
