// Calls each operation of the platform's APIs with its method of the client, over real HTTP: it reaches the operation, and returns
// the response. The inputs are the examples of the declarations; the rules of the operations are tested with the server.
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestData } from '../../../e2e/support/test-data/create.ts';
import { apis } from '../../protocol/operations/apis.ts';
import {
  examplesOf,
  fillExample,
  type TestData,
} from '../../protocol/operations/example-requests.testing.ts';
import type { Operation } from '../../protocol/operations/operation.ts';
import { base } from '../../server/testing.ts';
import { refusal } from '../chat/fixture.contract.ts';
import { AdminClient, Client, type ClientOptions, SessionClient } from '../index.ts';
import { adminApi } from '../operations/admin.ts';
import { filesApi } from '../operations/files.ts';
import { inboxApi } from '../operations/inbox.ts';
import { runtimeApi } from '../operations/runtime.ts';
import { tablesApi } from '../operations/tables.ts';
import { type RelayedServer, startRelayedServer } from '../testing.ts';
import type { ApiTable } from './api-client.ts';

let relayed: RelayedServer;
let data: TestData;
async function renewTestData(): Promise<void> {
  const { workspaceId, token = '' } = relayed.server.admin;
  data = await createTestData({ chatUrl: relayed.directUrl + base, admin: { workspaceId, token } });
}
beforeAll(async () => {
  relayed = await startRelayedServer({
    RATE_LIMIT: 1_000_000,
    handler: async ({ type }, bot) => {
      if (type === 'conversation_started') await bot.reply({ type: 'text', text: 'Hello' });
    },
  });
});
afterAll(() => relayed.close());

/** A client of an operator, for the first workspace and its bot; `options` override these. */
function client(options: ClientOptions = {}): Client {
  const { workspaceId, token = '' } = relayed.server.admin;
  const ids = { workspaceId, botId: data.demoBot ?? '' };
  return new Client({ apiUrl: relayed.directUrl, token, ...ids, retry: 0, ...options });
}

let count = 0;
/** A text that no other test uses. */
const fresh = (word: string) => `${word}-${++count}`;

/** As a webhook that fails causes it. */
async function createDeadLetter() {
  const eventId = fresh('evt');
  await relayed.server.db.write((tx) =>
    tx.run(
      `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, created_at, state, failed_at)
       VALUES (?, ?, ?, 1000, ?, 'conversation_started', 1, 'dead', 1)`,
      ...[eventId, data.conversation ?? '', data.demoBot ?? '', data.user ?? ''],
    ),
  );
  return { id: data.demoBot, eventId };
}

const createWorkspace = async () => {
  const { workspace } = await client().createWorkspace({ name: fresh('Away'), email: 'away@example.com' });
  return { id: workspace.id };
};

/** Fields that examples cannot have. */
const inputs: Record<string, () => object | Promise<object>> = {
  redeliverDeadLetter: createDeadLetter,
  deleteDeadLetter: createDeadLetter,
  deleteWorkspace: createWorkspace,
  // Of the bot of the visitors.
  revokeUserKeys: () => ({ id: data.demoBot }),
  deleteVisitor: () => ({ id: data.demoBot }),
};
const inputOf = async (operation: Operation): Promise<Record<string, unknown>> => ({
  ...fillExample(examplesOf(operation)[0], data),
  ...(await inputs[operation.name]?.()),
});

const placeholdersOf = (operation: Operation): string[] =>
  JSON.stringify(examplesOf(operation)[0]).match(/<<\w+>>/g) ?? [];

type Calls = Record<string, (input: object) => Promise<Record<string, unknown>>>;
type Lists = Record<string, (input: object) => { collect(): Promise<unknown[]> }>;

/** A client with the token of a member. Workspaces are deleted by operators. */
function callerOf(apiName: string, { name }: Operation) {
  const botId = (apiName === 'runtime' ? data.demoBot : data.bot) ?? '';
  const token = name === 'deleteWorkspace' ? relayed.server.admin.token : data.token;
  const made = client({ token: token ?? '', botId });
  return { calls: made as unknown as Calls, lists: made.list as unknown as Lists };
}

