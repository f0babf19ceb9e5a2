// Tests that a stored configuration, which can have 50 MB, is read only where it is needed and once per version.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requesterFor, type SendRequest } from '../admin/testing.ts';
import { base, recordStatements, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let statements: string[];
let token: string;
let botId: string;
const stylesheet = `/*${'x'.repeat(1_200_000)}*/`;

beforeEach(async () => {
  server = await startTestServer({ configuration: { botName: 'File' } });
  await mkdir(join(server.home, 'dist', 'webchat'), { recursive: true });
  await writeFile(join(server.home, 'dist', 'webchat', 'webchat.js'), 'start(`%WEBCHAT_BOOT%`)');
  token = server.admin.token ?? '';
  botId = (await admin('GET', '/bots')).body.bots[0].id;
});
afterEach(() => server.close());

const admin: SendRequest = (...given) => requesterFor(server, token, server.admin.workspaceId)(...given);
const store = (configuration: object) => admin('PUT', `/bots/${botId}/webchat`, { configuration });
/** The body of a public address of the default bot. */
const text = async (path: string, at = base) => (await server.fetch(at + path)).text();
/** Statements since the last call that read the configuration or its table. */
const reads = () =>
  statements.splice(0).filter((sql) => /^SELECT (?!version FROM).*\bbot_configurations\b/s.test(sql)).length;
const size = async (path: string, init?: RequestInit) =>
  (await (await server.fetch(path, init)).arrayBuffer()).byteLength;

describe('large configuration', () => {
  beforeEach(async () => {
    expect((await store({ additionalStylesheet: stylesheet })).status).toBe(200);
    statements = recordStatements(server.db);
  });

  test('is not read by requests of visitors, rejected requests, or other operations of administrators', async () => {
    const { key, id } = await server.user();
    const conversationId = await server.conversation(key);
    const message = await server.sendMessage(key, conversationId, 'Hello');
    const stream = await server.listen(key, conversationId);
    for (const [method, path, body] of [
      ['GET', '/users/me'],
      ['GET', '/conversations'],
      ['GET', `/conversations/${conversationId}/messages`],
      ['GET', `/messages/${message}`],
      ['PUT', `/messages/${message}/feedback`, { value: 'positive' }],
      ['POST', `/conversations/${conversationId}/typing`, { typing: true }],
      ['POST', '/events', { conversationId, payload: {} }],
      ['GET', '/hello'],
      ['GET', '/openapi.json'],
      ['GET', '/nothing'],
      ['GET', '/files/x/y'],
      ['PUT', '/uploads/x'],
      ['DELETE', `/conversations/${conversationId}`],
    ] as const) {
      await server.fetch(base + path, {
        method,
        headers: { 'x-user-key': key, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    }
    await stream.cancel();
    await server.call('GET', '/users/me', { key: 'wrong' });
    await server.call('GET', '/users/me', { key: server.sign(`${id}x`) });
    for (const path of ['/chat/none/webchat', '/chat/none/webchat.js', '/v1/openapi.json', '/v1/admin/none'])
      await server.fetch(path);
    for (const path of ['', `/${botId}`, `/${botId}/snippet`, '/none/webchat'])
      await admin('GET', `/bots${path}`);
    expect(statements.length).toBeGreaterThan(50);
    expect(reads()).toBe(0);
    // No column of `bots` has it either.
    const [bot] = await server.db.read((tx) => tx.all<object>('SELECT * FROM bots'));
    expect(JSON.stringify(bot).length).toBeLessThan(1_000);
  });

  test('is read once for a hundred sequential or concurrent requests of GET /webchat', async () => {
    const sizes = await Promise.all(Array.from({ length: 20 }, () => size(`${base}/webchat`)));
    expect(Math.min(...sizes)).toBeGreaterThan(1_200_000);
    for (let n = 0; n < 80; n += 1) {
      const response = await server.fetch(`${base}/webchat`);
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
    expect(reads()).toBe(1);
  });

  test('is read once for the script, the page, GET /webchat and the limits of all files together', async () => {
    const { key } = await server.user();
    const body = { key: 'a.txt', size: 1 };
    expect(await size(`${base}/webchat.js`)).toBeGreaterThan(1_200_000);
    const page = await server.fetch(`${base}/page`);
    expect(await page.text()).toContain('<title>File</title>');
    for (let n = 0; n < 10; n += 1) {
      expect((await server.call('POST', '/files', { key, body })).status).toBe(201);
      for (const path of ['webchat', 'webchat.js', 'page'])
        await (await server.fetch(`${base}/${path}`)).body?.cancel();
    }
    expect(reads()).toBe(1);
  });

  test('is read once for each type of embed code', async () => {
    const request = async (query: string) => (await admin('GET', `/bots/${botId}/webchat${query}`)).body;
    for (let n = 0; n < 3; n += 1) {
      expect(Object.keys(await request(''))).toEqual(['configuration']);
      expect((await request('?type=sharableUrl')).code).toMatch(/\/page$/);
      expect((await request('?type=sharableUrl')).configuration.additionalStylesheet).toBe(stylesheet);
    }
    // The response to the write was the configuration without code.
    expect(reads()).toBe(1);
  });

  test('is sent in chunks, so that a slow reader does not hold a copy', async () => {
    const reader = (await server.fetch(`${base}/webchat`)).body?.getReader();
    expect((await reader?.read())?.value?.byteLength).toBe(65_536);
    await reader?.cancel();
    const head = await server.fetch(`${base}/webchat`, { method: 'HEAD' });
    const length = Number(head.headers.get('content-length'));
    expect([head.status, length]).toEqual([200, await size(`${base}/webchat`)]);
  });
});

describe('changed configuration', () => {
  const botName = async (at = base) => JSON.parse(await text('/webchat', at)).configuration.botName;

  test('is returned by the next request of every operation, also under concurrent requests', async () => {
    for (let n = 0; n < 10; n += 1) {
      const before = Promise.all(Array.from({ length: 5 }, botName));
      await store({ botName: `Bot ${n}` });
      expect(await botName()).toBe(`Bot ${n}`);
      expect(await text('/webchat.js')).toContain(`Bot ${n}`);
      expect(await text('/page')).toContain(`<title>Bot ${n}</title>`);
      await before;
    }
    await store({});
    expect(await botName()).toBe('File');
  });

  test('has another ETag; a matching ETag is answered with 304 by GET /webchat, the script and the page', async () => {
    for (const path of ['/webchat', '/webchat.js', '/page']) {
      await store({ botName: 'One' });
      const etag = (await server.fetch(base + path)).headers.get('etag') ?? '';
      const again = () => server.fetch(base + path, { headers: { 'if-none-match': etag } });
      const same = await again();
      expect([path, same.status, await same.text()]).toEqual([path, 304, '']);
      await store({ botName: 'Two' });
      expect([path, (await again()).status]).toEqual([path, 200]);
    }
  });

  test('survives a restart; renaming the bot changes the page as well', async () => {
    await store({ botName: 'Kept' });
    server = await server.restart({ configuration: undefined });
    expect(await botName()).toBe('Kept');
    await store({});
    await admin('PUT', `/bots/${botId}`, { name: 'Renamed' });
    expect(await text('/page')).toContain('<title>Renamed</title>');
  });

  test('without a name has the name of the bot, also after it was renamed, but no generated name and no address', async () => {
    server = await server.restart({ configuration: undefined });
    expect(await botName()).toBeUndefined();
    const { bot } = (await admin('POST', '/bots', { name: 'Help desk', webhookId: 'help' })).body;
    expect(await botName('/chat/help')).toBe('Help desk');
    await admin('PUT', `/bots/${bot.id}`, { name: 'Renamed' });
    expect(await botName('/chat/help')).toBe('Renamed');
    await admin('PUT', `/bots/${bot.id}/webchat`, { configuration: { botName: 'Shown' } });
    expect(await botName('/chat/help')).toBe('Shown');
    await admin('POST', '/bots', { webhookId: 'unnamed' });
    expect(await botName('/chat/unnamed')).toBeUndefined();
  });

  test('of one bot does not affect another', async () => {
    const { bot } = (await admin('POST', '/bots', { name: 'Second', webhookId: 'second' })).body;
    const first = await text('/webchat', '/chat/second');
    await store({ botName: 'Other' });
    expect(await text('/webchat', '/chat/second')).toBe(first);
    botId = bot.id;
    await store({ botName: 'canary' });
    expect(await text('/webchat', '/chat/second')).toContain('canary');
    // Its row is deleted with the bot.
    await admin('DELETE', `/bots/${botId}`);
    expect((await server.fetch('/chat/second/webchat')).status).toBe(404);
    const rows = await server.db.read((tx) => tx.all('SELECT bot_id FROM bot_configurations'));
    expect(JSON.stringify(rows)).not.toContain(botId);
  });
});
