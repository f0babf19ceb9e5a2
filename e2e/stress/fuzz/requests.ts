// Requests as generated: a valid one, and what is done to it. Plain data, so that fast-check can make it smaller and a
// person can read it. It sends nothing.
import fc from 'fast-check';
import { bodyChanges, framings, oddMembers, oddValues } from './malformed-bodies.ts';
import { oddHeaders, oddMethods, oddQueries, oddTargets, oddVersions } from './malformed-heads.ts';
import type { Sending } from './raw-http.ts';
import { type Sample, samples } from './samples.ts';
import type { World } from './test-data.ts';

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

export interface Request {
  /** Which of the samples. */
  sample: number;
  edits: Edit[];
  framing: string;
  /** `fetch` where that can say it; else a socket. */
  by: 'fetch' | 'socket';
  /** Bytes of the last piece of the request, which comes apart; all of it in one when 0. */
  apart: number;
  /** Thousandths of the request after which its sender stops (`end`) or goes away (`reset`). */
  stop?: { after: number; ending: 'end' | 'reset' } | undefined;
}

const at = fc.nat(1_000);
const from = (texts: readonly string[]) => fc.nat(texts.length - 1).map((n) => texts[n] ?? '');
const odd = fc.oneof(
  { weight: 3, arbitrary: from(oddTargets) },
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const headEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ in: fc.constant('target' as const), at, text: odd, instead: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ in: fc.constant('query' as const), text: from(oddQueries) }) },
  { weight: 1, arbitrary: fc.record({ in: fc.constant('method' as const), text: from(oddMethods) }) },
  { weight: 1, arbitrary: fc.record({ in: fc.constant('version' as const), text: from(oddVersions) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      in: fc.constant('header' as const),
      text: from(oddHeaders),
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
      text: fc.oneof({ weight: 4, arbitrary: from(oddValues) }, fc.json({ maxDepth: 3 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ in: fc.constant('member' as const), at, text: from(oddMembers) }),
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

/** A request to one of the samples that fit, changed by such edits. */
const changedBy = (edit: fc.Arbitrary<Edit>, fits: (sample: Sample) => boolean): fc.Arbitrary<Request> =>
  fc.record({
    sample: fc.constantFrom(...samples.flatMap((sample, n) => (fits(sample) ? [n] : []))),
    edits: fc.array(edit, { maxLength: 3, size: 'max' }),
    framing: fc.oneof({ weight: 9, arbitrary: fc.constant('length') }, from(Object.keys(framings))),
    by: fc.constantFrom('socket', 'socket', 'fetch'),
    apart: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(200)),
    stop: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, stop),
  });

const hasBody = ({ body, bytes }: Sample): boolean => body !== undefined || bytes !== undefined;

export const request: fc.Arbitrary<Request> = fc.oneof(
  changedBy(fc.oneof(headEdit, bodyEdit, bodyEdit), hasBody),
  changedBy(headEdit, (sample) => !hasBody(sample)),
);

/** A request ready to go. */
export interface Made extends Sending {
  target: string;
  headers: [string, string][];
  body: string;
  /** Nothing of it is against HTTP, and all of it is sent: so there must be an answer, and not only an end. */
  isHttp: boolean;
  /** The address and the method are as in the sample, so the answer is that operation's. */
  isOperation: boolean;
}

export function make({ sample: n, edits, framing, apart, stop }: Request, world: World): Made {
  const sample = samples[n] ?? samples[0];
  if (!sample) throw new Error('There is no sample.');
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
      if (one.instead) headers = headers.filter(([there]) => there !== name);
      lines.push(one.text);
    }
    if (one.in === 'header lost') headers = headers.filter((_, index) => index !== one.at % headers.length);
    if (one.in === 'body') body = bodyChanges[one.how]?.(body) ?? body;
    if (one.in === 'target' || one.in === 'method' || one.in === 'version') isOperation = false;
    if (one.in === 'method' || one.in === 'version' || one.in.startsWith('header')) isHttp = false;
  }
  const fill = (text: string): string =>
    text.replace(/<<(\w+)>>/g, (word, name: string) => world[name] ?? word);
  target = bytesOf(fill(target));
  body = fill(body);
  headers = headers.map(([name, text]) => [name, fill(text)]);
  // RFC 9112, 3.2: what an address may be made of. More than this may be refused unread.
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

/** A byte a character; what is beyond is UTF-8. */
const bytesOf = (text: string): string =>
  /[^\0-\xff]/.test(text) ? Buffer.from(text).toString('latin1') : text;

function changeTarget(target: string, { at, text, instead }: { at: number; text: string; instead: boolean }) {
  const parts = target.split('/');
  const place = 1 + (at % Math.max(1, parts.length - 1));
  parts[place] = instead ? text : `${parts[place] ?? ''}${text}`;
  return parts.join('/');
}

/** JSON text that stands for itself; as a key it is a whole member. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON that JSON.stringify cannot write: numbers beyond doubles, keys twice, `__proto__`. */
function write(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) =>
    inner instanceof Raw && key.startsWith('\u0001') ? inner.text : `${JSON.stringify(key)}:${write(inner)}`,
  );
  return `{${members.join()}}`;
}

/** The places of values in a value, itself first. */
function placesIn(value: unknown, place: (string | number)[] = []): (string | number)[][] {
  if (value instanceof Raw || typeof value !== 'object' || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...place, key]))];
}

function replace(value: unknown, { at, text }: { at: number; text: string }): unknown {
  const places = placesIn(value);
  return changed(value, places[at % places.length] ?? [], () => new Raw(text));
}

function addMember(value: unknown, { at, text }: { at: number; text: string }): unknown {
  const objects = placesIn(value).filter((place) => {
    const there = valueAt(value, place);
    return typeof there === 'object' && there !== null && !Array.isArray(there) && !(there instanceof Raw);
  });
  const place = objects[at % Math.max(1, objects.length)];
  if (!place) return value;
  return changed(value, place, (there) => ({ ...(there as object), [`\u0001${at}`]: new Raw(text) }));
}

const valueAt = (value: unknown, place: (string | number)[]): unknown =>
  place.reduce((there: unknown, key) => (there as Record<string | number, unknown>)[key], value);

function changed(value: unknown, place: (string | number)[], change: (there: unknown) => unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return change(value);
  const inner = changed((value as Record<string | number, unknown>)[key], rest, change);
  if (Array.isArray(value)) return value.map((one, index) => (index === Number(key) ? inner : one));
  return { ...(value as object), [key]: inner };
}
