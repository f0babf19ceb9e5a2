// The processes of a server: actions that run at all of them, and background work that one of them does at a time. With
// SQLite, a server is one process.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../storage/database.ts';

/** An argument of an action, which is sent as JSON. */
export type Argument = string | number | boolean | null;

export interface Broadcasts {
  /**
   * Returns a function that runs `action` immediately in this process, and in every other process when it receives the
   * broadcast. Another process can miss it, so the same effect must also happen later without it. `name`: the same at all
   * processes, also of an earlier version.
   */
  everywhere<Args extends Argument[]>(name: string, action: (...args: Args) => void): (...args: Args) => void;
}

/** Background work. */
export interface Worker {
  /** Continues the work that an earlier worker, perhaps of another process, has not finished. */
  start(): void | Promise<void>;
  /**
   * Looks for work. Called every few seconds, because a broadcast about new work can be lost. `isThorough`: true every
   * ten minutes, to find work that only a search of all data finds.
   */
  wake?(isThorough: boolean): void;
  /** Ends without finishing the work. */
  close(): Promise<void>;
}

/** Background work that one process does at a time. */
export interface Role<W extends Worker> {
  /** The worker of this process; undefined while another process does the work, and before the start. */
  readonly worker: W | undefined;
}

export interface Processes {
  /** The id of this process, as it reports it to others. */
  readonly id: string;
  broadcasts: Broadcasts;
  /** The number of processes that are alive, at least 1. */
  count(): number;
  /** The number of versions of the code of bots that they run, at least 1. */
  botCodeVersions(): number;
  /**
   * Declares background work. `create` creates the worker when this process takes the work. The `db` of the worker
   * refuses writes as soon as another process has taken the work. `name`: the same at all processes.
   */
  assign<W extends Worker>(name: string, create: (db: Database) => W): Role<W>;
  /** Starts taking work. */
  start(): Promise<void>;
  /** Ends the work so that other processes continue it. Broadcasts still work. */
  close(): Promise<void>;
}

/** Another process does the work: nothing was written. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** A server that is one process: it does all work itself. */
export function createSoleProcess(db: Database, logger: Logger): Processes {
  const workers: Worker[] = [];
  return {
    id: randomUUID(),
    broadcasts: { everywhere: (_, action) => action },
    count: () => 1,
    botCodeVersions: () => 1,
    assign(_, create) {
      const worker = create(db);
      workers.push(worker);
      return { worker };
    },
    async start() {
      for (const worker of workers) await worker.start();
    },
    close: () => closeWorkers(workers, logger),
  };
}

/** Closes workers in reverse order: later ones use earlier ones. */
export async function closeWorkers(workers: readonly Worker[], logger: Logger): Promise<void> {
  for (const worker of workers.toReversed()) {
    await worker.close().catch((error: unknown) => logger.error({ err: error }, 'background work failed'));
  }
}
