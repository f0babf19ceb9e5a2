// Creates the OpenAPI 3.1 document from the table of operations, so that the documentation matches the validation.
import { type ErrorType, errorTypes } from '../../../protocol/error.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Api } from '../../../protocol/operations/apis.ts';
import type { Operation } from '../../../protocol/operations/operation.ts';
import { sampleBody, sampleOf } from '../../../protocol/operations/samples.ts';
import { filePaths } from '../../files/index.ts';
import { anonymousKeyLength, reusedKeyStatus } from '../idempotency.ts';
import {
  bodyOf,
  type Converted,
  convertSchemas,
  type Json,
  namedSchemas,
  queryOf,
  type Schemas,
} from './schemas.ts';

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