const tables: Record<string, ApiTable> = {
  admin: adminApi,
  files: filesApi,
  tables: tablesApi,
  runtime: runtimeApi,
  inbox: inboxApi,
};

describe.each(apis.filter(({ name }) => name in tables))('$title', (api) => {
  const { routes = {}, lists = {} } = tables[api.name] ?? {};

  const operations = api.operations.filter(({ name }) => name in routes);
  beforeAll(renewTestData);

  test('every list returns its items, and refuses a token that it did not return', async () => {
    for (const [name, key] of Object.entries(lists)) {
      const operation = operations.find((one) => one.name === name) as Operation;
      const { calls, lists: all } = callerOf(api.name, operation);
      const input = await inputOf(operation);
      const page = await calls[name]?.(input);
      expect(page, name).toEqual({ [key]: expect.any(Array), meta: expect.any(Object) });
      const items = await all[name.charAt(4).toLowerCase() + name.slice(5)]?.(input).collect();
      expect(items, name).toEqual(expect.arrayContaining(page?.[key] as unknown[]));
      const garbage = calls[name]?.({ ...input, nextToken: 'garbage' }) ?? Promise.resolve();
      expect([name, await refusal(garbage)]).toEqual([name, '400 InvalidQuery']);
    }
  });

  test.each(operations)('$name calls its operation, and returns the response', async (operation) => {
    const { name, method, path, output } = operation;
    const input = await inputOf(operation);
    const { calls } = callerOf(api.name, operation);
    relayed.requests.length = 0;
    const result = await calls[name]?.(input);
    const target = `${api.base}${path}`.replace(/\{\w+\}/g, '[^/?]+');
    expect(relayed.requests).toEqual([expect.stringMatching(new RegExp(`^${method} ${target}(?:\\?|$)`))]);
    const shape = v.safeParse(output as v.GenericSchema, result);
    expect([shape.issues, shape.output]).toEqual([undefined, result]);
    // Others may need what it has deleted.
    const later = operations.slice(operations.indexOf(operation) + 1).flatMap(placeholdersOf);
    if (method === 'DELETE' && placeholdersOf(operation).some((one) => later.includes(one)))
      await renewTestData();
  });
});

test('a client with a token and a workspace lists bots, one with a token and a bot lists files and tables', async () => {
  const { workspaceId, token = '' } = relayed.server.admin;
  const botId = data.demoBot ?? '';
  const apiUrl = relayed.directUrl;
  const admin = new Client({ apiUrl, token, workspaceId });
  const ofBot = new Client({ apiUrl, token, botId });
  const keys = ['a', 'b', 'c'].map(fresh);
  for (const key of keys) await ofBot.uploadFile({ key, content: key, tags: { made: 'one by one' } });
  const input = { tags: { made: 'one by one' }, pageSize: 2 };
  const { files, meta } = await ofBot.listFiles(input);
  expect([files.length, meta.nextToken]).toEqual([2, expect.any(String)]);
  const rest = await ofBot.listFiles({ ...input, nextToken: meta.nextToken ?? '' });
  expect([...files, ...rest.files].map(({ key }) => key)).toEqual(keys.toReversed());
  expect(rest.meta).toEqual({});
  const first = await ofBot.list.files({ ...input, pageSize: 1 }).collect({ limit: 2 });
  expect(first.map(({ key }) => key)).toEqual(keys.toReversed().slice(0, 2));
  const seen: string[] = [];
  for await (const { key } of ofBot.list.files(input)) seen.push(key);
  expect(seen).toEqual(keys.toReversed());
  expect(await ofBot.list.tables().collect()).toEqual((await ofBot.listTables()).tables);
  const bots = await admin.list.bots().collect({ limit: 1 });
  expect(bots).toEqual((await admin.listBots()).bots.slice(0, 1));
  const { bot } = await admin.getBot({ id: botId });
  for (const at of [bot.createdAt, bot.updatedAt]) expect(new Date(at).toISOString()).toBe(at);
  await expect(admin.listFiles()).rejects.toThrow('listFiles needs botId');
  await expect(ofBot.listBots()).rejects.toThrow('listBots needs workspaceId');
});

