// Tests of the limits of request bodies per API: a larger body is rejected and not read beyond the limit.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { apis } from '../../protocol/operations/apis.ts';
import { listBots } from '../storage/bots/bots.ts';
import { base, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let right: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  const { workspaceId, token } = server.admin;
  const [bot] = await server.db.read((tx) => listBots(tx, workspaceId, undefined, 1));
  right = {
    'x-user-key': (await server.user()).key,
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-bot-id': bot?.id ?? '',
    'sec-fetch-site': 'same-origin',
  };
});
afterAll(() => server.close());

test('limits: the nginx example of the guide lets the largest body of each API through', () => {
  const guide = readFileSync('docs/guides/self-hosting.md', 'utf8');
  const [, example = ''] = /^```nginx\n([\s\S]*?)^```/m.exec(guide) ?? [];
  const units: Record<string, number> = { m: 2 ** 20, g: 2 ** 30 };
  const locations = [
    ...example.matchAll(/^location (?:~ )?(\S+) \{[\s\S]*?client_max_body_size (\d+)([mg]);/gm),
  ].map(([, path = '', size, unit = '']) => ({ path, bytes: Number(size) * (units[unit] ?? 0) }));
  // As nginx does: the first expression that matches, otherwise the prefix.
  const sizeAt = (address: string) =>
    (
      locations.find(({ path }) => path.startsWith('^') && new RegExp(path).test(address)) ??
      locations.find(({ path }) => path === '/')
    )?.bytes;
  expect(locations).toHaveLength(3);
  for (const { base: path, bodyBytes } of apis)
    expect(sizeAt(path.replace('{webhookId}', 'demo')), path).toBeGreaterThanOrEqual(bodyBytes);
  for (const path of ['/v1/tables/ordersTable/rows', '/v1/admin/bots/bot_1/webchat'])
    expect(sizeAt(path), path).toBe(50 * 2 ** 20);
  for (const path of ['/chat/demo/uploads/x', '/v1/files/uploads/x'])
    expect(sizeAt(path), path).toBe(limits.maxFileBytes);
});

test('limits: the values match the published limits', () => {
  expect(Object.fromEntries(apis.map(({ name, bodyBytes }) => [name, bodyBytes]))).toEqual({
    chat: 1_048_576,
    runtime: 1_048_576,
    session: 16_384,
    inbox: 1_048_576,
    admin: 52_428_800,
    files: 1_048_576,
    tables: 41_943_040,
  });
  expect(limits).toMatchObject({
    payloadBytes: 1_048_576,
    webhookBytes: 104_857_600,
    maxFileBytes: 1_073_741_824,
    tables: { answerBytes: 41_943_040 },
  });
});

const chunk = new Uint8Array(100_000).fill(0x20);

/** An endless body, and the number of bytes that were read. */
function endless() {
  const taken = { bytes: 0 };
  const body = new ReadableStream(
    {
      pull(controller) {
        taken.bytes += chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  return { taken, body };
}

const withBodies = apis.flatMap(({ name, base: path, bodyBytes, operations }) => {
  const operation = operations.find(
    // Of the Session API, one that anybody on its page can call.
    (one) => ['POST', 'PUT'].includes(one.method) && one.input && (one.auth !== 'none' || name === 'session'),
  );
  return operation ? [{ name, path: path.replace('/chat/{webhookId}', base), bodyBytes, operation }] : [];
});

describe.each(withBodies)('$name', ({ name, path, bodyBytes, operation }) => {
  const send = (body: ReadableStream | string, headers: Record<string, string>) =>
    server.fetch(path + operation.path.replace(/\{\w+\}/g, 'none'), {
      method: operation.method,
      headers: { 'content-type': 'application/json', ...headers },
      body,
      duplex: 'half',
    } as RequestInit);

  test('a body with a Content-Length above the limit is not read', async () => {
    const { taken, body } = endless();
    const response = await send(body, { ...right, 'content-length': String(bodyBytes + 1) });
    expect([response.status, taken.bytes]).toEqual([413, 0]);
    expect(await response.json()).toMatchObject({
      type: 'PayloadTooLarge',
      message: expect.stringContaining(String(bodyBytes)),
    });
  });

  test('a body without Content-Length is read up to the limit', async () => {
    const { taken, body } = endless();
    const response = await send(body, right);
    expect(response.status).toBe(413);
    expect(taken.bytes).toBeLessThanOrEqual(bodyBytes + 2 * chunk.length);
  });

  // A page of another origin, in the Session API.
  test('the body of a caller without credentials is not read', async () => {
    const { taken, body } = endless();
    const response = await send(body, {});
    expect([response.status, taken.bytes]).toEqual([name === 'session' ? 403 : 401, 0]);
  });
});
