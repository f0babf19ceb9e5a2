// Tests of the OpenAPI document: it contains every operation, resolves every reference, and is valid OpenAPI.
import { expect, test } from 'vitest';
import { base, startTestServer } from '../testing.ts';
import { apis } from './apis.ts';
import { createOpenApi } from './openapi.ts';

type Paths = Record<string, Record<string, unknown>>;
interface Described {
  operationId: string;
  tags: string[];
  parameters: { name?: string; $ref?: string; in?: string; schema?: object }[];
  security?: object[];
  responses: Record<string, { content: Record<string, { schema: unknown }> }>;
}

const document = createOpenApi(apis);
const everything = apis.flatMap(({ name, base, operations }) =>
  operations.map((operation) => ({ name, path: base + operation.path, operation })),
);

test.each(everything)('$operation.id is described', ({ name, path, operation }) => {
  const { method, id, auth, permission } = operation;
  const described = (document.paths as Paths)[path]?.[method.toLowerCase()] as Described;
  expect([described.operationId, described.tags]).toEqual([id, [name]]);
  for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) {
    expect(described.parameters).toContainEqual(
      expect.objectContaining({ name: parameter, in: 'path', required: true }),
    );
  }
  const documented = JSON.stringify([described.parameters, described.security]);
  expect(documented.includes('/userKey')).toBe(auth === 'key' || auth === 'user');
  expect(documented.includes('"token":')).toBe(['token', 'workspace', 'bot'].includes(auth));
  expect(documented.includes('"workspace":')).toBe(auth === 'workspace');
  expect(documented.includes('"bot":')).toBe(auth === 'bot');
  const { responses } = described;
  expect(Object.keys(responses)).toContain(String(operation.status));
  expect('401' in responses).toBe(
    auth !== 'none' ||
      ['createUser', 'useReturnLink', 'signInWithPassword', 'useSignInLink', 'finishOidcSignIn'].includes(id),
  );
  if (permission) expect(responses['403']).toBeDefined();
  expect(responses['429']?.content['application/json']).toBeDefined();
  expect(responses['500']?.content['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/Error',
  });
});

test('operation names and addresses are unique', () => {
  const names = everything.map(({ operation }) => operation.id);
  expect(new Set(names).size).toBe(names.length);
  const addresses = everything.map(
    ({ path, operation }) => `${operation.method} ${path.replace(/\{\w+\}/g, '{}')}`,
  );
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('a number in a query is described as a number', () => {
  const listed = (document.paths as Paths)['/v1/admin/bots']?.get as Described | undefined;
  expect(listed?.parameters).toContainEqual({
    name: 'pageSize',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  });
});

test('every reference resolves, and named schemas are referenced by name', () => {
  const text = JSON.stringify(document);
  const refs = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(refs.length).toBeGreaterThan(40);
  for (const ref of refs) {
    const target = ref
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect(target, ref).toBeTypeOf('object');
  }
  expect(new Set(refs)).toContain('components/schemas/Message');
  expect(text).not.toContain('$defs');
});

test('the document is served for the server and for one chat', async () => {
  const server = await startTestServer();
  const served = async (path: string) => (await server.fetch(path)).json();
  expect(await served('/v1/openapi.json')).toEqual(JSON.parse(JSON.stringify(document)));
  expect(document.openapi).toBe('3.1.0');
  const chat = (await served(`${base}/openapi.json`)) as { servers: object[]; paths: object };
  expect(chat.servers).toEqual([{ url: base }]);
  expect(Object.keys(chat.paths)).toContain('/messages');
  expect(Object.keys(chat.paths).join(' ')).not.toContain('/v1/');
  await server.close();
});

test('the addresses of all APIs but the Chat API begin with /v1, and the description of a chat has version 0.0.0', async () => {
  expect(Object.fromEntries(apis.map(({ name, base }) => [name, base]))).toEqual({
    chat: '/chat/{webhookId}',
    inbox: '/v1/inbox',
    runtime: '/v1/chat',
    admin: '/v1/admin',
    session: '/v1/session',
    files: '/v1/files',
    tables: '/v1/tables',
  });
  const server = await startTestServer();
  const described = (await (await server.fetch(`${base}/openapi.json`)).json()) as typeof document;
  expect(described.info).toEqual({ title: expect.any(String), version: '0.0.0' });
  // Another version, or none, does not exist.
  for (const path of ['/v2/files', '/v0/tables', '/files', '/admin/bots']) {
    expect([path, (await server.fetch(path)).status]).toEqual([path, 404]);
  }
  await server.close();
});

test('a client that has the document gets 304; the document of another chat has another ETag', async () => {
  const server = await startTestServer();
  const { body: made } = await server.call('GET', '/openapi.json');
  expect(Object.keys(made)).toContain('paths');
  const tags = new Set<string>();
  for (const path of ['/v1/openapi.json', `${base}/openapi.json`, '/chat/%64emo/openapi.json']) {
    const { headers } = await server.fetch(path);
    expect([path, headers.get('content-type')]).toEqual([path, 'application/json']);
    const etag = headers.get('etag') ?? '';
    const again = await server.fetch(path, { headers: { 'if-none-match': etag } });
    expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
    expect((await server.fetch(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect((await server.fetch(path, { method: 'POST' })).status).toBe(405);
    tags.add(etag);
  }
  expect(tags.size).toBe(3);
  await server.close();
});
