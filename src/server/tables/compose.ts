// Connects the parts of the Tables API: files, jobs, computed columns.
import type { Logger } from 'pino';
import type { FileStore } from '../files/index.ts';
import type { Database } from '../storage/database.ts';
import type { ComputedLimits } from './computed/budget.ts';
import { createModel, type ModelOptions } from './computed/model.ts';
import { createComputedColumns } from './computed/queue.ts';
import { waitForRows } from './computed/waiting-for-rows.ts';
import { createTableJobs } from './jobs/jobs.ts';
import { fullTextSearch } from './query/search.ts';
import type { TableService } from './service.ts';
import { createTableFiles } from './stored-files.ts';

export interface TablesOptions {
  db: Database;
  store: FileStore;
  logger: Logger;
  now(): number;
  /** Called after a commit that removes data. */
  onRemoved(): void;
  /** The language model of computed columns. */
  model: ModelOptions | undefined;
  /** The costs of computed columns; unlimited by default. */
  computedLimits: ComputedLimits | undefined;
  /** Milliseconds that `waitComputed` waits, if not the default. */
  waitLimit: number | undefined;
}

export interface Tables {
  service: TableService;
  /** Continues the unfinished work of the previous run. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const unlimited: ComputedLimits = { cellsPerMinute: 0, cellsPerDay: 0, promptCharacters: 0 };

export function createTables(options: TablesOptions): Tables {
  const { db, store, logger, now, onRemoved, model, computedLimits = unlimited, waitLimit } = options;
  const computed = createComputedColumns({
    db,
    logger,
    now,
    model: model && createModel(model),
    limits: computedLimits,
  });
  const files = createTableFiles({ db, store, onRemoved, now });
  const jobs = createTableJobs({ db, files, logger, now, onRowsWritten: computed.wake });
  return {
    service: {
      jobs,
      computed,
      waitForRows: (tableId, rows) => waitForRows({ db, computed, limit: waitLimit }, tableId, rows),
      files,
      onRemoved,
      search: fullTextSearch,
    },
    async start() {
      jobs.wake();
      await computed.start();
    },
    async close() {
      await jobs.close();
      await computed.close();
    },
  };
}
