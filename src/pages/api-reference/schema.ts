// Describes a JSON Schema as text and creates an example value.
import type { Schema } from './document.ts';

export type Schemas = Record<string, Schema>;

/** Resolves a reference to its schema and name; returns any other schema as it is. A broken reference allows any value. */
export function resolve(schema: Schema, schemas: Schemas): { name?: string; schema: Schema } {
  if (!schema.$ref) return { schema };
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  return { name, schema: (Object.hasOwn(schemas, name) && schemas[name]) || {} };
}

/** The type of a value as short text: `string`, `list of Bot`, `'a' or 'b'`. */
export function typeOf(schema: Schema, schemas: Schemas, depth = 0): string {
  const { name, schema: target } = resolve(schema, schemas);
  if (name) return name;
  if (depth > 4) return '…';
  const inner = (innerSchema: Schema) => typeOf(innerSchema, schemas, depth + 1);
  if (target.const !== undefined) return JSON.stringify(target.const);
  if (target.enum) return target.enum.map((value) => JSON.stringify(value)).join(' or ');
  const choices = target.oneOf ?? target.anyOf;
  if (choices) return [...new Set(choices.map(inner))].join(' or ');
  if (target.items) return `list of ${inner(target.items)}`;
  if (Array.isArray(target.type)) return target.type.join(' or ');
  if (target.type === 'array') return 'list';
  if (target.type === 'object' && isMap(target))
    return `object, each ${inner(target.additionalProperties as Schema)}`;
  if (target.type === 'string' && target.format) return formats[target.format] ?? `string, ${target.format}`;
  return target.type ?? 'any';
}

const formats: Record<string, string> = {
  'date-time': 'string, a time in UTC',
  binary: 'bytes',
  uri: 'string, an address',
};

const isMap = ({ additionalProperties: more, properties }: Schema): boolean =>
  typeof more === 'object' && Object.keys(more).length > 0 && Object.keys(properties ?? {}).length === 0;

/** The constraints of a value beyond its type, as texts. */
export function rulesOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
  return [
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, 'entries'),
    pattern && !isPlainText(pattern) ? `matches ${pattern}` : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
}

/** The pattern for text without NUL and unpaired surrogates, which is not worth showing. */
const isPlainText = (pattern: string) => pattern.startsWith('^(?:[^\\0');

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const format = (value: number) => value.toLocaleString('en');
  if (least === 1 && most === undefined && unit) return 'not empty';
  const text =
    least !== undefined && most !== undefined
      ? least === most
        ? format(least)
        : `${format(least)} to ${format(most)}`
      : least !== undefined
        ? `at least ${format(least)}`
        : most !== undefined
          ? `at most ${format(most)}`
          : '';
  return text && unit ? `${text} ${unit}` : text;
}

/** The fields of an object with whether each is required; empty for other types. */
export function fieldsOf(schema: Schema): { name: string; schema: Schema; isRequired: boolean }[] {
  const parts = [schema, ...(schema.allOf ?? [])];
  return parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, field]) => ({
      name,
      schema: field,
      isRequired: required.includes(name),
    })),
  );
}

/** The schemas that can be expanded below a value: objects with fields, or the choices between them. */
export function partsOf(schema: Schema, schemas: Schemas): { name?: string; schema: Schema }[] {
  const target = resolve(schema, schemas);
  if (target.schema.items) return partsOf(target.schema.items, schemas);
  if (isMap(target.schema)) return partsOf(target.schema.additionalProperties as Schema, schemas);
  const choices = target.schema.oneOf ?? target.schema.anyOf;
  if (choices) return choices.flatMap((choice) => partsOf(choice, schemas));
  return fieldsOf(target.schema).length > 0 ? [target] : [];
}

/** An example value with the required fields; `withAll` includes the optional fields of the first level. */
export function exampleOf(
  schema: Schema,
  schemas: Schemas,
  { withAll = false, name = '', depth = 0 } = {},
): unknown {
  const { schema: target } = resolve(schema, schemas);
  if (target.const !== undefined) return target.const;
  if (target.enum) return target.enum[0];
  if (target.default !== undefined) return target.default;
  const [choice] = target.oneOf ?? target.anyOf ?? [];
  if (choice) return exampleOf(choice, schemas, { withAll, name, depth });
  const type = Array.isArray(target.type) ? target.type[0] : target.type;
  if (type === 'array')
    return target.items && depth < 5 ? [exampleOf(target.items, schemas, { name, depth: depth + 1 })] : [];
  if (type === 'object' || target.properties || target.allOf) {
    if (depth > 5) return {};
    const fields = fieldsOf(target).filter(({ isRequired }) => isRequired || withAll);
    return Object.fromEntries(
      fields.map(({ name: key, schema: field }) => [
        key,
        exampleOf(field, schemas, { name: key, depth: depth + 1 }),
      ]),
    );
  }
  if (type === 'integer' || type === 'number') return Math.max(target.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return textOf(target, name);
}

/** Texts of fields by their names. */
const names: Readonly<Record<string, string>> = {
  name: 'Ada',
  displayName: 'Ada',
  email: 'ada@example.com',
  text: 'Where is my order?',
  title: 'Order 4711',
  key: 'help/returns.md',
  message: 'The conversation does not exist.',
};

/** An example text by the format, else by the name of the field. */
function textOf({ format, minLength = 0 }: Schema, name: string): string {
  if (format === 'date-time' || name.endsWith('At')) return '2026-01-31T12:00:00.000Z';
  if (format === 'uri' || /url$/i.test(name)) return 'https://example.com/';
  if (/(^i|I)d$/.test(name)) return placeholderOf(name);
  return (names[name] ?? 'text').padEnd(minLength, '.');
}

/** A placeholder for a field: `conversationId` becomes CONVERSATION_ID. */
export const placeholderOf = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
