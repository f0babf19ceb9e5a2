// Validation of input: JSON texts, schemas of declarations, and sizes of payloads.
import * as v from 'valibot';
import type { ErrorType } from '../../protocol/error.ts';
import { limits } from '../../protocol/limits.ts';
import { ApiError } from './errors.ts';

/** Bytes of a body up to which all problems are collected. 1 MB can have 600,000 of them, which would take seconds. */
const exhaustiveBytes = 16_000;

/** Returns the checked body of an operation. Throws InvalidPayload. */
export function checkBody(schema: v.GenericSchema, value: unknown, size: number): unknown {
  // To a schema of an object, a list is an object without fields.
  if (Array.isArray(value)) throw new ApiError('InvalidPayload', 'The body: Expected an object.');
  return checkInput(schema, value, 'InvalidPayload', size);
}

/**
 * Checks an input against the schema of its operation, and returns the validated value. Throws an error that names the first
 * ten problems, or only one if `size` is large.
 */
export function checkInput(schema: v.GenericSchema, value: unknown, type: ErrorType, size = 0): unknown {
  const result = v.safeParse(schema, value, { abortEarly: size > exhaustiveBytes });
  if (result.success) return result.output;
  const issues = result.issues
    .slice(0, 10)
    .map((issue) => ({ path: v.getDotPath(issue) ?? '', message: explain(issue) }));
  const [first] = issues;
  throw new ApiError(type, `${first?.path || 'The body'}: ${first?.message}`, { issues });
}

/**
 * Returns one sentence about the expected value: the message of the schema if it has one. It never contains the value, which
 * can be long or private.
 */
export function explain(issue: v.BaseIssue<unknown>): string {
  // The library's own messages begin with this text and end with the value. For a missing field, the expected value is its name.
  if (issue.message.startsWith('Invalid key: ') && issue.received === 'undefined') return 'Required.';
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  return `Expected ${issue.expected ?? 'another value'}.`;
}

/** The maximum nesting depth of a body. Deeper values cannot be serialized safely. */
const maxDepth = 100;

/**
 * Returns the value of a text with at most `values` values in its lists and objects. `parse`: throws for text that is not
 * JSON. Throws InvalidPayload.
 */
export function parseJson(
  bytes: Uint8Array,
  values: number,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  assertShape(bytes, values);
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('InvalidPayload', 'The body is not valid JSON in UTF-8.');
  }
}

/** Counts in the text, because walking through the value takes longer than parsing. */
function assertShape(bytes: Uint8Array, values: number): void {
  let depth = 0;
  let commas = 0;
  let isInText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === codes.quote) isInText = !isInText;
    else if (isInText) index += byte === codes.backslash ? 1 : 0;
    else if (byte === codes.comma) commas += 1;
    else if (byte === codes.list || byte === codes.object) depth += 1;
    else if (byte === codes.listEnd || byte === codes.objectEnd) depth -= 1;
    if (depth > maxDepth) {
      throw new ApiError('InvalidPayload', `The body is nested deeper than ${maxDepth} levels.`);
    }
    if (commas >= values) {
      throw new ApiError('InvalidPayload', `The body has more than ${values} values.`);
    }
  }
}

const codes = {
  comma: 0x2c,
  quote: 0x22,
  backslash: 0x5c,
  list: 0x5b,
  listEnd: 0x5d,
  object: 0x7b,
  objectEnd: 0x7d,
};

/** Returns the bytes of `value` as JSON, 0 for undefined. Throws PayloadTooLarge above `most`, by default 1 MB. */
export function assertSize(field: string, value: unknown, most: number = limits.payloadBytes): number {
  if (value === undefined) return 0;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > most)
    throw new ApiError('PayloadTooLarge', `${field} has ${bytes} bytes; at most ${most} are taken.`);
  return bytes;
}

/** Returns the bytes of a message as JSON. Throws PayloadTooLarge when payload and metadata together exceed 1 MB. */
export function assertMessageSize({ payload, metadata }: { payload: unknown; metadata?: unknown }): number {
  const bytes = assertSize('payload', payload);
  return bytes + assertSize('metadata', metadata, limits.payloadBytes - bytes);
}
