// The table of all operations of the Tables API, below `/v1/tables`.
import type { Operation } from '../operation.ts';
import { jobOperations } from './tables/jobs.ts';
import { rowOperations } from './tables/rows.ts';
import { structureOperations } from './tables/structure.ts';

export const tableOperations: readonly Operation[] = [
  ...structureOperations,
  ...jobOperations,
  ...rowOperations,
];
