// Calls every method of the hosted product's own client: each is an operation of this server, or answered with 501 and the
// alternative.
import { admin, billing, errorFrom, files, isApiError, tables, UnknownError } from '@botpress/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apis } from '../../protocol/operations/apis.ts';
import { notOffered } from '../../protocol/operations/not-offered.ts';
import { NotImplementedError, typedError } from '../core/api-errors.ts';
import { startWiredServer, type WiredServer } from '../testing.ts';

let wired: WiredServer;
beforeAll(async () => {
  wired = await startWiredServer({ rateLimit: 10_000 });
});
afterAll(() => wired.close());

/** A text for each field: valid as an id, and not the id of anything. */
const input = new Proxy({}, { get: () => 'x', has: () => true });

/** The names of the methods of a generated client. */
const operationsOf = (client: object): string[] =>
  Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'function' && name !== 'axiosInstance' ? [name] : [],
  );

const clients = { admin: admin.Client, billing: billing.Client, files: files.Client, tables: tables.Client };
const names = Object.entries(clients).map(
  ([api, Client]) => [api, operationsOf(new Client({ token: 'x', botId: 'x', workspaceId: 'x' }))] as const,
);

describe.each(names)('%s', (api, operations) => {
  test.each(operations)(
    '%s is an operation of this server, or is answered with an alternative',
    async (name) => {
      const { workspaceId, token = '' } = wired.server.admin;
      const Client = clients[api as keyof typeof clients];
      const client = new Client({ apiUrl: wired.directUrl, token, workspaceId, botId: 'x' });
      const call = (client as unknown as Record<string, (given: object) => Promise<unknown>>)[name];
      const error = await call?.call(client, input).then(
        () => undefined,
        (reason: unknown) => errorFrom(reason),
      );
      if (error === undefined) return;
      expect(isApiError(error)).toBe(true);
      expect(error.message).not.toContain('There is nothing at this address');
      expect(error.type).not.toBe('MethodNotFound');
      if (error instanceof UnknownError) {
        // The hosted client has no class for 501, and keeps the message.
        expect(error.message).toMatch(
          / are not part of this server\. .*\(Type: NotImplemented, Code: 501\)$/,
        );
      }
    },
  );
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
    const answer = await wired.server.fetch(path, { method });
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
