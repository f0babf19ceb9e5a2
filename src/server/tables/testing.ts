// The fixture for tests of the Tables API: a server with two bots, and a function that calls the API as a bot.
import { expect } from 'vitest';
import { createBot } from '../admin/first-start.ts';
import { issueToken } from '../auth/tokens.ts';
import { listBots } from '../storage/bots/bots.ts';
import { pollOptions, startTestServer, type TestOptions, type TestServer } from '../testing.ts';

export interface TableResponse {
  status: number;
  // Tests read response bodies without declared types.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  body: any;
}

export interface TablesFixture {
  server: TestServer;
  botId: string;
  /** Calls the API as the bot; with `as` as another one. */
  call(method: string, path: string, body?: unknown, as?: Record<string, string>): Promise<TableResponse>;
  /** Creates a table and returns its name. */
  table(schema: Record<string, unknown>, fields?: Record<string, unknown>): Promise<string>;
  add(table: string, rows: unknown[]): Promise<TableResponse>;
  find(table: string, query?: unknown): Promise<TableResponse>;
  /** Imports a file into a table. Returns the warnings of the job when it has ended, and the rows of the table. */
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  imported(table: string, key: string, bytes: Uint8Array, type?: string): Promise<{ job: any; rows: any[] }>;
  /** The headers of the bot, and of the other one. */
  own: Record<string, string>;
  other: Record<string, string>;
  /** Returns the fixture after a restart. */
  restart(options?: TestOptions): Promise<TablesFixture>;
}

/** `running`: the server, by default a new one. */
export async function createTablesFixture(
  options: TestOptions = {},
  running?: TestServer,
): Promise<TablesFixture> {
  const server = running ?? (await startTestServer(options));
  const workspaceId = server.composition.workspaceId;
  const headers = await server.db.write(async (tx) => {
    const [own] = await listBots(tx, workspaceId, undefined, 1);
    const sibling = await createBot(tx, { workspaceId, webhookId: 'sibling', name: 'sibling', now: 1 });
    const headersFor = async (botId: string) => {
      const row = {
        workspaceId,
        kind: 'bot',
        memberId: null,
        botId,
        integration: null,
        name: 'Test',
      } as const;
      const { token } = await issueToken(tx, { ...row, createdAt: 1, expiresAt: null });
      return { authorization: `Bearer ${token}`, 'x-bot-id': botId };
    };
    return { own: await headersFor(own?.id ?? ''), other: await headersFor(sibling.id) };
  });
  return fixtureOf(server, headers);
}

/** As many rows, each from its number. */
export const many = <Row>(count: number, row: (n: number) => Row): Row[] =>
  Array.from({ length: count }, (_, n) => row(n));

let tables = 0;

function fixtureOf(
  server: TestServer,
  headers: { own: Record<string, string>; other: Record<string, string> },
): TablesFixture {
  const fixture: TablesFixture = {
    server,
    botId: headers.own['x-bot-id'] ?? '',
    own: headers.own,
    other: headers.other,
    async call(method, path, body, as = headers.own) {
      const response = await server.fetch(`/v1/tables${path}`, {
        method,
        headers: { ...as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    async table(schema, fields = {}) {
      tables += 1;
      const answer = await fixture.call('POST', '', { name: `t${tables}Table`, schema, ...fields });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body.table.name;
    },
    add: (table, rows) => fixture.call('POST', `/${table}/rows`, { rows }),
    find: (table, query = {}) => fixture.call('POST', `/${table}/rows/find`, query),
    async imported(table, key, bytes, contentType) {
      const announced = await server.fetch('/v1/files', {
        method: 'PUT',
        headers: { ...headers.own, 'content-type': 'application/json' },
        body: JSON.stringify({ key, size: bytes.length, contentType }),
      });
      const { file } = await announced.json();
      await server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: bytes as BodyInit });
      await fixture.call('POST', `/${table}/import`, { fileId: file.id });
      const newest = async () => (await fixture.call('GET', `/${table}/jobs`)).body.jobs[0];
      await expect.poll(async () => (await newest())?.status, pollOptions).toMatch(/^(?:completed|failed)$/);
      return { job: await newest(), rows: (await fixture.find(table)).body.rows };
    },
    restart: async (options) => fixtureOf(await server.restart(options), headers),
  };
  return fixture;
}
