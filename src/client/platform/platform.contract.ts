// The behaviour that clients can expect of every server of the platform's APIs. Run it against a server by
// `platformContract`; each API adds its own cases (`admin.contract.ts`, …) as a row of `contracts`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, operationsOf } from '../../protocol/operations/apis.ts';
import { ApiError, Client, type ClientOptions } from '../index.ts';
import { adminApi } from '../operations/admin.ts';
import { filesApi } from '../operations/files.ts';
import { inboxApi } from '../operations/inbox.ts';
import { runtimeApi } from '../operations/runtime.ts';
import { sessionApi } from '../operations/session.ts';
import { tablesApi } from '../operations/tables.ts';
import { adminContract } from './admin.contract.ts';
import type { ApiTable } from './api-client.ts';
import { filesContract } from './files.contract.ts';
import { type PlatformContractFixture, type PlatformServer, refusal } from './fixture.contract.ts';
import { inboxContract } from './inbox.contract.ts';
import { runtimeContract } from './runtime.contract.ts';
import { sessionContract } from './session.contract.ts';
import { tablesContract } from './tables.contract.ts';

interface ApiContract {
  api: ApiTable;
  /** Its name among the declared APIs. */
  name: Api['name'];
  cases(fixture: PlatformContractFixture): void;
}

/** API -> its table, and its cases. The cases must call every operation of the table. */
const contracts: Record<string, ApiContract> = {
  Admin: { api: adminApi, name: 'admin', cases: adminContract },
  Files: { api: filesApi, name: 'files', cases: filesContract },
  Tables: { api: tablesApi, name: 'tables', cases: tablesContract },
  Runtime: { api: runtimeApi, name: 'runtime', cases: runtimeContract },
  Session: { api: sessionApi, name: 'session', cases: sessionContract },
  Inbox: { api: inboxApi, name: 'inbox', cases: inboxContract },
};

export function platformContract(name: string, makeServer: () => Promise<PlatformServer>): void {
  let server: PlatformServer;
  let count = 0;
  /** Method and path of every request. */
  const called = new Set<string>();

  const fixture: PlatformContractFixture = {
    server: () => server,
    client: (options = {}) =>
      new Client({
        apiUrl: server.apiUrl,
        token: server.token,
        workspaceId: server.workspaceId,
        botId: server.botId,
        retry: 0,
        fetch: fixture.fetch,
        ...options,
      }),
    fetch(url, init) {
      called.add(`${init.method} ${new URL(url).pathname}`);
      return server.fetch(url, init);
    },
    fresh: (word) => `${word}-${++count}`,
  };

  /** A client whose requests do not count as calls: they are the same for every operation, and not a case of it. */
  const untracked = (options: ClientOptions = {}) =>
    fixture.client({ fetch: server.fetch, ...options }) as unknown as Record<string, Call>;

  describe(`platform: ${name}`, () => {
    beforeAll(async () => {
      server = await makeServer();
    });
    afterAll(() => server.close());

    describe.each(Object.entries(contracts))('%s API', (_, { api, name: apiName, cases }) => {
      cases(fixture);

      // The Session API has no tokens: its cases refuse what is in their place.
      test.skipIf(api === sessionApi)('every operation refuses an invalid token', async () => {
        const client = untracked({ token: 'wrong' });
        // Valid apart from the token, with any id: an unauthorized caller must not learn whether it exists.
        const valid = new Map(operationsOf(apiName).map((one) => [one.name, one.examples?.[0]]));
        for (const operation of Object.keys(api.routes)) {
          const call = client[operation]?.({ ...anyIds, ...valid.get(operation) });
          expect(await refusal(call ?? Promise.resolve()), operation).toBe('401 Unauthorized');
        }
      });

      test('every list returns its items, and refuses a token that it did not return', async () => {
        const client = untracked();
        for (const [operation, key] of Object.entries(api.lists)) {
          // The path parameters of the route, and the required parameter: a list refuses all others.
          const route: string = api.routes[operation] ?? '';
          const input = Object.fromEntries([...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x']));
          Object.assign(input, required[operation]);
          const page = await client[operation]?.(input).catch((error) => error);
          // A list below a resource that does not exist.
          if (page instanceof ApiError && page.code === 404) continue;
          expect(page, operation).toEqual({ [key]: expect.any(Array), meta: expect.any(Object) });
          expect(
            await refusal(client[operation]?.({ ...input, nextToken: 'garbage' }) ?? Promise.resolve()),
          ).toBe('400 InvalidQuery');
        }
      });

      test('every operation was called', () => {
        const missed = Object.entries(api.routes).filter(([, route]) => {
          const pattern = new RegExp(`^${route.replace(/{\w+}/g, '[^/]+')}$`);
          return ![...called].some((request) => pattern.test(request));
        });
        expect(missed, 'Call each of them in a case of a contract, next to this file.').toEqual([]);
      });
    });

    test('a client with a token and a workspace lists bots, one with a token and a bot lists files and tables', async () => {
      const { apiUrl, token, workspaceId, botId, fetch } = server;
      const admin = new Client({ apiUrl, token, workspaceId, fetch });
      const ofBot = new Client({ apiUrl, token, botId, fetch });
      const keys = ['a', 'b', 'c'].map((letter) => fixture.fresh(letter));
      for (const key of keys) await ofBot.uploadFile({ key, content: key, tags: { made: 'one by one' } });
      const input = { tags: { made: 'one by one' }, pageSize: 2 };
      const { files, meta } = await ofBot.listFiles(input);
      expect([files.length, meta.nextToken]).toEqual([2, expect.any(String)]);
      const rest = await ofBot.listFiles({ ...input, nextToken: meta.nextToken ?? '' });
      expect([...files, ...rest.files].map(({ key }) => key)).toEqual([...keys].reverse());
      expect(rest.meta).toEqual({});
      const first = await ofBot.list.files({ ...input, pageSize: 1 }).collect({ limit: 2 });
      expect(first.map(({ key }) => key)).toEqual([...keys].reverse().slice(0, 2));
      const seen: string[] = [];
      for await (const { key } of ofBot.list.files(input)) seen.push(key);
      expect(seen).toEqual([...keys].reverse());
      expect(await ofBot.list.tables().collect()).toEqual((await ofBot.listTables()).tables);
      const bots = await admin.list.bots().collect({ limit: 1 });
      expect(bots).toEqual((await admin.listBots()).bots.slice(0, 1));
      expect(await admin.getBot({ id: botId })).toEqual({ bot: expect.objectContaining({ id: botId }) });
      await expect(admin.listFiles()).rejects.toThrow('listFiles needs botId');
      await expect(ofBot.listBots()).rejects.toThrow('listBots needs workspaceId');
    });

    test('an aborted call fails with the abort reason', async () => {
      const reason = new Error('left');
      const signal = AbortSignal.abort(reason);
      await expect(fixture.client().listBots({}, { signal })).rejects.toBe(reason);
    });
  });
}

/** List -> valid values of its required parameters. */
const required: Record<string, Record<string, string>> = {
  listMessages: { conversationId: 'x' },
  listEvents: { conversationId: 'x' },
  listBotApiKeys: { botId: 'x' },
  listInboxConversations: { list: 'all' },
};

/** A value for each parameter of the paths. */
const anyIds = {
  ...{
    id: 'x',
    eventId: 'x',
    noteId: 'x',
    fileId: 'x',
    partId: 'x',
    table: 'xTable',
    tag: 'x',
    idOrKey: 'x',
  },
  ...{ destinationKey: 'x', key: 'x', userId: 'x', type: 'user', name: 'x' },
};

type Call = (input: object) => Promise<unknown>;
