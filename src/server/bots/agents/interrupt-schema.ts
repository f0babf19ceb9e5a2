// Derives the form of an answer from the JSON Schema of an agent, which can have any content.
import * as v from 'valibot';
import {
  type ResponseProperty,
  type ResponseSchema,
  stringFormats,
} from '../../../protocol/response-schema.ts';
import { interruptSchemas } from '../../../protocol/schemas/interrupts.ts';

const formNames = ['type', 'title', 'description', 'properties', 'required'];
const propertyNames = [
  ...['type', 'title', 'description', 'default', 'format', 'minLength', 'maxLength', 'enum', 'oneOf'],
  ...['minimum', 'maximum', 'items', 'minItems', 'maxItems'],
];

/** The form that is used if the schema needs more than a form supports. */
const anyText: ResponseSchema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
};

/**
 * Returns the form; undefined for a plain approval, which has two buttons. Unsupported keywords of the schema are
 * ignored.
 */
export function readResponseSchema(schema: object): ResponseSchema | undefined {
  const { properties, ...form } = pick(schema, formNames);
  const given = Object.entries(isObject(properties) ? properties : {});
  const candidate = {
    ...form,
    properties: Object.fromEntries(given.map(([name, property]) => [name, readProperty(property)])),
  };
  const result = v.safeParse(interruptSchemas.responseSchema, candidate);
  if (!result.success) return anyText;
  const isApproval =
    given.length === 1 &&
    (result.output.properties.approved as ResponseProperty | undefined)?.type === 'boolean';
  return isApproval ? undefined : result.output;
}

function readProperty(property: unknown): unknown {
  if (!isObject(property)) return property;
  const { format, ...fields } = pick(property, propertyNames);
  return stringFormats.some((known) => known === format) ? { ...fields, format } : fields;
}

const pick = (value: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
