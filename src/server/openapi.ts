// The OpenAPI 3.1 document, derived from the table of operations: what is documented is what is checked.
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { type ErrorType, errorTypes } from '../protocol/error.ts';
import { limits } from '../protocol/limits.ts';
import { filePaths } from './files/openapi.ts';
import type { Operation } from './operation.ts';
import { components } from './schemas.ts';

type Json = Record<string, unknown>;

const options: ConversionConfig = {
  target: 'draft-2020-12',
  // Every JSON number is finite: there is no word for it.
  ignoreActions: ['finite'],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

/** The document of the Chat API as served at `basePath`, and of the Admin API, whose paths are told in full. */
export function createOpenApi(
  operations: readonly Operation[],
  basePath: string,
  adminOperations: readonly Operation[],
  adminBase: string,
): Json {
  const paths: Record<string, Json> = {
    '/hello': {
      get: {
        operationId: 'hello',
        summary: 'Greets; clients ask it once before anything else.',
        responses: {
          200: { description: 'A line of text.', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
    },
  };
  Object.assign(paths, filePaths);
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], ...methodOf(operation) };
  }
  for (const operation of adminOperations) {
    const path = adminBase + operation.path;
    paths[path] = { ...paths[path], servers: [{ url: '/' }], ...methodOf(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Chat API and Admin API', version: '0.0.0' },
    servers: [{ url: basePath }],
    paths,
    components: { schemas: toJsonSchemaDefs(components, options), parameters, securitySchemes },
  };
}

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
    {
      type: 'string',
      minLength: 1,
      maxLength: limits.idempotencyKey,
    },
  ),
  lastEventId: header('last-event-id', false, 'The id of the last frame that was seen.', { type: 'string' }),
};

/** What an administrator sends: both, at every request. */
const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'The administrator’s token.' },
  workspace: {
    type: 'apiKey',
    in: 'header',
    name: 'x-workspace-id',
    description: 'The workspace that the token opens.',
  },
};

const methodOf = (operation: Operation): Json => ({ [operation.method.toLowerCase()]: describe(operation) });

function describe(operation: Operation): Json {
  const { id, summary, status, auth, kind, path, query, body } = operation;
  const refs = [
    auth !== 'none' && auth !== 'admin' && 'userKey',
    takesKey(operation) && 'idempotencyKey',
    kind === 'listen' && 'lastEventId',
  ].filter((name) => name !== false);
  return {
    operationId: id,
    summary,
    ...(auth === 'admin' ? { security: [{ token: [], workspace: [] }] } : {}),
    parameters: [
      ...refs.map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...queryParameters(query),
    ],
    ...(body ? { requestBody: { required: isRequired(body), content: json(body) } } : {}),
    responses: { [status]: success(operation), ...refusals(operation) },
  };
}

function success(operation: Operation): Json {
  if (operation.kind !== 'listen') return { description: 'Done.', content: json(operation.response) };
  return {
    description: 'The stream. Each frame is `event: message` with `{type, data}`, or the word `ping`.',
    headers: {
      'last-event-id': {
        description: 'The place after which the stream continues.',
        schema: { type: 'string' },
      },
    },
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  };
}

/** Every refusal an operation can give, by status, with its types in words. */
function refusals(operation: Operation): Json {
  const { auth, body, errors } = operation;
  const types = new Set<ErrorType>(errors);
  if (auth !== 'none') types.add('Unauthorized');
  if (body) for (const type of bodyErrors) types.add(type);
  if (takesKey(operation)) types.add('InvalidPayload').add('ResourceGone');
  types.add('RateLimited').add('Internal');
  const byStatus: Record<string, string[]> = {};
  for (const type of types) byStatus[errorTypes[type]] = [...(byStatus[errorTypes[type]] ?? []), type];
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, names]) => [status, { description: names.join(', '), content }]),
  );
}

/** Creating operations remember their answers; those that only tell what goes on have nothing to remember. */
const takesKey = ({ method, kind }: Operation): boolean => method === 'POST' && kind === 'write';

const bodyErrors = ['InvalidPayload', 'UnsupportedMediaType', 'PayloadTooLarge'] as const;

function queryParameters(query: v.GenericSchema | undefined): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schema(query) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: value,
  }));
}

function isRequired(body: v.GenericSchema): boolean {
  return ((schema(body) as { required?: string[] }).required ?? []).length > 0;
}

function json(of: v.GenericSchema): Json {
  return { 'application/json': { schema: schema(of) } };
}

/** One schema, with named ones by reference. */
function schema(of: v.GenericSchema): Json {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(of, { ...options, definitions: components });
  return rest;
}
