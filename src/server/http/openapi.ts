// Creates the OpenAPI 3.1 document from the table of operations, so that the documentation matches the validation.
import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import * as v from 'valibot';
import { type ErrorType, errorTypes } from '../../protocol/error.ts';
import { limits } from '../../protocol/limits.ts';
import type { Api } from '../../protocol/operations/apis.ts';
import { hasBody, type Operation } from '../../protocol/operations/operation.ts';
import { sampleBody, sampleOf } from '../../protocol/operations/samples.ts';
import { namedTypes } from '../../protocol/schemas/named-types.ts';
import { payloadComponents } from '../../protocol/schemas/payloads.ts';
import { filePaths } from '../files/index.ts';
import { anonymousKeyLength, reusedKeyStatus } from './idempotency.ts';

/** Creates the document of these APIs with full paths. With `chatPath`: of one chat, with paths relative to its address. */
export function createOpenApi(apis: readonly Api[], chatPath?: string): Json {
  const paths: Record<string, Json> = {};
  const schemas = convertSchemas(apis.flatMap(({ operations }) => operations));
  for (const { name, base, operations } of apis) {
    const prefix = chatPath === undefined ? base : '';
    for (const operation of operations) {
      const path = prefix + operation.path;
      const method = operation.method.toLowerCase();
      paths[path] = { ...paths[path], [method]: describe(operation, name, prefix, schemas) };
    }
    const extra: Record<string, Json> = {
      ...(name === 'chat' ? { '/hello': hello } : {}),
      ...filePaths[name],
    };
    for (const [path, item] of Object.entries(extra)) {
      const whole = prefix + path;
      paths[whole] = { ...paths[whole], ...describeRoute(item, name, prefix) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: apis.map(({ title }) => title).join(', '), version: '0.0.0' },
    servers: [{ url: chatPath ?? '/' }],
    tags: apis.map(({ name, title, description }) => ({ name, description: `${title}: ${description}` })),
    paths,
    components: { schemas: namedSchemas(), parameters, securitySchemes },
  };
}

const hello: Json = {
  get: {
    operationId: 'hello',
    summary: 'Greets; clients ask it once before anything else.',
    responses: {
      200: { description: 'A line of text.', content: { 'text/plain': { schema: { type: 'string' } } } },
    },
  },
};

/** Documents a path that is not an operation of the table, in the group of its API. */
const describeRoute = (item: Json, apiName: string, prefix: string): Json =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      const { parameters: own = [], ...rest } = operation as Json & { parameters?: Json[] };
      return [method, { tags: [apiName], ...rest, parameters: [...pathParameters(prefix), ...own] }];
    }),
  );

const header = (name: string, required: boolean, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});

const parameters = {
  userKey: header('x-user-key', true, 'Authentication key: who calls.', { type: 'string' }),
  idempotencyKey: header(
    'idempotency-key',
    false,
    'The same key gives the same answer, once, for 24 hours.',
    { type: 'string', minLength: 1, maxLength: limits.idempotencyKey },
  ),
  anonymousIdempotencyKey: header(
    'idempotency-key',
    false,
    'At least 128 random bits, such as a random UUID. The same key from the same network gives the same answer for a minute, and ' +
      'is refused (409) for the rest of 24 hours.',
    { type: 'string', minLength: anonymousKeyLength, maxLength: limits.idempotencyKey },
  ),
  lastEventId: header('last-event-id', false, 'The id of the last frame that was seen.', { type: 'string' }),
};

/** The headers that the holder of a token sends with every request. */
const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'A token: personal, of a bot, or an integration.' },
  workspace: {
    type: 'apiKey',
    in: 'header',
    name: 'x-workspace-id',
    description: 'The workspace that the token opens.',
  },
  bot: { type: 'apiKey', in: 'header', name: 'x-bot-id', description: 'The bot that is acted for.' },
  session: { type: 'apiKey', in: 'cookie', name: '__Host-inbox', description: 'A member who has signed in.' },
};

