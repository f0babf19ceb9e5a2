// Several processes on one database: each one reports that it is alive, and takes leases on work that no other process
// does.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import {
  type Broadcasts,
  closeWorkers,
  LeaseLost,
  type Processes,
  type Worker,
} from '../../jobs/processes.ts';
import { publish } from '../../startup/events.ts';
import { readVersion } from '../../startup/version.ts';
import {
  dropLease,
  forgetProcess,
  holdLease,
  type LeaseRow,
  liveProcesses,
  renewLeases,
  reportProcess,
  takeLease,
  validLeases,
} from '../../storage/cluster/processes.ts';
import type { Database } from '../../storage/database.ts';
import { createBotCodeCheck } from './bot-code.ts';
import { defaultLeaseTimeMs, renewals } from './process-lease.ts';

export interface SharedClusterOptions {
  db: Database;
  broadcasts: Broadcasts;
  logger: Logger;
  /** Milliseconds until others take the work of a process that has ended; the default is 15,000. */
  leaseTime?: number | undefined;
  /** A digest of the code of bots that this process runs. */
  botCode?: string | undefined;
  /** Milliseconds that processes may run different code of bots without a warning; the default is 5 minutes. */
  botCodeTolerance?: number | undefined;
}

/** Milliseconds between two thorough looks for work. */
const thoroughIntervalMs = 600_000;

interface Task {
  name: string;
  create(db: Database): Worker;
  /** The worker of this process. `isEnding`: the work is being handed to another process. */
  current: { lease: LeaseRow; worker: Worker; isEnding: boolean } | undefined;
  /** The time since which no process does it, by a monotonic clock. */
  freeSince: number | undefined;
  /** The time at which this process failed to start it. */
  failedAt: number | undefined;
  /** This process has taken it beyond its share, because no other process did. */
  isKept: boolean;
}

