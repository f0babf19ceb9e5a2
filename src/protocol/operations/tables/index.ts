// All operations of the Tables API, in the order of the documentation.
import { jobs } from './jobs.ts';
import { rows } from './rows.ts';
import { tables } from './tables.ts';

export const tablesOperations = {
  ...tables,
  ...jobs,
  ...rows,
};
