// Checks the input of an operation against the schema of its declaration.
import * as v from 'valibot';
import type { ErrorType } from '../../protocol/error.ts';
import { ApiError } from './errors.ts';
import { explain } from './validation-messages.ts';

/** Bytes of a body up to which all problems are collected. 1 MB can have 600,000 of them, which would take seconds. */
const exhaustiveBytes = 16_000;

/** Returns the validated value. Throws an error that names the first ten problems, or only one if `size` is large. */
export function checkInput(schema: v.GenericSchema, value: unknown, type: ErrorType, size = 0): unknown {
  const result = v.safeParse(schema, value, { abortEarly: size > exhaustiveBytes });
  if (result.success) return result.output;
  const issues = result.issues
    .slice(0, 10)
    .map((issue) => ({ path: v.getDotPath(issue) ?? '', message: explain(issue) }));
  const [first] = issues;
  throw new ApiError(type, `${first?.path || 'The body'}: ${first?.message}`, { issues });
}

/** Returns the checked body of an operation. Throws InvalidPayload. */
export function checkBody(schema: v.GenericSchema, value: unknown, size: number): unknown {
  // To a schema of an object, a list is an object without fields.
  if (Array.isArray(value)) throw new ApiError('InvalidPayload', 'The body: Expected an object.');
  return checkInput(schema, value, 'InvalidPayload', size);
}
