// Tests that a data folder of each released version opens in this version, which returns every response that the
// released version recorded.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pollOptions, startTestServer, type TestServer } from '../testing.ts';
import { releasedVersions, unpackDataFolder } from './data-folders.testing.ts';
import { checkBotsOfRows } from './rows-of-bots.testing.ts';

/** The content of the file that scripts/data-fixture.mjs wrote into the folder. */
interface Recorded {
  /** The time when it was written, which is the clock of the test because invitations and links expire. */
  at: number;
  userKeySecret: string;
  adminToken: string;
  remoteId: string;
  headers: Record<'owner' | 'platform', Record<string, string>>;
  /** User keys. */
  visitors: { ada: string; caller: string };
  recorded: {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: unknown;
    answer?: unknown;
    text?: string;
  }[];
}

let folder: string;
let recorded: Recorded;
let server: TestServer;
let receiver: Server | undefined;
/** Lets the bot respond. */
let release: () => void;

async function open(version: string): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'webchat-data-'));
  unpackDataFolder(version, folder);
  recorded = JSON.parse(await readFile(join(folder, 'recorded.json'), 'utf8'));
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server = await startTestServer(
    {
      secret: recorded.userKeySecret,
      ADMIN_TOKEN: recorded.adminToken,
      now: () => recorded.at,
      WEBHOOK_PRIVATE: 'allow',
      async handler(event, bot) {
        await released;
        if (event.type === 'text') await bot.reply({ type: 'text', text: `Answered: ${event.preview}` });
      },
    },
    folder,
  );
}

const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  server.fetch(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/**
 * Replaces the differing parts: the address of the server, signatures of links, times of the deployment, texts of the
 * bot log.
 */
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1:\d+)(?=[/"])/g, 'http://server')
      .replaceAll(/\/content\/[^/"]+\//g, '/content/TOKEN/')
      .replaceAll(/"deployedAt":"[^"]*"/g, '"deployedAt":""')
      .replaceAll(/"message":"[^"]*(?:status \d|dead letters)[^"]*"/g, '"message":""'),
  );

describe.each(releasedVersions)('version %s', (version) => {
  beforeEach(() => open(version));
  afterEach(async () => {
    release();
    await server.close();
    receiver?.close();
    receiver = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  test(`this version returns every response that version ${version} recorded`, async () => {
    expect(recorded.recorded.length).toBeGreaterThan(45);
    for (const { method, path, headers, body, answer, text } of recorded.recorded) {
      const response = await call(method, path, headers, body);
      // Later versions may add fields and features.
      if (text !== undefined) expect.soft(await response.text(), path).toBe(text);
      else {
        const expected = comparable(answer) as { features?: string[]; limits?: { messageBytes: unknown } };
        // A message can be larger since then, and never smaller.
        const { messageBytes } = expected.limits ?? {};
        if (expected.limits) {
          expected.limits.messageBytes = expect.toSatisfy((bytes: number) => bytes >= Number(messageBytes));
        }
        if (expected.features) expected.features = expect.arrayContaining(expected.features);
        expect.soft(comparable(await response.json()), path).toMatchObject(expected);
      }
    }
  });

  test(`the rows of conversations in a folder of version ${version} have their bot`, async () => {
    const counts = await server.db.read((tx) =>
      tx.get('SELECT COUNT(*) > 0 AS "any", COUNT(bot_id) = COUNT(*) AS "all" FROM messages'),
    );
    expect(counts).toEqual({ any: 1, all: 1 });
    await checkBotsOfRows(server.db);
  });

  test(`events that were pending in a folder of version ${version} are delivered`, async () => {
    const { ada, caller } = recorded.visitors;
    release();
    const texts = async () =>
      JSON.stringify((await server.call('GET', '/conversations/held-1/messages', { key: ada })).body);
    await expect.poll(texts, pollOptions).toContain('Answered: hold');

    const previews: string[] = [];
    receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        previews.push(JSON.parse(text).event.preview);
        response.end();
      });
    });
    await new Promise<void>((done) => receiver?.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const { owner } = recorded.headers;
    const deployment = `/v1/admin/bots/${recorded.remoteId}/deployment`;
    expect((await call('PUT', deployment, owner, { webhookUrl: url })).status).toBe(200);
    server = await server.restart({ now: () => recorded.at + 60 * 60 * 1000 });
    await expect.poll(() => previews, pollOptions).toEqual(['later']);
    const messages = await call('GET', '/chat/remote/conversations/calls-1/messages', {
      'x-user-key': caller,
    });
    expect(JSON.stringify(await messages.json())).toContain('refused');
  });

  test(`data in a folder of version ${version} can be changed and deleted`, async () => {
    const { ada } = recorded.visitors;
    const { owner, platform } = recorded.headers;
    const sent = await server.sendMessage(ada, 'support-1', 'Hello from later');
    expect(sent).toMatch(/^msg_/);
    const row = { rows: [{ sku: 'sku-later', price: 1 }] };
    expect((await call('POST', '/v1/tables/productTable/rows', platform, row)).status).toBe(200);
    expect((await call('DELETE', `/v1/admin/bots/${recorded.remoteId}`, owner)).status).toBe(200);
    expect((await server.call('DELETE', '/users/me', { key: ada })).status).toBe(200);
    await server.composition.cleanUp();
    expect((await server.call('GET', '/users/me', { key: ada })).status).toBe(401);
    expect((await call('GET', '/chat/remote/webchat', {})).status).toBe(404);
  });
});
