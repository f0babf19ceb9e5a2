// Connects the parts of the Tables API: files, jobs, computed columns.
import type { Logger } from 'pino';
import type { FileStore, SharedModel } from '../files/index.ts';
import type { Database } from '../storage/database.ts';
import { retireVectorStores } from '../storage/tables/row-vectors.ts';
import type { ComputedLimits } from './computed/budget.ts';
import { createModel, type ModelOptions } from './computed/model.ts';
import { createComputedColumns } from './computed/queue.ts';
import { waitForRows } from './computed/waiting-for-rows.ts';
import { createTableJobs } from './jobs/jobs.ts';
import { fullTextSearch } from './query/search.ts';
import type { TableService } from './service.ts';
import { createTableFiles } from './stored-files.ts';
import { createHybridSearch } from './vectors/hybrid-search.ts';
import { createRowVectors } from './vectors/row-vectors.ts';

export interface TablesOptions {
  db: Database;
  store: FileStore;
  logger: Logger;
  now(): number;
  /** Called after a commit that removes data. */
  onRemoved(): void;
  /** The language model of computed columns. */
  model: ModelOptions | undefined;
  /** The embedding model of the search in tables; undefined for a search by words only. */
  embeddings: SharedModel | undefined;
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
  const { db, store, logger, now, onRemoved, model, embeddings } = options;
  const { computedLimits = unlimited, waitLimit } = options;
  const computed = createComputedColumns({
    db,
    logger,
    now,
    model: model && createModel(model),
    limits: computedLimits,
  });
  const files = createTableFiles({ db, store, onRemoved, now });
  const vectors = embeddings && createRowVectors({ db, logger, now, embeddings });
  // Computed values are written in the background.
  if (vectors) computed.onProgress(vectors.wake);
  const onRowsWritten = () => {
    computed.wake();
    vectors?.wake();
  };
  const jobs = createTableJobs({ db, files, logger, now, onRowsWritten });
  return {
    service: {
      jobs,
      computed,
      waitForRows: (tableId, rows) => waitForRows({ db, computed, limit: waitLimit }, tableId, rows),
      files,
      onRemoved,
      onRowsWritten,
      onTableChanged: (tableId) => vectors?.changed(tableId),
      search: vectors ? createHybridSearch(vectors) : fullTextSearch,
    },
    async start() {
      if (vectors) vectors.start();
      else await db.write(retireVectorStores);
      jobs.wake();
      await computed.start();
    },
    async close() {
      await jobs.close();
      await computed.close();
      await vectors?.close();
    },
  };
}
