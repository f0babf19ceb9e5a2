// The fields of the configuration for who the visitor is. Not in config.ts, because the lazy bundle that needs them
// contains them and the bundle of the chat does not.
import type { FieldTable } from './config.ts';
import { flag } from './field-kinds.ts';

export const visitorFields = {
  mergeAnonymous: [flag, false],
} as const satisfies FieldTable;
