// A path into a row: a column, and after a dot a path within its value. Only own properties are read.
import type { ValueSchema } from '../../../protocol/table.ts';
import type { TableSchema } from '../../../protocol/types/tables.ts';
import { ApiError } from '../../api/errors.ts';

/** Fields of every row in addition to its columns. */
export const systemColumns = ['id', 'createdAt', 'updatedAt'] as const;

export interface Path {
  text: string;
  steps: readonly string[];
  /** True when the values at this path are instants, which are stored in UTC. */
  instants: boolean;
}

/**
 * Parses a path that begins with a column of the table. A column with dots in its name takes precedence. Throws
 * InvalidPayload.
 */
export function readPath(schema: TableSchema, text: string): Path {
  if (Object.hasOwn(schema.properties, text)) return pathOf(schema, text, [text]);
  const steps = text.split('.');
  const [column = ''] = steps;
  const isColumn =
    (systemColumns as readonly string[]).includes(text) || Object.hasOwn(schema.properties, column);
  if (!isColumn)
    throw new ApiError('InvalidPayload', `The table has no column ${JSON.stringify(text.slice(0, 100))}.`);
  return pathOf(schema, text, steps);
}

/** Returns the value at a path; undefined when it does not exist. In arrays, a step is an index. */
export function valueAt(row: Readonly<Record<string, unknown>>, { steps }: Pick<Path, 'steps'>): unknown {
  let value: unknown = row;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function pathOf(schema: TableSchema, text: string, steps: string[]): Path {
  let part: ValueSchema | undefined;
  for (const [index, step] of steps.entries()) {
    const properties: Record<string, ValueSchema> | undefined =
      index === 0 ? schema.properties : part?.properties;
    part = properties && Object.hasOwn(properties, step) ? properties[step] : undefined;
  }
  return {
    text,
    steps,
    instants: text === 'createdAt' || text === 'updatedAt' || part?.format === 'date-time',
  };
}
