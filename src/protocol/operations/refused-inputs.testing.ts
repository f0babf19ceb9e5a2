// Inputs that the schema of an operation refuses, and inputs at its limits. Each differs from a valid example in one field.
import * as v from 'valibot';

export interface ChangedInput {
  /** The changed field, as an error names it; '' for the whole input. */
  path: string;
  /** For example `missing`, `null` or `longer than 100`. */
  change: string;
  /** The changed value. */
  value: unknown;
  input: unknown;
  /** That of the changed field. */
  schema: v.GenericSchema;
}

export interface ChangedInputs {
  refused: ChangedInput[];
  /** The value is exactly at a limit. */
  accepted: ChangedInput[];
  /** Fields with a rule of which no refused value is known here. */
  unknownRules: string[];
}

/** The parts of a schema that this file reads. */
interface Schema extends v.GenericSchema {
  pipe?: readonly Action[];
  entries?: Record<string, Schema>;
  wrapped?: Schema;
  item?: Schema;
  items?: readonly Schema[];
  /** The discriminator of a variant, or the schema of the names of a record. */
  key?: unknown;
  value?: Schema;
  options?: readonly unknown[];
  literal?: unknown;
}
interface Action {
  kind: string;
  type: string;
  requirement?: unknown;
}
type Fields = Record<string, unknown>;

/** Where a value is in the input. */
interface Place {
  changed: ChangedInputs;
  path: string;
  /** Returns the whole input with another value here. */
  put(value: unknown): unknown;
}

/** In place of a field that is left out. */
const missing = Symbol('missing');

/** A value of each type of JSON. */
const valuesOfTypes: Record<string, unknown> = {
  string: 'text',
  number: 7.5,
  boolean: true,
  object: {},
  array: [],
};

/** Values of which each rule of a schema accepts one. */
const someValues: readonly unknown[] = [
  ...['aaaa', 'a@example.com', 'https://example.com/a', '2026-01-01T00:00:00.000Z', '2026-01-01', '09:00'],
  ...['Europe/Berlin', '#112233', 'OrdersTable', 'A'.repeat(22), `B${'A'.repeat(86)}`, '1', 'true', 1, true],
  ...[null, {}, [], { a: 1 }, { type: 'object', properties: {} }],
  { type: 'object', properties: { a: { type: 'string' } } },
];
/** Values of which each rule of a schema refuses one. */
const badValues: readonly unknown[] = [
  ...['', ' ', '!', '\0', '<b>', 'x y', 'a\nb', 'x', 7.5, -1, true, null, [], [1], {}, { a: 1 }],
  ...[{ type: 'x' }, 'x'.repeat(70_000)],
];

const nothing = (): ChangedInputs => ({ refused: [], accepted: [], unknownRules: [] });

/** Changes each field of valid examples, one at a time. A change that several examples allow is made once. */
export function changedInputs(schema: v.GenericSchema, examples: readonly Fields[]): ChangedInputs {
  const changed = nothing();
  for (const example of examples)
    walkFields(schema as Schema, example, { path: '', put: (value) => value, changed });
  return {
    refused: withoutRepeated(changed.refused),
    accepted: withoutRepeated(changed.accepted),
    unknownRules: [...new Set(changed.unknownRules)],
  };
}

function withoutRepeated(changes: readonly ChangedInput[]): ChangedInput[] {
  const seen = new Map<v.GenericSchema, Set<string>>();
  return changes.filter(({ schema, path, change }) => {
    const changes = seen.get(schema) ?? new Set();
    seen.set(schema, changes);
    return changes.size < changes.add(`${path} ${change}`).size;
  });
}

/** Adds an input that is refused. `sent`: in place of the value. */
function refuse({ path, put, changed }: Place, schema: Schema, change: string, value: unknown, sent = value) {
  changed.refused.push({ schema, path, change, value, input: put(sent) });
}

const inside = ({ path, put, changed }: Place, name: string | number, change: Place['put']): Place => ({
  path: path === '' ? String(name) : `${path}.${name}`,
  put: (inner) => put(change(inner)),
  changed,
});

