// Checks the input of a tool against its JSON Schema. The input is from an agent: of any shape. The schema is the page's own.
// Keywords that are not listed here are ignored, as JSON Schema says of unknown ones; so a tool checks what it depends on.
// Why not `ajv`: it generates code, and limits neither depth nor steps (decision 152).

type Schema = Record<string, unknown>;

/** Levels of objects and lists, and of schemas that refer to each other. */
const maxDepth = 100;
/** Comparisons of a value with a schema: schemas that refer to themselves in several places would take for ever. */
const maxSteps = 10_000;

/** Whether objects and lists are nested more deeply than this. */
export const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)));

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (object: object, name: string) => Object.hasOwn(object, name);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** A text that equal values have, whatever the order of their properties is. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, item) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
const equal = (one: unknown, other: unknown) => textOf(one) === textOf(other);

const types: Record<string, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

/** Returns the first thing that is wrong with a value, with its place; undefined if it is valid. */
export function findIssue(schema: unknown, value: unknown): string | undefined {
  const check = { schema, steps: 0 };
  const issue = issueIn(schema, value, 'input', check, 0);
  // Also where this was found in a part that must not be valid.
  return check.steps > maxSteps ? 'input takes too long to check' : issue;
}

/** The whole schema, and what was compared with parts of it so far. */
interface Check {
  readonly schema: unknown;
  steps: number;
}

function issueIn(
  input: unknown,
  value: unknown,
  at: string,
  check: Check,
  depth: number,
): string | undefined {
  check.steps += 1;
  if (depth > maxDepth) return `${at} is nested too deeply`;
  if (check.steps > maxSteps) return `${at} takes too long`;
  const schema = input === false ? { not: {} } : input;
  if (!isObject(schema)) return isObject(value) ? hostileName(value, at) : undefined;
  const inner = (subschema: unknown, item: unknown, name: string) =>
    issueIn(subschema, item, name, check, depth + 1);
  const { type, enum: values, $ref, not } = schema;
  const allowed = type === undefined ? [] : [type].flat().map(String);
  if (allowed.length > 0 && !allowed.some((name) => has(types, name) && types[name]?.(value)))
    return `${at} is not of the type ${allowed.join(' or ')}`;
  if (Array.isArray(values) && !values.some((each) => equal(each, value)))
    return `${at} is none of the choices`;
  if (has(schema, 'const') && !equal(schema.const, value)) return `${at} is not the expected value`;
  if (typeof $ref === 'string') {
    const target = find(check.schema, $ref);
    if (target === undefined) return `${at}: the schema refers to ${$ref}, which it does not have`;
    const issue = inner(target, value, at);
    if (issue) return issue;
  }
  if (isObject(not) && !inner(not, value, at)) return `${at} has a form that is not allowed`;
  for (const subschema of listOf(schema.allOf)) {
    const issue = inner(subschema, value, at);
    if (issue) return issue;
  }
  for (const name of ['anyOf', 'oneOf'] as const) {
    if (!Array.isArray(schema[name])) continue;
    const count = listOf(schema[name]).filter((subschema) => !inner(subschema, value, at)).length;
    if (count === 0 || (name === 'oneOf' && count > 1)) return `${at} has none of the allowed forms`;
  }
  if (typeof value === 'string') return textIssue(schema, value, at);
  if (typeof value === 'number') return numberIssue(schema, value, at);
  if (Array.isArray(value)) return listIssue(schema, value, at, inner);
  return isObject(value) ? objectIssue(schema, value, at, inner) : undefined;
}

type Inner = (schema: unknown, value: unknown, at: string) => string | undefined;

/** Objects of a page are merged by assignments, which treat this name in another way. */
const hostileName = (value: Schema, at: string) =>
  has(value, '__proto__') ? `${at}.__proto__ is not allowed` : undefined;

function objectIssue(schema: Schema, value: Schema, at: string, inner: Inner): string | undefined {
  const hostile = hostileName(value, at);
  if (hostile) return hostile;
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const name of listOf(schema.required))
    if (typeof name === 'string' && !has(value, name)) return `${at}.${name} is missing`;
  const { additionalProperties = {}, patternProperties } = schema;
  for (const [name, item] of Object.entries(value)) {
    const place = `${at}.${name}`;
    const own = has(properties, name) ? [properties[name]] : [];
    for (const [pattern, one] of Object.entries(Object(patternProperties)))
      if (new RegExp(pattern, 'u').test(name)) own.push(one);
    if (own.length === 0 && additionalProperties === false) return `${place} is not a known property`;
    for (const subschema of own.length > 0 ? own : [additionalProperties]) {
      const issue = inner(subschema, item, place);
      if (issue) return issue;
    }
  }
  return undefined;
}

function listIssue(schema: Schema, value: unknown[], at: string, inner: Inner): string | undefined {
  const range = rangeIssue(value.length, schema.minItems, schema.maxItems);
  if (range) return `${at} has ${range} entries`;
  if (schema.uniqueItems === true && new Set(value.map(textOf)).size < value.length)
    return `${at} has an entry twice`;
  const first = listOf(schema.prefixItems);
  let issue: string | undefined;
  value.some((item, index) => {
    issue = inner(index < first.length ? first[index] : (schema.items ?? {}), item, `${at}[${index}]`);
    return issue !== undefined;
  });
  return issue;
}

function textIssue(schema: Schema, value: string, at: string): string | undefined {
  const range = rangeIssue([...value].length, schema.minLength, schema.maxLength);
  if (range) return `${at} has ${range} characters`;
  if (typeof schema.pattern !== 'string') return undefined;
  return new RegExp(schema.pattern, 'u').test(value) ? undefined : `${at} does not match the pattern`;
}

function numberIssue(schema: Schema, value: number, at: string): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const isBelow = rangeIssue(value, minimum, maximum);
  if (isBelow) return `${at} is ${isBelow === 'too few' ? 'too small' : 'too large'}`;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `${at} is too small`;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `${at} is too large`;
  if (typeof multipleOf !== 'number') return undefined;
  const quotient = value / multipleOf;
  // 19.99 / 0.01 is not quite 1999: both numbers and the quotient are rounded.
  const isMultiple = Math.abs(quotient - Math.round(quotient)) <= 2 * Number.EPSILON * Math.abs(quotient);
  return isMultiple ? undefined : `${at} is not a multiple of ${multipleOf}`;
}

const rangeIssue = (value: number, least: unknown, most: unknown) =>
  typeof least === 'number' && value < least
    ? 'too few'
    : typeof most === 'number' && value > most
      ? 'too many'
      : undefined;

/** The schema at a reference within the same document (`#/$defs/name`). */
function find(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let target = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(target) || !has(target, name)) return undefined;
    target = target[name];
  }
  return target;
}
