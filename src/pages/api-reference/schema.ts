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
  const { name, schema: found } = resolve(schema, schemas);
  if (name) return name;
  if (depth > 4) return '…';
  const inner = (one: Schema) => typeOf(one, schemas, depth + 1);
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum) return found.enum.map((value) => JSON.stringify(value)).join(' or ');
  const choices = found.oneOf ?? found.anyOf;
  if (choices) return [...new Set(choices.map(inner))].join(' or ');
  if (found.items) return `list of ${inner(found.items)}`;
  if (Array.isArray(found.type)) return found.type.join(' or ');
  if (found.type === 'array') return 'list';
  if (found.type === 'object' && isMap(found))
    return `object, each ${inner(found.additionalProperties as Schema)}`;
  if (found.type === 'string' && found.format) return formats[found.format] ?? `string, ${found.format}`;
  return found.type ?? 'any';
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
  const found = resolve(schema, schemas);
  if (found.schema.items) return partsOf(found.schema.items, schemas);
  if (isMap(found.schema)) return partsOf(found.schema.additionalProperties as Schema, schemas);
  const choices = found.schema.oneOf ?? found.schema.anyOf;
  if (choices) return choices.flatMap((one) => partsOf(one, schemas));
  return fieldsOf(found.schema).length > 0 ? [found] : [];
}

/** An example value with the required fields; `withAll` includes the optional fields of the first level. */
export function exampleOf(
  schema: Schema,
  schemas: Schemas,
  { withAll = false, name = '', depth = 0 } = {},
): unknown {
  const { schema: found } = resolve(schema, schemas);
  if (found.const !== undefined) return found.const;
  if (found.enum) return found.enum[0];
  if (found.default !== undefined) return found.default;
  const [choice] = found.oneOf ?? found.anyOf ?? [];
  if (choice) return exampleOf(choice, schemas, { withAll, name, depth });
  const type = Array.isArray(found.type) ? found.type[0] : found.type;
  if (type === 'array')
    return found.items && depth < 5 ? [exampleOf(found.items, schemas, { name, depth: depth + 1 })] : [];
  if (type === 'object' || found.properties || found.allOf) {
    if (depth > 5) return {};
    const fields = fieldsOf(found).filter(({ isRequired }) => isRequired || withAll);
    return Object.fromEntries(
      fields.map(({ name: key, schema: field }) => [
        key,
        exampleOf(field, schemas, { name: key, depth: depth + 1 }),
      ]),
    );
  }
  if (type === 'integer' || type === 'number') return Math.max(found.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return textOf(found, name);
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
