// Tests that a stored configuration, which can have 1 MB, is read only where it is needed and once per version, and that larger
// ones of earlier versions are still read.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requesterFor, type SendRequest } from '../admin/testing.ts';
import { base, recordStatements, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let statements: string[];
let token: string;
let botId: string;
const stylesheet = `/*${'x'.repeat(1_000_000)}*/`;

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
    expect(Math.min(...sizes)).toBeGreaterThan(1_000_000);
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
    expect(await size(`${base}/webchat.js`)).toBeGreaterThan(1_000_000);
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
    // Once without a type, and once with the type.
    expect(reads()).toBe(2);
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

describe('configuration of more than 1 MB', () => {
  /** A field that makes the JSON of the configuration exactly as long. */
  const ofSize = (bytes: number) => {
    const free = bytes - JSON.stringify({ botName: 'Big', additionalStylesheet: '' }).length;
    return { botName: 'Big', additionalStylesheet: 'x'.repeat(free) };
  };
  const stored = async () => JSON.parse(await text('/webchat')).configuration;

  test('is refused with 413 and changes nothing; one of 1 MB is stored', async () => {
    expect((await store(ofSize(1_048_576))).status).toBe(200);
    for (const size of [1_048_577, 52_000_000]) {
      const { status, body } = await store(ofSize(size));
      expect([status, body.type, body.message]).toEqual([
        413,
        'PayloadTooLarge',
        'The configuration is larger than 1048576 bytes.',
      ]);
    }
    expect(await stored()).toEqual(ofSize(1_048_576));
  });

  test('is refused when its characters have more bytes', async () => {
    expect((await store({ additionalStylesheet: 'é'.repeat(600_000) })).status).toBe(413);
  });

  test('that an earlier version has stored in the database is returned', async () => {
    await store({ botName: 'x' });
    const json = JSON.stringify(ofSize(3_000_000));
    await server.db.write((tx) =>
      tx.run('UPDATE bot_configurations SET configuration = ?, version = version + 1', json),
    );
    expect(await stored()).toEqual(ofSize(3_000_000));
  });

  describe('that an earlier version has stored in a file', () => {
    const contentId = 'file_01JAAAAAAAAAAAAAAAAAAAAAAA';
    const files = () => readdir(join(server.home, 'files'));
    beforeEach(async () => {
      await store({});
      await server.db.write((tx) =>
        tx.run('INSERT INTO configuration_files (content_id, used_by) VALUES (?, ?)', contentId, botId),
      );
      await writeFile(join(server.home, 'files', contentId), JSON.stringify(ofSize(3_000_000)));
      server = await server.restart();
      await server.composition.cleanUp();
    });

    test('is returned by every operation that contains it', async () => {
      expect(await stored()).toEqual(ofSize(3_000_000));
      expect((await admin('GET', `/bots/${botId}/webchat`)).body.configuration).toEqual(ofSize(3_000_000));
      expect(
        (await admin('GET', `/bots/${botId}/webchat?type=preconfigured`)).body.configuration.botName,
      ).toBe('Big');
      expect(await text('/page')).toContain('<title>Big</title>');
      expect(await text('/webchat.js')).toContain('Big');
    });

    test('is removed with its file when another one is stored, or the bot is deleted', async () => {
      const { bot } = (await admin('POST', '/bots', { name: 'Second', webhookId: 'second' })).body;
      expect((await store({ botName: 'small' })).status).toBe(200);
      expect((await stored()).botName).toBe('small');
      await server.composition.cleanUp();
      expect(await files()).toEqual([]);

      await server.db.write((tx) =>
        tx.run('INSERT INTO configuration_files (content_id, used_by) VALUES (?, ?)', contentId, bot.id),
      );
      await writeFile(join(server.home, 'files', contentId), JSON.stringify(ofSize(3_000_000)));
      await admin('DELETE', `/bots/${bot.id}`);
      await server.composition.cleanUp();
      expect(await files()).toEqual([]);
    });
  });
});
