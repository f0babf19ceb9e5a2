// Reads values from the JSON of agents, which can have any form. Every function returns a valid value or undefined.
import { limits } from '../../../../../protocol/limits.ts';

export type JsonObject = Record<string, unknown>;

/**
 * The maximum number of bytes that a reader keeps for the next request, as JSON: the server stores no more with an
 * interrupt.
 */
export const savedStateBytes = 64_000;
/** Characters of an id. Some servers put signatures of several thousand characters into the ids of calls. */
const idLength = 8_000;
/** Levels of nested lists and objects. Deeper values cannot be written as JSON again without exhausting the stack. */
const maxDepth = 200;

/** Parses a text as JSON; undefined if it is not JSON or nested too deeply. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether the brackets outside the strings of a text are nested more deeply than is allowed. */
function isDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) isString = !isString;
    else if (isString) index += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

export const objectOf = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

/** The objects of a list; none of anything else. */
export const objectsOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.map(objectOf).filter((item) => item !== undefined) : [];

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** An id: a text that is not empty. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= idLength ? value : undefined;

/** The ids of a list. */
export const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((item: unknown) => idOf(item) ?? []) : [];

/** A name or a title: one line without control characters, cut to its limit; undefined if nothing is left. */
export function lineOf(value: unknown): string | undefined {
  const { title } = limits.parts;
  const line = plainOf(value, title).replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

/**
 * Returns a text without control characters (except line breaks) and without marks that change its direction; '' for
 * any other value.
 */
export function plainOf(value: unknown, length: number): string {
  if (typeof value !== 'string') return '';
  return (
    value
      // A text of a megabyte is not searched to its end.
      .slice(0, length)
      .replace(/[\u2028\u2029]/g, '\n')
      .replace(/[\u202a-\u202e\u2066-\u2069]|(?!\n)\p{Cc}/gu, ' ')
      .trim()
      .replace(/[\ud800-\udbff]$/, '')
  );
}

/** The first line among some values. */
export function firstLine(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const line = lineOf(value);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** An address with http or https. */
export function webAddressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > limits.parts.url || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return /^https?:$/.test(protocol) && href.length <= limits.parts.url ? href : undefined;
}

/** A number of tokens, or another count. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Bytes of a value as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** The first value that the server can keep; undefined if all are too large. */
export const fittingState = <T>(candidates: readonly T[]): T | undefined =>
  candidates.find((candidate) => bytesOf(candidate) <= savedStateBytes);

/**
 * Parses a text that contains a JSON list or object; returns any other text unchanged. Used for shown values and for
 * inputs of calls.
 */
export function valueOfText(text: string): unknown {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return value === undefined ? text : value;
}

/** Returns the input of a call: the parsed JSON, the text itself if it is not JSON, and nothing for an empty text. */
export function inputOfText(text: string): unknown {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return value === undefined ? text : value;
}
