// Calls every method of the hosted product's own client: each is an operation of this server, or answered with 501 and the
// alternative.
import { admin, billing, Client, errorFrom, files, isApiError, runtime, tables } from '@botpress/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NotImplementedError, typedError } from '../client/core/api-errors.ts';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import { apis } from '../protocol/operations/apis.ts';
import { notOffered } from '../protocol/operations/not-offered.ts';

let relayed: RelayedServer;
let botId: string;
beforeAll(async () => {
  relayed = await startRelayedServer({ RATE_LIMIT: 10_000 });
  const { token = '', workspaceId } = relayed.server.admin;
  const { bots } = await new Client({ apiUrl: relayed.directUrl, token, workspaceId }).listBots({});
  botId = bots[0]?.id ?? '';
});
afterAll(() => relayed.close());

/** A text for each field: valid as an id, and not the id of anything. */
const input = new Proxy({}, { get: () => 'x', has: () => true });

const clients = {
  admin: admin.Client,
  billing: billing.Client,
  files: files.Client,
  runtime: runtime.Client,
  tables: tables.Client,
};
type ClientName = keyof typeof clients;

/** The methods of a generated client. */
const methodsOf = (name: ClientName): string[] =>
  Object.entries(new clients[name]({ token: 'x', botId: 'x', workspaceId: 'x' })).flatMap(
    ([method, value]) => (typeof value === 'function' && method !== 'axiosInstance' ? [method] : []),
  );
const methods = (Object.keys(clients) as ClientName[]).flatMap((name) =>
  methodsOf(name).map((method) => [name, method] as const),
);

/** The client has no class for 501, and keeps the message. */
const notOfferedMessage = / are not part of this server\. .*\(Type: NotImplemented, Code: 501\)$/;

test('the client has as many methods as when this test was written', () => {
  expect(methods.length).toBe(213);
});

test.each(methods)('%s: %s is an operation, or is answered with the alternative', async (api, method) => {
  const { token = '', workspaceId } = relayed.server.admin;
  const client = new clients[api]({ apiUrl: relayed.directUrl, token, workspaceId, botId });
  const call = (client as unknown as Record<string, (input: object) => Promise<unknown>>)[method];
  const result = await call?.call(client, input).catch((reason: unknown) => errorFrom(reason));
  const isNotOffered = notOfferedMessage.test(String((result as Error | undefined)?.message));
  const hasName = apis.some(
    ({ name, operations }) => name === api && operations.some((operation) => operation.name === method),
  );
  if (hasName) expect(isNotOffered).toBe(false);
  if (isNotOffered || !(result instanceof Error)) return;
  // An operation that another name of this server has, too.
  expect(isApiError(result) && [400, 403, 404].includes(result.code), result.message).toBe(true);
  expect(result.message).not.toContain('There is nothing at this address');
});

test('the 501 is an error of five fields, with and without a token, for every method and below every path', async () => {
  for (const [method = '', path = ''] of [
    ['GET', '/v1/admin/integrations'],
    ['POST', '/v1/admin/integrations/a/b/c?x=1'],
    ['PATCH', '/v1/admin/plugins/__proto__'],
    ['DELETE', `/v1/admin/hub/interfaces/${'x'.repeat(5_000)}`],
    ['GET', '/v2/billing/plans/%00'],
    ['POST', '/v1/chat/workflows/get-or-create'],
    ['POST', '/v1/chat/messages/import-messages'],
    ['GET', '/v1/admin/workspaces/public'],
  ]) {
    const answer = await relayed.server.fetch(path, { method });
    const body = (await answer.json()) as Record<string, unknown>;
    expect([path, answer.status, Object.keys(body).sort()]).toEqual([
      path,
      501,
      ['code', 'id', 'message', 'metadata', 'type'],
    ]);
    expect([body.code, body.type]).toEqual([501, 'NotImplemented']);
    expect(body.message).toContain((body.metadata as { alternative: string }).alternative);
    expect(typedError(501, body)).toBeInstanceOf(NotImplementedError);
  }
});

test('every alternative that names an operation of this server names one that exists', () => {
  const named = notOffered.flatMap(({ alternative }) => [
    ...alternative.matchAll(/(GET|POST|PUT|DELETE) (\/v1\/[\w/{}-]+)/g),
  ]);
  expect(named.length).toBeGreaterThan(5);
  const served = apis.flatMap(({ base, operations }) =>
    operations.map(({ method, path }) => `${method} ${base}${path}`),
  );
  for (const [route] of named) expect(served).toContain(route);
});