function walk(schema: Schema, example: unknown, place: Place): void {
  if (schema.wrapped) {
    walkWrapped(schema, example, place);
    return;
  }
  const base = baseOf(schema);
  const value = example === undefined ? sample(schema) : example;
  const types = typesOf(schema);
  if (!types.has('any')) {
    const other = Object.entries(valuesOfTypes).find(([type]) => !types.has(type));
    if (other) refuse(place, schema, 'of another type', other[1]);
    if (!types.has('null')) refuse(place, schema, 'null', null);
  }
  if (base.type === 'picklist' || base.type === 'literal')
    refuse(place, schema, 'an unknown value', 'unknown-value');
  for (const action of rulesOf(schema)) changeByRule(schema, action, value, place);
  if (base.type === 'union') walkUnion(base, value, place);
  else walkInside(base, value, place);
}

/** A field that may be missing or null. */
function walkWrapped(schema: Schema, example: unknown, place: Place): void {
  const inner: ChangedInputs = { ...place.changed, refused: [] };
  walk(schema.wrapped as Schema, example ?? undefined, { ...place, changed: inner });
  const isAccepted = ({ path, change }: ChangedInput) =>
    schema.type === 'nullable' && path === place.path && change === 'null';
  place.changed.refused.push(...inner.refused.filter((change) => !isAccepted(change)));
}

/** A union refuses what all of its options refuse. */
function walkUnion(schema: Schema, value: unknown, place: Place): void {
  const changed = nothing();
  for (const option of (schema.options ?? []) as Schema[]) {
    const valid = v.is(option, value) ? value : sample(option);
    walk(option, valid, { path: place.path, put: (value) => value, changed });
  }
  for (const { change, input } of changed.refused)
    if (!v.is(schema, input)) refuse(place, schema, `an option ${change}`, input);
}

function walkInside(base: Schema, value: unknown, place: Place): void {
  if (Array.isArray(value)) {
    const items = base.type === 'tuple' ? base.items : base.item && value.length > 0 ? [base.item] : [];
    for (const [n, item] of items?.entries() ?? []) {
      const at = inside(place, n, (inner) => value.map((old, k) => (k === n ? inner : old)));
      walk(item, value[n], at);
    }
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Fields;
    if (base.type === 'record' && base.value) {
      const [name = 'a'] = Object.keys(fields);
      const at = inside(place, name, (inner) => ({ ...fields, [name]: inner }));
      walk(base.value, fields[name], at);
    } else if (base.type === 'variant') {
      const option = ((base.options ?? []) as Schema[]).find((candidate) => v.is(candidate, value));
      if (option) walkFields(option, fields, place);
    } else walkFields(base, fields, place);
  }
}

function walkFields(schema: Schema, value: Fields, place: Place): void {
  const base = baseOf(schema);
  if (base.type === 'variant') {
    walkInside(base, value, place);
    return;
  }
  const at = (name: string): Place =>
    inside(place, name, (inner) => {
      const { [name]: _, ...rest } = value;
      return inner === missing ? rest : { ...rest, [name]: inner };
    });
  for (const [name, entry] of Object.entries(base.entries ?? {})) {
    if (!isOptional(entry)) refuse(at(name), entry, 'missing', undefined, missing);
    walk(entry, value[name], at(name));
  }
  if (base.type === 'strict_object') refuse(at('unknown-field'), schema, 'an unknown field', 1);
}

const isOptional = (schema: Schema): boolean =>
  ['exact_optional', 'optional', 'unknown'].includes(baseOf(schema).type);

/** Adds what one rule refuses, and the value at its limit. */
function changeByRule(schema: Schema, action: Action, value: unknown, place: Place): void {
  const { kind, type, requirement } = action;
  const limit = (change: string, most: unknown, wrong: unknown) => {
    refuse(place, schema, change, wrong);
    const { path, put, changed } = place;
    if (v.is(schema, most)) changed.accepted.push({ schema, path, change, value: most, input: put(most) });
  };
  const n = Number(requirement);
  // A number in a query is a text until it is converted.
  const numberOf = (count: number) => (typeof value === 'string' ? String(count) : count);
  const sized = (size: number) => resized(schema, value, size);
  if (kind !== 'validation') {
    if (type === 'raw_transform') refuseByRule(schema, type, place);
  } else if (type === 'non_empty') refuse(place, schema, 'empty', Array.isArray(value) ? [] : '');
  else if (type === 'max_length' || type === 'max_entries') limit(`more than ${n}`, sized(n), sized(n + 1));
  else if (type === 'min_length') {
    if (n > 0) limit(`fewer than ${n}`, sized(n), sized(n - 1));
  } else if (type === 'max_value') limit(`above ${n}`, numberOf(n), numberOf(n + 1));
  else if (type === 'min_value') limit(`below ${n}`, numberOf(n), numberOf(n - 1));
  else if (type === 'integer' || type === 'safe_integer') refuse(place, schema, 'not whole', 1.5);
  else if (type === 'iso_timestamp') refuse(place, schema, 'not a time', 'yesterday');
  else if (type !== 'finite') refuseByRule(schema, type, place);
}

