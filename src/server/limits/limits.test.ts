// How large a body each family takes: more is refused with the limit in words, and no more of it is read than that.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { families } from '../http/apis.ts';
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
  };
});
afterAll(() => server.close());

test('the limits are those of SPEC "Limits"', () => {
  expect(Object.fromEntries(families.map(({ name, bodyBytes }) => [name, bodyBytes]))).toEqual({
    chat: 1_000_000,
    runtime: 1_000_000,
    admin: 50_000_000,
    files: 1_000_000,
    tables: 40_000_000,
  });
  expect(limits).toMatchObject({ webhookBytes: 100_000_000, maxFileBytes: 1_000_000_000 });
});

const chunk = new Uint8Array(100_000).fill(0x20);

/** A body without end, and how much of it was taken. */
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

const takingBodies = families.flatMap(({ name, base: path, bodyBytes, operations }) => {
  const operation = operations.find((one) => one.body && one.auth !== 'none' && !one.bodyBytes);
  return operation ? [{ name, path: path.replace('/chat/{webhookId}', base), bodyBytes, operation }] : [];
});

describe.each(takingBodies)('$name', ({ path, bodyBytes, operation }) => {
  const ask = (body: ReadableStream | string, headers: Record<string, string>) =>
    server.fetch(path + operation.path.replace(/\{\w+\}/g, 'none'), {
      method: operation.method,
      headers: { 'content-type': 'application/json', ...headers },
      body,
      duplex: 'half',
    } as RequestInit);

  test('a body that says it is too large is not read', async () => {
    const { taken, body } = endless();
    const response = await ask(body, { ...right, 'content-length': String(bodyBytes + 1) });
    expect([response.status, taken.bytes]).toEqual([413, 0]);
    expect(await response.json()).toMatchObject({
      type: 'PayloadTooLarge',
      message: expect.stringContaining(String(bodyBytes)),
    });
  });

  test('one that does not say so is read to the limit, and no further', async () => {
    const { taken, body } = endless();
    const response = await ask(body, right);
    expect(response.status).toBe(413);
    expect(taken.bytes).toBeLessThanOrEqual(bodyBytes + 2 * chunk.length);
  });

  test('whoever is nobody is read nothing of', async () => {
    const { taken, body } = endless();
    const response = await ask(body, {});
    expect([response.status, taken.bytes]).toEqual([401, 0]);
  });
});
