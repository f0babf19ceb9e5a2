// Generates requests: a valid sample with edits. They are plain data, so that fast-check can shrink and print a
// failure.
import fc from 'fast-check';
import { anyText } from '../../../src/protocol/any-text.testing.ts';
import type { TestData } from '../../../src/protocol/operations/example-requests.testing.ts';
import { bodyChanges, framings, malformedMembers, malformedValues } from './malformed-bodies.ts';
import {
  malformedHeaders,
  malformedMethods,
  malformedQueries,
  malformedTargets,
  malformedVersions,
} from './malformed-heads.ts';
import type { RawRequest } from './raw-http.ts';
import { type Sample, samples } from './samples.ts';

type Edit =
  | { in: 'target'; at: number; text: string; instead: boolean }
  | { in: 'query'; text: string }
  | { in: 'method'; text: string }
  | { in: 'version'; text: string }
  | { in: 'header'; text: string; instead: boolean }
  | { in: 'header lost'; at: number }
  | { in: 'value'; at: number; text: string }
  | { in: 'member'; at: number; text: string }
  | { in: 'body'; how: string };

export interface RequestPlan {
  /** Index of the sample. */
  sample: number;
  edits: Edit[];
  framing: string;
  /** `fetch` if it can express the request, otherwise a raw socket. */
  by: 'fetch' | 'socket';
  /** Bytes at the end of the request that are sent separately; 0 sends everything at once. */
  apart: number;
  /** Thousandths of the request after which the client stops sending (`end`) or disconnects (`reset`). */
  stop?: { after: number; ending: 'end' | 'reset' } | undefined;
}

const at = fc.nat(1_000);
const from = (texts: readonly string[]) => fc.nat(texts.length - 1).map((n) => texts[n] ?? '');
const malformedTarget = fc.oneof(
  { weight: 3, arbitrary: from(malformedTargets) },
  anyText({ maxLength: 20 }),
);

const headEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      in: fc.constant('target' as const),
      at,
      text: malformedTarget,
      instead: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ in: fc.constant('query' as const), text: from(malformedQueries) }) },
  { weight: 1, arbitrary: fc.record({ in: fc.constant('method' as const), text: from(malformedMethods) }) },
  { weight: 1, arbitrary: fc.record({ in: fc.constant('version' as const), text: from(malformedVersions) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      in: fc.constant('header' as const),
      text: from(malformedHeaders),
      instead: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ in: fc.constant('header lost' as const), at }) },
);

const bodyEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      in: fc.constant('value' as const),
      at,
      text: fc.oneof({ weight: 4, arbitrary: from(malformedValues) }, fc.json({ maxDepth: 3 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ in: fc.constant('member' as const), at, text: from(malformedMembers) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ in: fc.constant('body' as const), how: from(Object.keys(bodyChanges)) }),
  },
);

const stop = fc.record({
  after: fc.integer({ min: 1, max: 999 }),
  ending: fc.constantFrom('end' as const, 'reset' as const),
});

/** Generates a request from one of the matching samples, with up to three edits. */
const changedBy = (edit: fc.Arbitrary<Edit>, fits: (sample: Sample) => boolean): fc.Arbitrary<RequestPlan> =>
  fc.record({
    sample: fc.constantFrom(...samples.flatMap((sample, n) => (fits(sample) ? [n] : []))),
    edits: fc.array(edit, { maxLength: 3, size: 'max' }),
    framing: fc.oneof({ weight: 9, arbitrary: fc.constant('length') }, from(Object.keys(framings))),
    by: fc.constantFrom('socket', 'socket', 'fetch'),
    apart: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(200)),
    stop: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, stop),
  });

const hasBody = ({ body, bytes }: Sample): boolean => body !== undefined || bytes !== undefined;

export const anyRequest: fc.Arbitrary<RequestPlan> = fc.oneof(
  changedBy(fc.oneof(headEdit, bodyEdit, bodyEdit), hasBody),
  changedBy(headEdit, (sample) => !hasBody(sample)),
);

/** A request that is ready to be sent. */
export interface PreparedRequest extends RawRequest {
  target: string;
  headers: [string, string][];
  body: string;
  /** True when it is valid HTTP and sent completely, so that the server must respond. */
  isHttp: boolean;
  /** True when target and method are those of the sample, so that the response belongs to its operation. */
  isOperation: boolean;
}

