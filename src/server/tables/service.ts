// What the Tables API needs beside the database: its jobs, files to import and export, and a way to search.

import type { JobRunner } from '../jobs/runner.ts';
import type { TableFiles } from './files.ts';
import type { RowSearch } from './query/search.ts';

export interface TableService {
  jobs: JobRunner;
  files: TableFiles;
  /** To be called after the commit that deletes a table or all of its rows. */
  onRemoved(): void;
  /** A provider of embeddings would stand here in place of the words (search.ts). */
  search: RowSearch;
}
