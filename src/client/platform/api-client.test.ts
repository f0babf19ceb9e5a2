// Tests the methods and lists that are made of tables: changing, repeating or invalid pages do not break an iteration.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Bot } from '../../protocol/types/bots.ts';
import { AdminClient, Client, FilesClient, NetworkError, RuntimeClient, TablesClient } from '../index.ts';
import { adminApi } from '../operations/admin.ts';
import { filesApi } from '../operations/files.ts';
import { runtimeApi } from '../operations/runtime.ts';
import { tablesApi } from '../operations/tables.ts';

let answer: (nextToken: string | null, url: URL) => unknown = () => ({});
let tokens: (string | null)[] = [];
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://x');
  const nextToken = url.searchParams.get('nextToken');
  tokens.push(nextToken);
  const body = answer(nextToken, url);
  response.writeHead(body === undefined ? 503 : 200).end(JSON.stringify(body) ?? '');
});
let client: Client;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new Client({
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 't',
    workspaceId: 'w',
    retry: { delayMs: () => 0 },
  });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  tokens = [];
});

const bot = (id: string) => ({ id }) as Bot;
const ids = (bots: Bot[]) => bots.map(({ id }) => id);
/** Pages by their tokens; the token of the first one is ''. */
const pages = (table: Record<string, [ids: string[], next?: string]>) => {
  answer = (nextToken) => {
    const [items = [], next] = table[nextToken ?? ''] ?? [];
    return { bots: items.map(bot), meta: next === undefined ? {} : { nextToken: next } };
  };
};

describe('an iteration', () => {
  test('fetches all pages, also empty ones with a token, and no page too many', async () => {
    pages({ '': [[], 'a'], a: [['1', '2'], 'b=&c'], 'b=&c': [[], 'd'], d: [['3']] });
    expect(ids(await client.list.bots().collect())).toEqual(['1', '2', '3']);
    expect(tokens).toEqual([null, 'a', 'b=&c', 'd']);
    tokens = [];
    expect(ids(await client.list.bots().collect({ limit: 2 }))).toEqual(['1', '2']);
    expect(tokens).toEqual([null, 'a']);
    const seen: string[] = [];
    for await (const { id } of client.list.bots()) seen.push(id);
    expect(seen).toEqual(['1', '2', '3']);
  });

  test('waits for a slow page, and returns no item twice', async () => {
    let failures = 0;
    answer = (nextToken) => {
      if (nextToken && failures++ < 2) return undefined;
      return nextToken ? { bots: [bot('2')], meta: {} } : { bots: [bot('1')], meta: { nextToken: 'a' } };
    };
    expect(ids(await client.list.bots().collect())).toEqual(['1', '2']);
    expect(tokens).toEqual([null, 'a', 'a', 'a']);
  });

  test('a list that refers to itself ends', async () => {
    pages({ '': [['1'], 'a'], a: [['2'], 'a'] });
    await expect(client.list.bots().collect()).rejects.toThrow(new NetworkError('The list leads to itself.'));
    expect(tokens).toEqual([null, 'a']);
  });

  test.each<[string, unknown]>([
    ['without the list', { meta: {} }],
    ['with another thing in its place', { bots: { 0: bot('1') }, meta: {} }],
  ])('a response %s is invalid', async (_, body) => {
    answer = () => body;
    await expect(client.list.bots().collect()).rejects.toBeInstanceOf(NetworkError);
  });

  test('a response without meta is the last page', async () => {
    answer = () => ({ bots: [bot('1')] });
    expect(ids(await client.list.bots().collect())).toEqual(['1']);
  });

  test('if aborted, it ends with the reason', async () => {
    pages({ '': [['1'], 'a'], a: [['2']] });
    const controller = new AbortController();
    const reason = new Error('left');
    const collectPages = async () => {
      for await (const _ of client.list.bots({}, { signal: controller.signal })) controller.abort(reason);
    };
    await expect(collectPages()).rejects.toBe(reason);
    expect(tokens).toEqual([null]);
  });

  test('an input with a page token is refused without a request', () => {
    const input = { nextToken: 'mine' } as object;
    expect(() => client.list.bots(input)).toThrow(/^listBots: the iteration sets nextToken/);
    expect(tokens).toEqual([]);
  });
});

test('methods need no `this`', async () => {
  answer = () => ({ bot: bot('1') });
  const { getBot } = client;
  expect(await getBot({ id: '1' })).toEqual({ bot: bot('1') });
});

const apis = [adminApi, filesApi, tablesApi, runtimeApi];

test('no operation name is in two APIs, and each list is an operation', () => {
  const names = apis.flatMap(({ routes }) => Object.keys(routes));
  expect(new Set(names).size).toBe(names.length);
  for (const { routes, lists } of apis) {
    const listing = Object.keys(routes).filter((name) => name.startsWith('list'));
    expect(Object.keys(lists).sort()).toEqual(listing.sort());
  }
  const everything = Object.keys(client);
  expect(everything).toEqual(expect.arrayContaining(names));
});

test('the client of an API has only that API', () => {
  const options = { apiUrl: 'https://api.test', token: 't' };
  const methodsOf = (one: object) =>
    Object.entries(one)
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => name);
  expect(methodsOf(new AdminClient(options))).toEqual(Object.keys(adminApi.routes));
  expect(methodsOf(new FilesClient(options))).toEqual(Object.keys(filesApi.routes));
  expect(methodsOf(new RuntimeClient(options))).toEqual(Object.keys(runtimeApi.routes));
  expect(methodsOf(new TablesClient(options))).toEqual(Object.keys(tablesApi.routes));
});
