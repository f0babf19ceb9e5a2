// What the Tables API needs in addition to the database: its jobs, files to import and export, and search.
import type { JobRunner } from '../jobs/runner.ts';
import type { TableFiles } from './files.ts';
import type { RowSearch } from './query/search.ts';

export interface TableService {
  jobs: JobRunner;
  files: TableFiles;
  /** Must be called after the commit that deletes a table or all of its rows. */
  onRemoved(): void;
  /** A provider of embeddings can replace the full-text ranking (search.ts). */
  search: RowSearch;
}
