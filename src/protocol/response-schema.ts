// Form of the response to an interrupt: a flat schema, and the check of a response. The server and the widget use the same check.
import type { ResponseProperty, ResponseSchema } from './types/interrupts.ts';

export type {
  BooleanProperty,
  IntegerProperty,
  ListProperty,
  NewInterrupt,
  NumberProperty,
  ResponseProperty,
  ResponseSchema,
  StringProperty,
  TitledChoice,
} from './types/interrupts.ts';

export const stringFormats = ['email', 'uri', 'date', 'date-time'] as const;
export type StringFormat = (typeof stringFormats)[number];

/** The schema of an approval: `{approved: true}`, or `{approved: false}` for a refusal. */
export const approvalSchema: ResponseSchema = {
  type: 'object',
  properties: { approved: { type: 'boolean' } },
  required: ['approved'],
};

/** The rule that an answer breaks. `unknown`: a property that the schema does not have. */
export type ResponseRule =
  | 'type'
  | 'unknown'
  | 'required'
  | 'choice'
  | 'format'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems';

export interface ResponseIssue {
  /** The name of the property; '' for the whole answer. */
  property: string;
  rule: ResponseRule;
}

const has = (object: object, name: string): boolean => Object.hasOwn(object, name);

/**
 * Returns what is wrong with an answer, at most one issue for each property, in the order of the schema; an empty list for a
 * valid answer. `value`: any JSON value. An empty text in a property that is not required is valid only if its rules allow it:
 * a form leaves the property out.
 */
export function checkResponse(
  schema: Pick<ResponseSchema, 'properties' | 'required'>,
  value: unknown,
): ResponseIssue[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ property: '', rule: 'type' }];
  const { properties, required = [] } = schema;
  const issues: ResponseIssue[] = [];
  for (const [property, rules] of Object.entries(properties)) {
    const propertyValue = has(value, property) ? (value as Record<string, unknown>)[property] : undefined;
    const rule =
      propertyValue === undefined
        ? required.includes(property) && 'required'
        : brokenRule(rules, propertyValue);
    if (rule) issues.push({ property, rule });
  }
  for (const property of Object.keys(value)) {
    if (!has(properties, property)) issues.push({ property, rule: 'unknown' });
  }
  return issues;
}

/** The values that can be chosen; undefined for other properties. */
export function choicesOf(property: ResponseProperty): { value: string; title: string }[] | undefined {
  if (property.type !== 'string' && property.type !== 'array') return undefined;
  const source = property.type === 'string' ? property : property.items;
  const titled = 'anyOf' in source ? source.anyOf : 'oneOf' in source ? source.oneOf : undefined;
  if (titled) return titled.map(({ const: value, title }) => ({ value, title }));
  return 'enum' in source ? source.enum?.map((value) => ({ value, title: value })) : undefined;
}

function brokenRule(property: ResponseProperty, value: unknown): ResponseRule | undefined {
  const choices = choicesOf(property)?.map((choice) => choice.value);
  switch (property.type) {
    case 'string':
      if (typeof value !== 'string') return 'type';
      if (choices && !choices.includes(value)) return 'choice';
      return (
        brokenRange('Length', [...value].length, property.minLength, property.maxLength) ??
        (property.format && !isOfFormat[property.format](value) ? 'format' : undefined)
      );
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'type';
    case 'array':
      if (!Array.isArray(value)) return 'type';
      if (!value.every((item) => choices?.includes(item))) return 'choice';
      if (new Set(value).size < value.length) return 'uniqueItems';
      return brokenRange('Items', value.length, property.minItems, property.maxItems);
    default:
      if (!Number.isFinite(value) || (property.type === 'integer' && !Number.isInteger(value))) return 'type';
      return brokenRange('imum', value as number, property.minimum, property.maximum);
  }
}

const brokenRange = <Name extends 'Length' | 'Items' | 'imum'>(
  name: Name,
  value: number,
  least = Number.NEGATIVE_INFINITY,
  most = Number.POSITIVE_INFINITY,
): `min${Name}` | `max${Name}` | undefined =>
  value < least ? `min${name}` : value > most ? `max${name}` : undefined;

/** The calendar of ISO 8601: a day that does not exist, such as 30 February, becomes another one. */
const isDate = (text: string): boolean => {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const isOfFormat: Record<StringFormat, (text: string) => boolean> = {
  email: (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
  uri: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text),
  date: isDate,
  'date-time': (text) =>
    /^.{10}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(text) &&
    isDate(text.slice(0, 10)),
};
