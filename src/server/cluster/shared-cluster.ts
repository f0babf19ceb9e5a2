// Several processes on one database: each reports that it is alive, and takes work that no other one does, by leases.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { publish } from '../diagnostics/events.ts';
import { dropLease, type LeaseRow, renewLeases, takeLease } from '../storage/cluster/leases.ts';
import { forgetProcess, liveProcesses, reportProcess } from '../storage/cluster/processes.ts';
import type { Database } from '../storage/database.ts';
import { readVersion } from '../version.ts';
import type { Broadcasts } from './broadcasts.ts';
import { type Cluster, closeWorkers, type Worker } from './cluster.ts';
import { fencedDatabase } from './fenced-database.ts';

export interface SharedClusterOptions {
  db: Database;
  broadcasts: Broadcasts;
  logger: Logger;
  /** Milliseconds until others take the work of a process that is gone; the default is 15,000. */
  leaseTime?: number | undefined;
}

const defaultLeaseTime = 15_000;

/** Work that is declared. `current`: what this process does of it. */
interface Task {
  name: string;
  create(db: Database): Worker;
  current: { lease: LeaseRow; worker: Worker } | undefined;
}

export function createSharedCluster({
  db,
  broadcasts,
  logger,
  leaseTime = defaultLeaseTime,
}: SharedClusterOptions): Cluster {
  const id = randomUUID();
  const tasks: Task[] = [];
  /** Ends of work that was lost. */
  const ending = new Set<Promise<void>>();
  let processes = 1;
  let renewedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;
  let isAgain = false;
  let isClosed = false;
  const lookForWork = broadcasts.everywhere('look for work', () => void (timer && beat()));

  const isCurrent = (fence: string): boolean => tasks.some(({ current }) => current?.lease.fence === fence);

  function lose(task: Task, fence: string): void {
    const { current } = task;
    if (current?.lease.fence !== fence) return;
    task.current = undefined;
    publish('leaseLost', { kind: 'background' });
    logger.warn({ work: task.name }, 'another process has taken background work from this one');
    const ended: Promise<void> = closeWorkers([current.worker], logger).finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** Renews the leases of this process, and takes free ones. */
  async function beatOnce(): Promise<void> {
    const begun = performance.now();
    const free = tasks.filter(({ current }) => !current);
    const wanted = free.map(({ name }) => ({ name, processId: id, fence: randomUUID() }));
    const { held, taken, live } = await db.write(async (tx) => {
      await reportProcess(tx, { id, version: readVersion() });
      const held = await renewLeases(tx, id, leaseTime);
      // Of work that did not start.
      for (const lease of held.filter(({ fence }) => !isCurrent(fence))) await dropLease(tx, lease);
      const taken: LeaseRow[] = [];
      for (const lease of wanted) if (await takeLease(tx, lease, leaseTime)) taken.push(lease);
      return { held, taken, live: await liveProcesses(tx) };
    });
    renewedAt = begun;
    processes = Math.max(1, live.length);
    for (const task of tasks) {
      const fence = task.current?.lease.fence;
      if (fence !== undefined && !held.some((lease) => lease.fence === fence)) lose(task, fence);
      const lease = taken.find(({ name }) => name === task.name);
      if (lease) await begin(task, lease);
      else task.current?.worker.wake?.();
    }
  }

  async function begin(task: Task, lease: LeaseRow): Promise<void> {
    // The lease is given up with the others when the server stops meanwhile.
    const worker = task.create(fencedDatabase(db, lease, () => lose(task, lease.fence)));
    task.current = { lease, worker };
    try {
      await worker.start();
    } catch (error) {
      // Perhaps another process can, or this one later.
      logger.error({ err: error, work: task.name }, 'background work could not be started');
      task.current = undefined;
      await closeWorkers([worker], logger);
    }
  }

  async function beatUntilCurrent(): Promise<void> {
    do {
      isAgain = false;
      try {
        await beatOnce();
      } catch (error) {
        logger.error({ err: error }, 'the leases of background work could not be renewed');
        // Others may have them. The writes of the work would be refused.
        if (performance.now() - renewedAt > leaseTime)
          for (const task of tasks) if (task.current) lose(task, task.current.lease.fence);
      }
    } while (isAgain && !isClosed);
  }

  function beat(): Promise<void> {
    if (isClosed) return Promise.resolve();
    isAgain = true;
    beating ??= beatUntilCurrent().finally(() => {
      beating = undefined;
    });
    return beating;
  }

  return {
    id,
    broadcasts,
    processes: () => processes,
    assign<W extends Worker>(name: string, create: (db: Database) => W) {
      const task: Task = { name, create, current: undefined };
      tasks.push(task);
      return {
        get worker() {
          // Created by `create` above.
          return task.current?.worker as W | undefined;
        },
      };
    },
    async start() {
      await beat();
      timer = setInterval(() => void beat(), leaseTime / 3);
      timer.unref();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await beating;
      const held = tasks.flatMap(({ current }) => current ?? []);
      await closeWorkers(
        held.map(({ worker }) => worker),
        logger,
      );
      await Promise.all(ending);
      try {
        await db.write(async (tx) => {
          for (const { lease } of held) await dropLease(tx, lease);
          await forgetProcess(tx, id);
        });
        lookForWork();
      } catch (error) {
        logger.warn(
          { err: error },
          'the leases of background work were not given up: others wait until they expire',
        );
      }
    },
  };
}
