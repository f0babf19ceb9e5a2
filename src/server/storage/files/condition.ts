// A condition on files as SQL with its parameters.
import type { Value } from '../database.ts';

/** A condition on files (`f`), with its parameters. */
export interface Condition {
  sql: string;
  values: Value[];
}
