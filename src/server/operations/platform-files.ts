// The table of all operations of the Files API.
import type { Operation } from '../operation.ts';

export const fileOperations: readonly Operation[] = [];
