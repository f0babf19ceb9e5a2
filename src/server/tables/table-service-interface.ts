// The services of the Tables API in addition to the database: its jobs, files to import and export, and search.
import type { Row } from '../../protocol/types/tables.ts';
import type { RowSearch } from './query/search.ts';
import type { TableFiles } from './stored-files.ts';

/** The background work of computed columns, whichever process does it. */
export interface ComputedWork {
  /** Must be called after a commit that makes rows stale. */
  wake(): void;
  /** Calls back after each step of a table until the result is called. */
  onProgress(listener: (tableId: string) => void): () => void;
  /** Resolves when nothing is running or due at this process. */
  idle(): Promise<void>;
}

export interface TableService {
  /** Must be called after a commit that adds a job. */
  onJobAdded(): void;
  computed: ComputedWork;
  /** Returns rows when their computed columns are done, or after some seconds (waiting-for-rows.ts). */
  waitForRows(tableId: string, rows: readonly Row[]): Promise<Row[]>;
  files: TableFiles;
  /** Must be called after the commit that deletes a table or all of its rows. */
  onRemoved(): void;
  /** Must be called after a commit that writes rows. */
  onRowsWritten(): void;
  /** Must be called after a commit that creates, changes or empties a table. */
  onTableChanged(tableId: string): void;
  /** By words, and by vectors if the server has an embedding model. */
  search: RowSearch;
}
