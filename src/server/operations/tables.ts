// The table of all operations of the Tables API.
import type { Operation } from '../operation.ts';

export const tableOperations: readonly Operation[] = [];