const security: Record<Operation['auth'], Json[]> = {
  none: [],
  key: [],
  user: [],
  token: [{ token: [] }],
  workspace: [{ token: [], workspace: [] }],
  bot: [{ token: [], bot: [] }],
  session: [{ session: [] }],
};

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function describe(operation: Operation, apiName: string, prefix: string, schemas: Schemas): Json {
  const { id, summary, status, auth, permission, kind, path, headers = [] } = operation;
  const body = schemas.ofBody(bodyOf(operation));
  const refs = [
    (auth === 'key' || auth === 'user') && 'userKey',
    acceptsIdempotencyKey(operation) && (auth === 'none' ? 'anonymousIdempotencyKey' : 'idempotencyKey'),
    kind === 'subscription' && 'lastEventId',
  ].filter((name) => name !== false);
  return {
    operationId: id,
    tags: [apiName],
    summary,
    ...(permission
      ? { description: `Needs the permission \`${permission}\`.`, 'x-permission': permission }
      : {}),
    ...(security[auth].length > 0 ? { security: security[auth] } : {}),
    parameters: [
      ...refs.map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...headers.map(({ name, description }) => header(name, false, description, { type: 'string' })),
      ...pathParameters(prefix + path),
      ...queryParameters(schemas.ofQuery(queryOf(operation)), sampleOf(operation)),
    ],
    ...(body && {
      requestBody: { required: !!body.required?.length, content: json(body, sampleBody(operation)) },
    }),
    responses: { [status]: success(operation, schemas), ...refusals(operation) },
  };
}

function success(operation: Operation, schemas: Schemas): Json {
  const output = schemas.ofOutput(operation.output);
  if (output) return { description: 'Done.', content: json(output) };
  const schema = { type: 'string' };
  const place = { description: 'The place after which the stream continues.', schema };
  return {
    description: 'The stream. Each frame is `event: message` with `{type, data}`, or the word `ping`.',
    ...(operation.kind === 'subscription' ? { headers: { 'last-event-id': place } } : {}),
    content: { 'text/event-stream': { schema } },
  };
}

/** Returns every error of an operation by status, with a list of its types. */
function refusals(operation: Operation): Json {
  const { auth, permission, errors } = operation;
  const [query, body] = [queryOf(operation), bodyOf(operation)];
  const types = new Set<ErrorType>(errors);
  if (auth !== 'none') types.add('Unauthorized');
  if (permission) types.add('Forbidden');
  if (query) types.add('InvalidQuery');
  if (body) types.add('InvalidPayload').add('UnsupportedMediaType').add('PayloadTooLarge');
  if (acceptsIdempotencyKey(operation)) types.add('InvalidPayload').add('ResourceGone');
  if (needsDisk(operation)) types.add('InsufficientStorage');
  types.add('RateLimited').add('Internal');
  const byStatus: Record<string, string[]> = {};
  for (const type of types) byStatus[errorTypes[type]] = [...(byStatus[errorTypes[type]] ?? []), type];
  if (acceptsIdempotencyKey(operation)) byStatus[reusedKeyStatus] = ['InvalidPayload'];
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, names]) => [status, { description: names.join(', '), content }]),
  );
}

/** Creating operations cache their responses. Operations on live state have nothing to cache. */
const acceptsIdempotencyKey = ({ method, kind, hasSecrets }: Operation): boolean =>
  method === 'POST' && kind === 'mutation' && !hasSecrets;

/** Writes of visitors are rejected while the disk is nearly full (limits/free-disk.ts). */
const needsDisk = ({ method, kind, auth, hasSecrets }: Operation): boolean =>
  kind === 'mutation' && method !== 'DELETE' && ['none', 'key', 'user'].includes(auth) && !hasSecrets;

function queryParameters(query: Converted | undefined, sample: Json = {}): Json[] {
  const { properties = {}, required = [] } = query ?? {};
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: value,
    ...(Object.hasOwn(sample, name) && { example: sample[name] }),
  }));
}

const json = (schema: Converted, example?: Json): Json => ({
  'application/json': { schema, ...(example && { example }) },
});

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