export function createSharedCluster({
  db,
  broadcasts,
  logger,
  leaseTime = defaultLeaseTimeMs,
  botCode,
  botCodeTolerance,
}: SharedClusterOptions): Processes {
  const id = randomUUID();
  const version = readVersion();
  const tasks: Task[] = [];
  /** Workers of lost work that are still ending. */
  const ending = new Set<Promise<void>>();
  let count = 1;
  /** The ids of the processes that share the work. */
  let sharers = '';
  const codeCheck = createBotCodeCheck(id, logger, botCodeTolerance);
  let renewedAt = performance.now();
  let wokenThoroughlyAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: Promise<void> | undefined;
  let isAgain = false;
  let isClosed = false;
  const lookForWork = broadcasts.everywhere('look for work', () => void (timer && runHeartbeat()));

  const isCurrent = (fence: string): boolean => tasks.some(({ current }) => current?.lease.fence === fence);

  function lose(task: Task, fence: string): void {
    const { current } = task;
    if (current?.lease.fence !== fence) return;
    task.current = undefined;
    publish('leaseLost', { kind: 'background' });
    logger.warn({ work: task.name }, 'another process has taken background work from this one');
    if (current.isEnding) return;
    const ended: Promise<void> = closeWorkers([current.worker], logger).finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** Renews the leases of this process, takes free ones up to its share, and releases those beyond it. */
  async function heartbeatOnce(): Promise<void> {
    const begun = performance.now();
    const isRecent = (since: number | undefined) => since === undefined || begun - since < leaseTime;
    const fences = new Map(tasks.filter(({ current }) => !current).map((task) => [task, randomUUID()]));
    const mine = tasks.length - fences.size;
    const { held, taken, live, fair, valid } = await db.write(async (tx) => {
      await reportProcess(tx, { id, version, botCode: botCode ?? null });
      const held = await renewLeases(tx, id, leaseTime);
      // Leases of work that did not start.
      for (const lease of held.filter(({ fence }) => !isCurrent(fence))) await dropLease(tx, lease);
      const live = await liveProcesses(tx);
      // A process that has not reported for longer than a lease has lost its work.
      const others = live.filter((process) => process.id !== id && process.age < leaseTime);
      const fair = Math.ceil(tasks.length / (others.length + 1));
      const taken: LeaseRow[] = [];
      for (const [{ name, freeSince, failedAt }, fence] of fences) {
        const isBeyond = mine + taken.length >= fair;
        if (isBeyond && isRecent(freeSince)) continue;
        // Perhaps another process can.
        if (failedAt !== undefined && others.length > 0 && isRecent(failedAt)) continue;
        const lease = { name, processId: id, fence };
        if (await takeLease(tx, lease, leaseTime)) taken.push(lease);
      }
      return { held, taken, live, fair, valid: new Set(await validLeases(tx)) };
    });
    renewedAt = begun;
    count = Math.max(1, live.length);
    codeCheck.check(live);
    const ids = live.map((process) => process.id).join();
    if (ids !== sharers) for (const task of tasks) task.isKept = false;
    sharers = ids;
    const isThorough = begun - wokenThoroughlyAt >= thoroughIntervalMs;
    if (isThorough) wokenThoroughlyAt = begun;
    for (const task of tasks) {
      const fence = task.current?.lease.fence;
      if (fence !== undefined && !held.some((lease) => lease.fence === fence)) lose(task, fence);
      task.freeSince = valid.has(task.name) ? undefined : (task.freeSince ?? begun);
      const lease = taken.find(({ name }) => name === task.name);
      if (!lease) {
        if (!task.current?.isEnding) task.current?.worker.wake?.(isThorough);
        continue;
      }
      task.isKept = mine + taken.indexOf(lease) >= fair;
      await begin(task, lease);
    }
    releaseSurplus(fair);
  }

  /** Ends work that is beyond the share of this process, one at a time, so that another process takes it. */
  function releaseSurplus(fair: number): void {
    const working = tasks.filter(({ current }) => current && !current.isEnding);
    const task = working.findLast(({ isKept }) => !isKept);
    const current = task?.current;
    if (isClosed || !current || working.length <= fair || tasks.some((one) => one.current?.isEnding)) return;
    current.isEnding = true;
    const { lease, worker } = current;
    // The lease is renewed until the worker has ended its current batch.
    const ended: Promise<void> = closeWorkers([worker], logger)
      .then(async () => {
        if (!isCurrent(lease.fence)) return;
        task.current = undefined;
        await db.write((tx) => dropLease(tx, lease));
        lookForWork();
      })
      // The next renewal drops it.
      .catch((error: unknown) => logger.warn({ err: error }, 'releasing background work failed'))
      .finally(() => ending.delete(ended));
    ending.add(ended);
  }

  async function begin(task: Task, lease: LeaseRow): Promise<void> {
    // If the server stops in the meantime, this lease is released with the others.
    const worker = task.create(fencedDatabase(db, lease, () => lose(task, lease.fence)));
    task.current = { lease, worker, isEnding: false };
    try {
      await worker.start();
      task.failedAt = undefined;
    } catch (error) {
      // Perhaps another process can, or this one later.
      logger.error({ err: error, work: task.name }, 'background work could not be started');
      task.current = undefined;
      task.failedAt = performance.now();
      await closeWorkers([worker], logger);
    }
  }

  async function heartbeatUntilCurrent(): Promise<void> {
    do {
      isAgain = false;
      try {
        await heartbeatOnce();
      } catch (error) {
        logger.error({ err: error }, 'the leases of background work could not be renewed');
        // Other processes may have these leases. The writes of the work would be refused.
        if (performance.now() - renewedAt > leaseTime)
          for (const task of tasks) if (task.current) lose(task, task.current.lease.fence);
      }
    } while (isAgain && !isClosed);
  }

  function runHeartbeat(): Promise<void> {
    if (isClosed) return Promise.resolve();
    isAgain = true;
    heartbeat ??= heartbeatUntilCurrent().finally(() => {
      heartbeat = undefined;
    });
    return heartbeat;
  }

  return {
    id,
    broadcasts,
    count: () => count,
    botCodeVersions: () => codeCheck.versions,
    assign<W extends Worker>(name: string, create: (db: Database) => W) {
      const task: Task = {
        name,
        create,
        current: undefined,
        freeSince: undefined,
        failedAt: undefined,
        isKept: false,
      };
      tasks.push(task);
      return {
        get worker() {
          // Created by `create` above.
          return (task.current?.isEnding ? undefined : task.current?.worker) as W | undefined;
        },
      };
    },
    async start() {
      await runHeartbeat();
      timer = setInterval(() => void runHeartbeat(), leaseTime / renewals).unref();
      // Others may have more than their share.
      lookForWork();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await heartbeat;
      const held = tasks.flatMap(({ current }) => (current && !current.isEnding ? current : []));
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

/**
 * Returns `db` with a condition for each write: this process still has the lease, until the write is stored. This also
 * holds if the process was frozen for longer than the lease. If another process has the lease, `onLost` is called, and
 * the write rejects with LeaseLost.
 */
export function fencedDatabase(db: Database, lease: LeaseRow, onLost: () => void): Database {
  return {
    ...db,
    read: (work) => db.read(work),
    async write(work) {
      try {
        return await db.write(async (tx) => {
          if (!(await holdLease(tx, lease)))
            throw new LeaseLost(`Another process has the lease ${lease.name}.`);
          return work(tx);
        });
      } catch (error) {
        if (error instanceof LeaseLost) {
          publish('fenced', { kind: 'background' });
          onLost();
        }
        throw error;
      }
    },
  };
}
