// Tests of the disk reserve: writes of visitors and uploads are rejected before it is used up, and all else works.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { NewFile } from '../../protocol/types/chat.ts';
import { startFilesFixture } from '../files/testing.ts';
import { createLogger } from '../startup/log.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { createFreeDisk } from './free-disk.ts';

const reserve = 500_000_000;
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A disk with the given free bytes, and a clock for its measurements. */
function fakeDisk(free: number) {
  const disk = { free, looks: 0, time: 0 };
  const options = {
    statfs: async () => {
      disk.looks += 1;
      return { bavail: disk.free / 1_000, bsize: 1_000 };
    },
    elapsed: () => disk.time,
  };
  /** Sets the result of the next measurement. */
  const set = (bytes: number) => {
    disk.free = bytes;
    disk.time += 5_000;
  };
  return { disk, options, set };
}

describe('free disk', () => {
  const log: { level: number }[] = [];
  const logger = createLogger('info', { write: (line) => log.push(JSON.parse(line)) });

  test('is measured at most every five seconds, and sooner after 16 MB', async () => {
    const { disk, options } = fakeDisk(10 * reserve);
    const free = createFreeDisk({ folder: '/', reserve, logger, ...options });
    for (let n = 0; n < 100; n += 1) await free.reserve(0);
    expect(disk.looks).toBe(1);
    disk.time += 5_000;
    await Promise.all([free.reserve(0), free.reserve(0)]);
    expect(disk.looks).toBe(2);
    for (let n = 0; n < 20; n += 1) await free.reserve(1_000_000);
    expect(disk.looks).toBe(3);
  });

  test('counts the bytes that all uploads reserved since the last measurement', async () => {
    const { options } = fakeDisk(reserve + 3_000_000);
    const free = createFreeDisk({ folder: '/', reserve, logger, ...options });
    const taken = await Promise.allSettled(Array.from({ length: 5 }, () => free.reserve(1_000_000)));
    expect(taken.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });

  test('logs one warning when it is low, and one message when it has recovered', async () => {
    log.length = 0;
    const { options, set } = fakeDisk(reserve - 1_000);
    const free = createFreeDisk({ folder: '/', reserve, logger, ...options });
    for (let n = 0; n < 3; n += 1) await expect(free.reserve(0)).rejects.toMatchObject({ code: 507 });
    set(10 * reserve);
    for (let n = 0; n < 3; n += 1) await free.reserve(0);
    expect(log.map(({ level }) => level)).toEqual([40, 30]);
  });

  test('a file system that cannot be measured rejects no write', async () => {
    log.length = 0;
    const statfs = () => Promise.reject(new Error('ENOSYS'));
    const free = createFreeDisk({ folder: '/', reserve, logger, statfs, elapsed: () => 0 });
    await free.reserve(1_000_000);
    await free.reserve(100_000_000);
    expect(log.map(({ level }) => level)).toEqual([40]);
  });

  test('measures the real disk', async () => {
    await createFreeDisk({ folder: '/', reserve: 1, logger }).reserve(0);
    const everything = createFreeDisk({ folder: '/', reserve: Number.MAX_SAFE_INTEGER, logger });
    await expect(everything.reserve(0)).rejects.toMatchObject({ type: 'InsufficientStorage' });
  });
});

test('free disk: below the reserve visitors cannot write, but can read, listen and delete', async () => {
  const { options, set } = fakeDisk(10 * reserve);
  const server = await startTestServer({ DISK_RESERVE_BYTES: reserve, disk: options });
  servers.push(server);
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  const messageId = await server.sendMessage(key, conversationId, 'before');
  set(reserve - 1_000);
  const message = { conversationId, payload: { type: 'text', text: 'during' } };
  const writes: [string, string, object][] = [
    ['POST', '/messages', message],
    ['POST', '/events', { conversationId, payload: {} }],
    ['POST', '/users', {}],
    ['POST', '/users/get-or-create', {}],
    ['POST', '/conversations', {}],
    ['POST', '/files', { key: 'a', size: 1 }],
    ['PUT', '/users/me', { name: 'A' }],
  ];
  for (const [method, path, body] of writes) {
    const response = await server.call(method, path, { key, body });
    expect([response.status, response.body.type, response.headers.get('retry-after')], path).toEqual([
      507,
      'InsufficientStorage',
      '60',
    ]);
  }
  expect((await server.call('GET', '/users/me', { key })).status).toBe(200);
  expect(
    (await server.call('POST', `/conversations/${conversationId}/typing`, { key, body: { typing: true } }))
      .status,
  ).toBe(200);
  const stream = await server.listen(key, conversationId, 0);
  expect((await server.call('DELETE', `/messages/${messageId}`, { key })).status).toBe(200);
  await stream.untilType('message_deleted');
  await stream.cancel();
  // The administrator frees space.
  const admin = {
    authorization: `Bearer ${server.admin.token}`,
    'x-workspace-id': server.admin.workspaceId,
    'content-type': 'application/json',
  };
  const init = { method: 'POST', headers: admin, body: JSON.stringify({ name: 'B' }) };
  expect((await server.fetch('/v1/admin/bots', init)).status).toBe(200);
  set(10 * reserve);
  expect((await server.call('POST', '/messages', { key, body: message })).status).toBe(201);
});

test('free disk: a bot can answer below the reserve', async () => {
  const { options, set } = fakeDisk(10 * reserve);
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const server = await startTestServer({
    DISK_RESERVE_BYTES: reserve,
    disk: options,
    async handler(_, bot) {
      await isAsked;
      await bot.reply({ type: 'text', text: 'Welcome' });
    },
  });
  servers.push(server);
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  set(reserve - 1_000);
  const stream = await server.listen(key, conversationId, 0);
  answer();
  await stream.untilType('message_created');
  await stream.cancel();
});

test('free disk: an upload stops at the reserve, and can be resumed when space is free', async () => {
  const { options, disk, set } = fakeDisk(reserve + 100_000);
  const server = await startTestServer({ DISK_RESERVE_BYTES: reserve, disk: options });
  servers.push(server);
  const { key } = await server.user();
  const { body } = await server.call('POST', '/files', { key, body: { key: 'a.bin', size: 1_000_000 } });
  const file = body.file as NewFile;
  const path = new URL(file.uploadUrl).pathname;
  const piece = new Uint8Array(50_000);
  let pulls = 0;
  const pieces = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls += 1;
        if (pulls > 20) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  const refused = await server.fetch(path, { method: 'PUT', body: pieces, duplex: 'half' } as RequestInit);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([507, '60']);
  expect(refused.headers.get('upload-offset')).toBe('100000');
  expect((await stat(join(server.home, 'files', file.id))).size).toBe(100_000);
  expect(pulls).toBeLessThan(6);
  // While the disk is full, a restarted upload does not discard the stored bytes.
  disk.free = reserve;
  disk.time += 5_000;
  const patch = (bytes: Uint8Array, offset: number) =>
    server.fetch(path, {
      method: 'PATCH',
      body: bytes,
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    } as RequestInit);
  expect((await patch(new Uint8Array(900_000), 100_000)).status).toBe(507);
  expect((await server.fetch(path, { method: 'HEAD' })).headers.get('upload-offset')).toBe('100000');
  set(10 * reserve);
  expect((await patch(new Uint8Array(900_000), 100_000)).status).toBe(204);
  const stored = await server.fetch(new URL(file.url).pathname);
  expect([stored.status, (await stored.arrayBuffer()).byteLength]).toEqual([200, 1_000_000]);
});

test('free disk: an upload of the Files API is rejected below the reserve', async () => {
  const { options, set } = fakeDisk(10 * reserve);
  const fixture = await startFilesFixture({ DISK_RESERVE_BYTES: reserve, disk: options });
  servers.push(fixture.server);
  await fixture.put('bot', 'before.txt', 'Hello');
  const { body } = await fixture.call('bot', 'PUT', '', { key: 'during.txt', size: 5 });
  const path = new URL(body.file?.uploadUrl ?? '').pathname;
  const send = () => fixture.server.fetch(path, { method: 'PUT', body: 'Hello' });
  set(reserve);
  expect((await send()).status).toBe(507);
  set(10 * reserve);
  expect((await send()).status).toBe(204);
});
