// Encodes a request from the route of an operation and its input: path, query, headers and body. Pure. It throws if an
// input would change the address into that of another operation.
import type { Route } from '../../protocol/route.ts';

/** The request of an operation, without the server's address. */
export interface EncodedRequest {
  method: string;
  /** The path from its first slash, with the query. */
  target: string;
  /** The fields of the input whose names begin with `x-`. */
  headers: Record<string, string>;
  /** JSON text; undefined for GET and DELETE. */
  body: string | undefined;
}

/**
 * The path parameters are removed from the input; the rest is the body of a POST, PUT or PATCH, or the query.
 * @throws TypeError if the input is not an object, if a path parameter is missing, empty or not valid in an address,
 * or if the body is not JSON. The message contains `name`, the operation.
 */
export function encodeRequest(name: string, route: Route, input: object): EncodedRequest {
  if (typeof input !== 'object' || input === null)
    throw new TypeError(`${name}: the input must be an object.`);
  const [method = '', template = ''] = route.split(' ');
  const rest = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = template.replace(/{(\w+)}/g, (_, parameter: string) => {
    const value = rest.get(parameter);
    rest.delete(parameter);
    return segment(`${name}: ${parameter}`, value);
  });
  const headers: Record<string, string> = {};
  for (const [field, value] of [...rest]) {
    if (!field.startsWith('x-')) continue;
    headers[field] = headerValue(`${name}: ${field}`, value);
    rest.delete(field);
  }
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') {
    return { method, target: path, headers, body: JSON.stringify(Object.fromEntries(rest)) };
  }
  const query = encodeQuery(Object.fromEntries(rest));
  return { method, target: path + (query && `?${query}`), headers, body: undefined };
}

/**
 * One segment of a path. Throws for the empty text, `.` and `..`: the address would be that of a list or of another
 * operation, because URLs are normalized before they are sent (also `%2e`).
 */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`${name} is missing.`);
  const text = String(value);
  if (text === '') throw new TypeError(`${name} must not be empty.`);
  if (text === '.' || text === '..') throw new TypeError(`${name} must not be "${text}".`);
  try {
    return encodeURIComponent(text);
  } catch {
    throw new TypeError(`${name} is not valid Unicode.`);
  }
}

/** The text of a header. @throws TypeError with a clear message for a value that fetch would refuse. */
export function headerValue(name: string, value: unknown): string {
  const text = String(value);
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  throw new TypeError(`${name} must be printable ASCII, and not empty.`);
}

/**
 * Dots for nesting, a repeated name for each item of an array: `tags.kind=a&tags.kind=b&ids=1`. A value that this
 * notation would change or lose (an empty array, null, a name with a dot, objects in arrays) is sent as JSON text under
 * the first name; servers accept both.
 */
export function encodeQuery(fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    for (const [path, text] of flat(name, value) ?? [[name, JSON.stringify(value)]]) query.append(path, text);
  }
  return String(query);
}

type Pairs = [name: string, value: string][];

/** The pairs of a field; undefined if they would not represent its value exactly. */
function flat(name: string, value: unknown): Pairs | undefined {
  const text = scalar(value);
  if (text !== undefined) return [[name, text]];
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    const texts = value.map(scalar);
    // The server would parse a single text that looks like JSON.
    if (texts.length === 1 && /^\s*[[{]/.test(texts[0] ?? '')) return undefined;
    return texts.length > 0 && texts.every((one) => one !== undefined)
      ? texts.map((one) => [name, one])
      : undefined;
  }
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const pairs = entries.map(([key, one]) =>
    /^[^.[\]]+$/.test(key) ? flat(`${name}.${key}`, one) : undefined,
  );
  return pairs.length > 0 && pairs.every((pair) => pair !== undefined) ? pairs.flat() : undefined;
}

function scalar(value: unknown): string | undefined {
  if (value instanceof Date) return value.toISOString();
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : undefined;
}
