// Parses the query of a request into one nested object. Clients use three notations: `tags.a=1`, `tags[a]=1`, and
// `tags={"a":1}`; a list is a repeated name. A schema validates the values.
// Why not `qs`: it does not know the notation with JSON (decision 21).
import * as v from 'valibot';
import type { Operation } from '../../protocol/operations/operation.ts';
import { ApiError } from '../api/errors.ts';

/** The maximum nesting depth of names; a filter of tags needs three. */
const maxDepth = 5;

/**
 * True for an operation that refuses parameters that its declaration does not have. The sources of streams in old
 * browsers add parameters of their own, and a POST without a body has no filters.
 */
export const hasOnlyDeclared = ({ kind, method }: Operation): boolean =>
  kind !== 'subscription' && method !== 'POST';

type Nested = { [name: string]: unknown };
type Entries = Record<string, v.GenericSchema>;

/**
 * Parses the query of an address. Values are texts. If `schema` expects a list or an object and does not accept the
 * text, a single value becomes a list, and JSON is parsed. Throws InvalidQuery for names that the schema does not have,
 * because a filter that is ignored returns too much, and for names that contradict each other.
 */
export function readQuery(url: URL, schema: v.GenericSchema | undefined): Nested {
  const query = emptyObject();
  for (const [name, value] of url.searchParams) put(query, pathOf(name), value);
  const { entries = {} } = (schema ?? {}) as { entries?: Entries };
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(entries, name));
  if (unknown.length > 0) throw unknownNames(unknown, Object.keys(entries));
  for (const [name, entry] of Object.entries(entries)) {
    if (Object.hasOwn(query, name)) query[name] = fitted(query[name], entry);
  }
  return query;
}

/** Without a prototype, so that `__proto__` is an ordinary name. */
const emptyObject = (): Nested => Object.create(null) as Nested;

/** The maximum number of characters of a name; those of clients are much shorter. */
const maxName = 500;

/** Splits `tags[a][exists]`, `tags.a.exists` and `ids[]` into steps. */
function pathOf(name: string): string[] {
  if (name.length > maxName) throw contradiction(name);
  const steps = name.replace(/\[([^[\]]*)\]/g, '.$1').split('.');
  if (steps.length > 1 && steps.at(-1) === '') steps.pop();
  if (steps.length > maxDepth || steps.includes('')) throw contradiction(name);
  return steps;
}

function put(query: Nested, path: string[], value: string): void {
  let target = query;
  for (const step of path.slice(0, -1)) {
    target[step] ??= emptyObject();
    const next = target[step];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) throw contradiction(step);
    target = next as Nested;
  }
  const last = path.at(-1) ?? '';
  const earlier = target[last];
  if (earlier === undefined) target[last] = value;
  else if (typeof earlier === 'string') target[last] = [earlier, value];
  else if (Array.isArray(earlier)) earlier.push(value);
  else throw contradiction(last);
}

function fitted(value: unknown, entry: v.GenericSchema): unknown {
  if (v.is(entry, value)) return value;
  const json = fromJson(value);
  if (v.is(entry, json)) return json;
  if (isNested(value)) {
    const joined = joinNames(value, entry);
    if (v.is(entry, joined)) return joined;
  }
  // A schema of an object also accepts lists.
  return v.is(entry, [value]) && !v.is(entry, {}) ? [value] : value;
}

const isNested = (value: unknown): value is Nested =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The conditions of a tag (TagCondition). A wrong value of one is refused, and is not part of a name. */
const conditions: readonly string[] = ['not', 'in', 'exists'];

/** Joins nested names that are no conditions of a filter: the tag `a.b` is `tags.a.b=1` in the notation of clients. */
function joinNames(value: Nested, entry: v.GenericSchema): Nested {
  const joined = emptyObject();
  for (const [name, inner] of Object.entries(value)) {
    if (!isNested(inner) || v.is(entry, { [name]: inner })) {
      joined[name] = inner;
      continue;
    }
    for (const [step, innermost] of Object.entries(inner)) {
      const condition = { [step]: innermost };
      if (conditions.includes(step)) joined[name] = { ...(joined[name] as Nested), ...condition };
      else Object.assign(joined, joinNames({ [`${name}.${step}`]: innermost }, entry));
    }
  }
  return joined;
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function unknownNames(unknown: string[], knownNames: string[]): ApiError {
  const message =
    knownNames.length > 0
      ? `There is no parameter of this name. The parameters are ${knownNames.join(', ')}.`
      : 'This operation has no parameters.';
  const issues = unknown.slice(0, 10).map((name) => ({ path: name.slice(0, 100), message }));
  return new ApiError('InvalidQuery', `${issues[0]?.path}: ${message}`, { issues });
}

const contradiction = (name: string): ApiError =>
  new ApiError('InvalidQuery', `${name.slice(0, 100)}: Such a name of a parameter is not taken.`);
