// The OpenAPI document: every operation is in it, every reference leads somewhere, and it is valid in its own terms.
import { expect, test } from 'vitest';
import { createOpenApi } from './openapi.ts';
import { adminOperations } from './operations/admin.ts';
import { operations } from './operations/index.ts';
import { base, startTestServer } from './testing.ts';

const document = createOpenApi(operations, base, adminOperations, '/v1/admin');

test('every operation is described, with its path parameters and its refusals', () => {
  for (const operation of operations) {
    const path = (document.paths as Record<string, Record<string, unknown>>)[operation.path];
    const described = path?.[operation.method.toLowerCase()] as {
      operationId: string;
      parameters: { name?: string; $ref?: string }[];
      responses: Record<string, { content: Record<string, { schema: unknown }> }>;
    };
    expect(described.operationId).toBe(operation.id);
    for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) {
      expect(described.parameters).toContainEqual(
        expect.objectContaining({ name, in: 'path', required: true }),
      );
    }
    const wantsKey = described.parameters.some(({ $ref }) => $ref?.endsWith('/userKey'));
    expect(wantsKey).toBe(operation.auth !== 'none');
    expect(Object.keys(described.responses)).toContain(String(operation.status));
    expect(Object.keys(described.responses).includes('401')).toBe(
      operation.auth !== 'none' || operation.id === 'createUser',
    );
    expect(described.responses['429']?.content['application/json']).toBeDefined();
    expect(described.responses['500']?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Error',
    });
  }
});

test('operations of administrators stand beside them, with their own address and both of their headers', () => {
  const schemes = (document.components as Record<string, object>).securitySchemes;
  expect(schemes).toMatchObject({
    token: { type: 'http', scheme: 'bearer' },
    workspace: { type: 'apiKey', in: 'header', name: 'x-workspace-id' },
  });
  for (const operation of adminOperations) {
    const path = (document.paths as Record<string, Record<string, unknown>>)[`/v1/admin${operation.path}`];
    expect(path?.servers).toEqual([{ url: '/' }]);
    expect(path?.[operation.method.toLowerCase()]).toMatchObject({
      operationId: operation.id,
      security: [{ token: [], workspace: [] }],
      responses: { 200: {}, 401: {}, 500: {} },
    });
  }
  const put = (document.paths as Record<string, Record<string, unknown>>)['/v1/admin/bots/{id}/webchat']?.put;
  expect(put).toMatchObject({
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { properties: { configuration: { type: 'object' } } } } },
    },
    responses: { 400: {}, 404: {}, 413: {}, 415: {} },
  });
});

test('every reference leads to something, and what has a name is referred to by it', () => {
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

test('it is served as it is', async () => {
  const server = await startTestServer();
  const response = await server.fetch(`${base}/openapi.json`);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  expect(document.openapi).toBe('3.1.0');
  await server.close();
});
