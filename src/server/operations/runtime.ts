// The table of all operations of the Runtime API.
import type { Operation } from '../operation.ts';

export const runtimeOperations: readonly Operation[] = [];
