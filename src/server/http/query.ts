// The query of a request as one nested object. Clients of this API spell it in three ways: `tags.a=1`, `tags[a]=1`,
// and `tags={"a":1}`; a list is a repeated name. What the values have to be, a schema says.
import * as v from 'valibot';
import { ApiError } from '../api/errors.ts';

/** Names within names: a filter of tags needs three. */
const maxDepth = 5;

type Nested = { [name: string]: unknown };
type Entries = Record<string, v.GenericSchema>;

/**
 * Reads the query of an address. Values are texts; where `schema` wants a list or an object and does not take the
 * text, one value becomes a list, and JSON what it stands for. Throws InvalidQuery for names that contradict each other.
 */
export function readQuery(url: URL, schema: v.GenericSchema): Nested {
  const query = emptyObject();
  for (const [name, value] of url.searchParams) put(query, pathOf(name), value);
  const { entries = {} } = schema as { entries?: Entries };
  for (const [name, entry] of Object.entries(entries)) {
    if (Object.hasOwn(query, name)) query[name] = fitted(query[name], entry);
  }
  return query;
}

/** Without a prototype, so that `__proto__` is a name like any other. */
const emptyObject = (): Nested => Object.create(null) as Nested;

/** Characters of a name; what clients send is far shorter. */
const maxName = 500;

/** `tags[a][exists]`, `tags.a.exists` and `ids[]` in steps. */
function pathOf(name: string): string[] {
  if (name.length > maxName) throw contradiction(name);
  const steps = name.replace(/\[([^[\]]*)\]/g, '.$1').split('.');
  if (steps.length > 1 && steps.at(-1) === '') steps.pop();
  if (steps.length > maxDepth || steps.includes('')) throw contradiction(name);
  return steps;
}

function put(query: Nested, path: string[], value: string): void {
  let place = query;
  for (const step of path.slice(0, -1)) {
    place[step] ??= emptyObject();
    const next = place[step];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) throw contradiction(step);
    place = next as Nested;
  }
  const last = path.at(-1) ?? '';
  const earlier = place[last];
  if (earlier === undefined) place[last] = value;
  else if (typeof earlier === 'string') place[last] = [earlier, value];
  else if (Array.isArray(earlier)) earlier.push(value);
  else throw contradiction(last);
}

function fitted(value: unknown, entry: v.GenericSchema): unknown {
  if (v.is(entry, value)) return value;
  const json = fromJson(value);
  if (v.is(entry, json)) return json;
  // A schema of an object takes lists, too.
  return v.is(entry, [value]) && !v.is(entry, {}) ? [value] : value;
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const contradiction = (name: string): ApiError =>
  new ApiError('InvalidQuery', `${name.slice(0, 100)}: Such a name of a parameter is not taken.`);