/** Searches for a value that only a rule refuses. */
function refuseByRule(schema: Schema, rule: string, place: Place): void {
  const base = baseOf(schema);
  const wrong = badValues.find((candidate) => v.is(base, candidate) && !v.is(schema, candidate));
  if (wrong === undefined) place.changed.unknownRules.push(`${place.path} (${rule})`);
  else refuse(place, schema, `against its ${rule}`, wrong);
}

/** The value with another number of characters, items or names. Valid if the number is. */
function resized(schema: Schema, value: unknown, size: number): unknown {
  if (Array.isArray(value))
    return Array.from({ length: size }, (_, n) => value[n] ?? value[0] ?? sample(baseOf(schema).item));
  if (typeof value === 'object' && value !== null) {
    const [first = sample(baseOf(schema).value)] = Object.values(value);
    return Object.fromEntries(Array.from({ length: size }, (_, n) => [`k${n}`, first]));
  }
  if (size === 0) return '';
  const text = String(value);
  const all = [
    text.slice(0, size).padEnd(size, 'a'),
    'a'.repeat(size),
    text.slice(-size).padStart(size, 'a'),
  ];
  return all.find((candidate) => v.is(schema, candidate)) ?? all[0];
}

/** The rules of a schema, also where it has a description of its own. */
function rulesOf({ pipe: [first, ...actions] = [] }: Schema): readonly Action[] {
  const isDescribed = actions.every(({ type }) => type === 'description');
  return isDescribed && first ? rulesOf(first as unknown as Schema) : actions;
}

const baseOf = (schema: Schema): Schema => {
  const first = schema.pipe?.[0] as unknown as Schema | undefined;
  return first && first !== schema && first.pipe ? baseOf(first) : (first ?? schema);
};

/** The types of JSON that a schema accepts. */
function typesOf(schema: Schema): Set<string> {
  const base = baseOf(schema);
  if (base.wrapped) return new Set([...typesOf(base.wrapped), ...(base.type === 'nullable' ? ['null'] : [])]);
  if (base.type === 'literal') return new Set([typeof base.literal]);
  if (base.type === 'picklist') return new Set(['string']);
  if (base.type === 'union')
    return new Set(((base.options ?? []) as Schema[]).flatMap((option) => [...typesOf(option)]));
  if (base.type === 'unknown' || base.type === 'never') return new Set(['any']);
  if (base.type === 'tuple' || base.type === 'array') return new Set(['array']);
  if (base.type === 'variant') return new Set(['object']);
  // To such a schema, a list is an object without fields, and one without required fields is accepted.
  if (base.type === 'record') return new Set(['object', 'array']);
  if (base.entries)
    return new Set(['object', ...(Object.values(base.entries).every(isOptional) ? ['array'] : [])]);
  return new Set([base.type]);
}

/** A valid value; undefined if none is known. */
function sample(schema: Schema | undefined): unknown {
  if (!schema) return undefined;
  const made = sampleOf(baseOf(schema));
  return v.is(schema, made) ? made : someValues.find((candidate) => v.is(schema, candidate));
}

function sampleOf(base: Schema): unknown {
  if (base.wrapped) return sample(base.wrapped);
  if (base.type === 'literal') return base.literal;
  if (base.type === 'picklist') return base.options?.[0];
  if (base.type === 'array') return [sample(base.item)];
  if (base.type === 'tuple') return base.items?.map(sample);
  if (base.type === 'record') return { aaaa: sample(base.value) };
  if (base.type === 'union' || base.type === 'variant') return sample(base.options?.[0] as Schema);
  if (!base.entries) return undefined;
  const required = Object.entries(base.entries).filter(([, entry]) => !isOptional(entry));
  return Object.fromEntries(required.map(([name, entry]) => [name, sample(entry)]));
}
