// Connects the parts of the Tables API: files, jobs, computed columns.
import type { Logger } from 'pino';
import { createModelHealth, type FileStore, modelName, type SharedModel } from '../files/index.ts';
import type { Processes, Worker } from '../jobs/processes.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Database } from '../storage/database.ts';
import { retireVectorStores } from '../storage/tables/row-vectors.ts';
import { createModel, type ModelOptions } from './computed/model.ts';
import { type ComputedColumns, createComputedColumns } from './computed/queue.ts';
import type { ComputedSettings } from './computed/settings.ts';
import { waitForRows } from './computed/waiting-for-rows.ts';
import { createTableJobs } from './jobs/jobs.ts';
import { fullTextSearch } from './query/search.ts';
import { createTableFiles } from './stored-files.ts';
import type { ComputedWork, TableService } from './table-service-interface.ts';
import { createHybridSearch, createRowVectorSearch } from './vectors/row-search.ts';
import { createRowVectors, type RowVectors } from './vectors/row-vectors.ts';

export interface TablesOptions {
  db: Database;
  processes: Processes;
  store: FileStore;
  logger: Logger;
  now(): number;
  /** Called after a commit that removes data. */
  onRemoved(): void;
  /** The language model of computed columns. */
  model: ModelOptions | undefined;
  /** The embedding model of the search in tables; undefined for a search by words only. */
  embeddings: SharedModel | undefined;
  settings: ComputedSettings;
  /** Milliseconds that `waitComputed` waits, if not the default. */
  waitLimit: number | undefined;
}

export interface Tables {
  service: TableService;
  /** Ends the searches. */
  close(): void;
}

/** The background work: jobs, computed columns, vectors of rows. */
interface TableWorker extends Worker {
  jobs: JobRunner;
  computed: ComputedColumns;
  vectors: RowVectors | undefined;
}

export function createTables(options: TablesOptions): Tables {
  const { db, processes, store, logger, now, onRemoved, embeddings, waitLimit } = options;
  const { everywhere } = processes.broadcasts;
  const files = createTableFiles({ db, store, onRemoved, now });
  const model = options.model && createModel(options.model);
  const health =
    embeddings &&
    createModelHealth(
      logger,
      modelName(embeddings.model),
      'the rows of tables are found by words only until the model answers',
    );

  const listeners = new Set<(tableId: string) => void>();
  const onProgress = everywhere('rows computed', (tableId: string) => {
    for (const listener of listeners) listener(tableId);
  });

  const role = processes.assign<TableWorker>('work on tables', (own) => {
    const vectors = embeddings && health && createRowVectors({ db: own, embeddings, health });
    const computed = createComputedColumns({
      db: own,
      logger,
      now,
      model,
      settings: options.settings,
      onProgress(tableId) {
        // Computed values are written in the background.
        vectors?.wake();
        onProgress(tableId);
      },
    });
    const jobs = createTableJobs({ db: own, files, logger, now, onRowsWritten: () => wake() });
    function wake(): void {
      computed.wake();
      vectors?.wake();
    }
    return {
      jobs,
      computed,
      vectors,
      async start() {
        if (vectors) vectors.start();
        else await own.write(retireVectorStores);
        jobs.wake();
        await computed.start();
      },
      wake(isThorough) {
        jobs.wake();
        wake();
        if (isThorough) vectors?.rescan();
      },
      async close() {
        await jobs.close();
        await computed.close();
        await vectors?.close();
      },
    };
  });

  const computed: ComputedWork = {
    wake: everywhere('compute columns', () => role.worker?.computed.wake()),
    onProgress(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    idle: async () => role.worker?.computed.idle(),
  };
  const search = embeddings && health && createRowVectorSearch({ db, now, embeddings, health });
  return {
    service: {
      onJobAdded: everywhere('run table jobs', () => role.worker?.jobs.wake()),
      computed,
      waitForRows: (tableId, rows) => waitForRows({ db, computed, limit: waitLimit }, tableId, rows),
      files,
      onRemoved,
      onRowsWritten: everywhere('rows written', () => {
        role.worker?.computed.wake();
        role.worker?.vectors?.wake();
      }),
      onTableChanged: everywhere('table changed', (tableId: string) =>
        role.worker?.vectors?.changed(tableId),
      ),
      search: search ? createHybridSearch(search) : fullTextSearch,
    },
    close: () => search?.close(),
  };
}
