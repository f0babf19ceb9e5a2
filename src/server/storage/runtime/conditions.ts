// The WHERE clause of a list with optional filters.
import type { Value } from '../database.ts';
import type { Condition } from '../dialect.ts';

/** The conditions of one statement with their parameters. A condition with an undefined parameter is left out. */
export function createConditions(where: string[], values: Value[]) {
  return {
    where,
    values,
    add(condition: string, ...given: (Value | undefined)[]): void {
      if (given.some((value) => value === undefined)) return;
      where.push(condition);
      values.push(...(given as Value[]));
    },
    addCondition(condition: Condition): void {
      where.push(condition.sql);
      values.push(...condition.values);
    },
  };
}