test('the token alone identifies the caller', async () => {
  const { workspaceId, token = '' } = relayed.server.admin;
  const alone = new AdminClient({ apiUrl: relayed.directUrl, token });
  expect((await alone.getCurrentToken()).token.workspaceId).toBe(workspaceId);
  expect((await alone.getAccount()).account.id).toEqual(expect.any(String));
  const { workspaces } = await alone.listWorkspaces();
  expect(workspaces.map(({ id }) => id)).toContain(workspaceId);
  expect(await alone.list.workspaces().collect()).toEqual(workspaces);
  expect(() => alone.list.bots()).not.toThrow();
  await expect(alone.list.bots().collect()).rejects.toThrow(/^listBots needs workspaceId/);
  expect(await refusal(client({ token: 'wrong' }).listBots())).toBe('401 Unauthorized');
});

test('a creating request whose response was lost is repeated, and has one effect', async () => {
  const name = fresh('Once');
  let requests = 0;
  const cutting = client({
    retry: { attempts: 1, delayMs: () => 0 },
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (requests++ === 0) throw new TypeError('cut');
      return response;
    },
  });
  const { bot } = await cutting.createBot({ name });
  const made = (await client().list.bots().collect()).filter((one) => one.name === name);
  expect([requests, made.map(({ id }) => id)]).toEqual([2, [bot.id]]);
});

test('ids with characters of addresses are one segment, and ids that would change the address are refused', async () => {
  for (const id of ['nobody', '../bots', 'a/b?c#d', 'Grüße 👍', '%2e%2e', '..\\x'])
    for (const name of ['getBot', 'getFile', 'downloadFile'] as const)
      expect([name, id, await refusal(client()[name]({ id }))]).toEqual([name, id, '404 ResourceNotFound']);
  for (const id of ['', '.', '..']) await expect(client().getBot({ id })).rejects.toThrow(TypeError);
  for (const id of ['tags', 'search', 'knowledge-bases'])
    await expect(client().getFile({ id })).rejects.toThrow(TypeError);
});

describe('the Session API', () => {
  /** A browser with a page of the server, which adds cookies and headers. */
  function openPage(): SessionClient {
    let cookie = '';
    return new SessionClient({
      apiUrl: relayed.directUrl,
      retry: 0,
      async fetch(url, init) {
        const headers = { ...init.headers, origin: new URL(url).origin, ...(cookie ? { cookie } : {}) };
        const response = await fetch(url, { ...init, headers });
        cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
        return response;
      },
    });
  }

  test('a member signs in with an invitation, then with the password that they have chosen', async () => {
    const email = `${fresh('member')}@example.com`;
    const { id } = await client().createWorkspaceMember({ email, role: 'viewer' });
    const { url = '' } = await client().createMemberLink({ id, purpose: 'invitation' });
    const token = url.split('#invitation=')[1] ?? '';
    const page = openPage();
    expect(await page.getSignInOptions()).toMatchObject({ password: true });
    expect(await refusal(page.getSession())).toBe('401 Unauthorized');
    const password = 'four words that stay together';
    const { member, session } = await page.useSignInLink({ token, password });
    expect([member.id, session.isCurrent]).toEqual([id, true]);
    const other = openPage();
    expect(await refusal(other.signInWithPassword({ email, password: 'wrong' }))).toBe('401 Unauthorized');
    const { session: second } = await other.signInWithPassword({ email, password });
    expect((await page.listSessions()).sessions.map((one) => one.id)).toEqual([second.id, session.id]);
    expect(await page.endSession({ id: second.id })).toEqual({});
    expect(await refusal(other.getSession())).toBe('401 Unauthorized');
    const changed = { currentPassword: password, password: 'four other words together' };
    expect(await page.changePassword(changed)).toEqual({});
    expect((await page.getSession()).hasPassword).toBe(true);
    // This server sends no mails, and has no other service.
    expect(await refusal(page.requestSignInLink({ email }))).toBe('403 Forbidden');
    expect(await refusal(page.startOidcSignIn())).toBe('403 Forbidden');
    expect(await refusal(page.finishOidcSignIn({ query: 'code=x&state=y' }))).toBe('403 Forbidden');
    expect(await page.signOut()).toEqual({});
    expect(await refusal(page.getSession())).toBe('401 Unauthorized');
  });
});
