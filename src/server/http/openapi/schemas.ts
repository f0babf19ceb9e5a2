// The schemas of operations as JSON Schema, for the OpenAPI document. Those with a name are references.
import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import * as v from 'valibot';
import { hasBody, type Operation } from '../../../protocol/operations/operation.ts';
import { namedTypes } from '../../../protocol/schemas/named-types.ts';
import { payloadComponents } from '../../../protocol/schemas/payloads.ts';

export type Json = Record<string, unknown>;

/** Names of types under which the document does not have their schemas. */
const otherNames: Record<string, string> = { ErrorBody: 'Error', MemberFigures: 'ReportMember' };

/** The schemas that have a name. Lists of texts, maps and tuples say more in the place where they are used. */
const components: Record<string, v.GenericSchema> = {
  ...payloadComponents,
  ...Object.fromEntries(
    Object.values<Record<string, v.GenericSchema>>(namedTypes)
      .flatMap((types) => Object.entries(types))
      .filter(([, { type }]) => !['picklist', 'record', 'tuple'].includes(type))
      .map(([name, schema]) => [otherNames[name] ?? name, schema]),
  ),
};
const names = new Map<unknown, string>(Object.entries(components).map(([name, schema]) => [schema, name]));
const referenceTo = (name: string) => `#/components/schemas/${name}`;

const options: ConversionConfig = {
  target: 'draft-2020-12',
  // Every JSON number is finite; the other actions have no equivalent in JSON Schema.
  ignoreActions: ['finite', 'trim', 'transform', 'check'],
  overrideAction({ valibotAction, jsonSchema }) {
    const { of, description, metadata } = valibotAction as {
      of?: v.GenericSchema;
      description?: string;
      metadata?: { documentedAs?: JsonSchema; clientType?: string; writtenType?: object };
    };
    // A field with a description whose schema has a name.
    const name = names.get(of);
    if (name !== undefined) return { $ref: referenceTo(name), ...(description ? { description } : {}) };
    if (metadata?.clientType || metadata?.writtenType)
      return { ...jsonSchema, clientType: undefined, writtenType: undefined };
    // Documents the parsed value of a query parameter, not its text.
    return metadata?.documentedAs;
  },
  overrideRef: ({ referenceId }) => referenceTo(referenceId),
};

/** The schemas that have a name. */
export const namedSchemas = () => toJsonSchemaDefs(components, options);

export const bodyOf = (operation: Operation) => (hasBody(operation) ? operation.input : undefined);
export const queryOf = (operation: Operation) => (hasBody(operation) ? undefined : operation.input);

/** A schema as JSON Schema; named schemas are references. */
export type Converted = Json & { properties?: Json; required?: string[] };

/** The converted schemas of operations; undefined for an operation without one. */
export type Schemas = ReturnType<typeof convertSchemas>;

/** Converts all schemas together: each call of the library also converts every named schema. */
export function convertSchemas(operations: readonly Operation[]) {
  const convert = (
    schemas: readonly (v.GenericSchema | undefined)[],
    { isInline = false, ...mode }: { isInline?: boolean; typeMode?: 'input' } = {},
  ) => {
    const all = schemas.filter((schema) => schema !== undefined);
    const config = { ...options, definitions: components, ...mode };
    // A copy of a schema does not have its name.
    const converting = isInline ? all.map((schema) => ({ ...schema })) : all;
    const { properties = {} } = toJsonSchema(v.object(Object.fromEntries(converting.entries())), config);
    const converted = new Map(all.map((schema, index) => [schema, properties[index] as Converted]));
    return (schema: v.GenericSchema | undefined) => schema && converted.get(schema);
  };
  return {
    // Their fields are read: which of them are required, and each parameter of a query.
    ofBody: convert(operations.map(bodyOf), { isInline: true }),
    ofQuery: convert(operations.map(queryOf), { isInline: true, typeMode: 'input' }),
    ofOutput: convert(operations.map((one) => one.output)),
  };
}