export function prepare(
  { sample: n, edits, framing, apart, stop }: RequestPlan,
  data: TestData,
): PreparedRequest {
  const sample = samples[n] ?? samples[0];
  if (!sample) throw new Error('There are no samples.');
  let { method, target } = sample;
  let version = 'HTTP/1.1';
  let headers: Sample['headers'] = [['host', '127.0.0.1'], ['connection', 'close'], ...sample.headers];
  const lines: string[] = [];
  const value = edits
    .filter((one) => one.in === 'value' || one.in === 'member')
    .reduce((body, one) => (one.in === 'value' ? replace(body, one) : addMember(body, one)), sample.body);
  let body = sample.bytes ?? (sample.body === undefined ? '' : Buffer.from(write(value)).toString('latin1'));
  let isHttp = framing === 'length' && !stop;
  let isOperation = true;
  for (const one of edits) {
    if (one.in === 'target') target = changeTarget(target, one);
    if (one.in === 'query') target = `${target}?${one.text}`;
    if (one.in === 'method') method = one.text;
    if (one.in === 'version') version = one.text;
    if (one.in === 'header') {
      const name = one.text.split(':')[0];
      if (one.instead) headers = headers.filter(([target]) => target !== name);
      lines.push(one.text);
    }
    if (one.in === 'header lost') headers = headers.filter((_, index) => index !== one.at % headers.length);
    if (one.in === 'body') body = bodyChanges[one.how]?.(body) ?? body;
    if (one.in === 'target' || one.in === 'method' || one.in === 'version') isOperation = false;
    if (one.in === 'method' || one.in === 'version' || one.in.startsWith('header')) isHttp = false;
  }
  const fill = (text: string): string =>
    text.replace(/<<(\w+)>>/g, (match, name: string) => data[name] ?? match);
  target = bytesOf(fill(target));
  body = fill(body);
  headers = headers.map(([name, text]) => [name, fill(text)]);
  // RFC 9112, 3.2: the valid characters of a target. Any other target may be rejected before it is routed.
  if (!/^[\x21-\x7e]{1,8000}$/.test(target)) isHttp = false;
  const isFramed = body !== '' || sample.body !== undefined || framing !== 'length';
  const framed = isFramed ? framings[framing]?.(body) : undefined;
  const head = [
    `${method} ${target} ${version}`,
    ...headers.map(([name, text]) => `${name}: ${text}`),
    ...lines.map((line) => bytesOf(fill(line))),
    ...(framed?.lines ?? []),
  ];
  let bytes = `${head.join('\r\n')}\r\n\r\n${framed?.bytes ?? ''}`;
  if (stop) bytes = bytes.slice(0, Math.ceil((bytes.length * stop.after) / 1_000));
  const ending = stop?.ending ?? (framed?.isCut ? 'end' : 'wait');
  const cut = bytes.length - Math.min(apart, bytes.length);
  const pieces = apart === 0 ? [bytes] : [bytes.slice(0, cut), bytes.slice(cut)].filter(Boolean);
  return { method, target, headers, body, pieces, ending, isHttp, isOperation };
}

/** One character per byte; other characters as UTF-8. */
const bytesOf = (text: string): string =>
  /[^\0-\xff]/.test(text) ? Buffer.from(text).toString('latin1') : text;

function changeTarget(target: string, { at, text, instead }: { at: number; text: string; instead: boolean }) {
  const parts = target.split('/');
  const index = 1 + (at % Math.max(1, parts.length - 1));
  parts[index] = instead ? text : `${parts[index] ?? ''}${text}`;
  return parts.join('/');
}

/** JSON text that is written verbatim; under a key with the prefix U+0001 it is a whole member. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Writes JSON that JSON.stringify cannot: numbers out of range, duplicate keys, `__proto__`. */
function write(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) =>
    inner instanceof Raw && key.startsWith('\u0001') ? inner.text : `${JSON.stringify(key)}:${write(inner)}`,
  );
  return `{${members.join()}}`;
}

/** The paths of all values in a value, the root first. */
function pathsIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (value instanceof Raw || typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replace(value: unknown, { at, text }: { at: number; text: string }): unknown {
  const paths = pathsIn(value);
  return changed(value, paths[at % paths.length] ?? [], () => new Raw(text));
}

function addMember(value: unknown, { at, text }: { at: number; text: string }): unknown {
  const objects = pathsIn(value).filter((path) => {
    const target = valueAt(value, path);
    return (
      typeof target === 'object' && target !== null && !Array.isArray(target) && !(target instanceof Raw)
    );
  });
  const path = objects[at % Math.max(1, objects.length)];
  if (!path) return value;
  return changed(value, path, (target) => ({ ...(target as object), [`\u0001${at}`]: new Raw(text) }));
}

const valueAt = (value: unknown, path: (string | number)[]): unknown =>
  path.reduce((target: unknown, key) => (target as Record<string | number, unknown>)[key], value);

function changed(value: unknown, path: (string | number)[], change: (target: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  const inner = changed((value as Record<string | number, unknown>)[key], rest, change);
  if (Array.isArray(value)) return value.map((one, index) => (index === Number(key) ? inner : one));
  return { ...(value as object), [key]: inner };
}
