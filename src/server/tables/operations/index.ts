// The table of all operations of the Tables API, below `/v1/tables`.
import type { Operation } from '../../operations/operation.ts';
import { jobOperations } from './jobs.ts';
import { rowOperations } from './rows.ts';
import { structureOperations } from './structure.ts';

export const tableOperations: readonly Operation[] = [
  ...structureOperations,
  ...jobOperations,
  ...rowOperations,
];
