// Tests of a full disk: the data folder is a small file system of its own, which the tests fill.
import { open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useServerProcess } from './testing/process.testing.ts';
import { enter } from './testing/visitor.testing.ts';
import { pollOptions, readStream } from './testing.ts';

const serverProcess = useServerProcess();
const { run, bot } = serverProcess;
const megabytes = 24;

/**
 * Runs a program with a file system of a few megabytes at `folder`, which only this program and its children see, and
 * which disappears with them. Root may mount one; another user may in a user namespace of its own.
 */
const withSmallDisk = (folder: string): string[] => [
  'unshare',
  process.getuid?.() === 0 ? '-m' : '-Urm',
  'sh',
  '-c',
  `mkdir -p "$0" && mount -t tmpfs -o mode=700,size=${megabytes}m tmpfs "$0" && exec "$@"`,
  folder,
];

/** Writes until nothing fits any more. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (const size of [1_000_000, 4_096, 1]) {
      for (;;) {
        // Resolves with less, or rejects with ENOSPC.
        const { bytesWritten } = await file.write(Buffer.alloc(size)).catch(() => ({ bytesWritten: 0 }));
        if (bytesWritten < size) break;
      }
    }
  } finally {
    await file.close();
  }
}

test('full disk: writes are 503, reads and streams go on, and everything works again when there is space', async () => {
  const data = join(serverProcess.folder(), 'data');
  const env = {
    DISK_RESERVE_BYTES: '0',
    METRICS: '127.0.0.1:0',
    BOT: await bot(`export default async (event, bot) => {
      if (event.type === 'text') await bot.reply({ type: 'text', text: 'answer ' + event.preview.slice(0, 12).trim() });
    }`),
  };
  const server = await run(env, [], withSmallDisk(data));
  // It comes through another pipe than the line `ready`.
  await expect.poll(server.stderr, pollOptions).toContain('"started"');
  const metricsUrl = /"metrics":"([^"]+)"/.exec(server.stderr())?.[1] ?? '';
  const isFull = async () => /^webchat_disk_full (\d)$/m.exec(await (await fetch(metricsUrl)).text())?.[1];
  const visitor = await enter(server.url);
  const { call } = visitor;
  const stream = readStream(await visitor.listen());
  /** Texts that the server has acknowledged. */
  const stored: string[] = [];
  const send = async (name: string) => {
    const text = `${name.padEnd(12)}${'x'.repeat(60_000)}`;
    const response = await visitor.send(text);
    if (response.status === 201) stored.push(name);
    return response;
  };
  expect((await send('before')).status).toBe(201);
  await stream.until(({ data: text }) => text.includes('answer before'));
  const bytes = Buffer.alloc(3_000_000, 'file');
  const file = await visitor.announce('a.bin', bytes.length);

  // The file system of the process, seen from outside.
  const filler = join(`/proc/${server.child.pid}/root`, data, 'filler');
  await fill(filler);
  // The log of the database has room for some more writes.
  let refused: Awaited<ReturnType<typeof send>> | undefined;
  for (let n = 0; n < 500 && !refused; n += 1) {
    await fill(filler);
    const response = await send(`full ${n}`);
    if (response.status !== 201) refused = response;
  }
  expect(refused?.status).toBe(503);
  expect(refused?.headers.get('retry-after')).toBe('30');
  expect(Object.keys(refused?.body).sort()).toEqual(['code', 'id', 'message', 'metadata', 'type']);
  expect(refused?.body).toMatchObject({
    code: 503,
    type: 'InsufficientStorage',
    metadata: { retryAfter: 30 },
  });
  expect(await isFull()).toBe('1');

  const put = await fetch(file.uploadUrl, { method: 'PUT', body: bytes });
  expect([put.status, put.headers.get('retry-after')]).toEqual([503, '30']);
  const offset = Number(put.headers.get('upload-offset'));
  expect(offset).toBeLessThan(bytes.length);

  // Reads and streams work.
  expect((await call('GET', '/users/me')).status).toBe(200);
  expect((await call('GET', `/conversations/${visitor.id}/messages`)).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const second = readStream(await visitor.listen());
  expect(second.response.status).toBe(200);
  expect((await call('GET', `/conversations/${visitor.id}`)).status).toBe(200);
  for (const path of ['/users', '/events', '/messages']) {
    const response = await call('POST', path, {});
    // A small write may still fit, and a wrong one is refused before; nothing fails in another way.
    expect([201, 400, 503]).toContain(response.status);
  }

  await truncate(filler, 0);
  await rm(filler);
  let name = 0;
  await expect
    .poll(async () => {
      name += 1;
      return (await send(`after ${name}`)).status;
    }, pollOptions)
    .toBe(201);
  // Small writes may have fitted before, so the state ends when none has failed for a while.
  await expect
    .poll(async () => {
      name += 1;
      await send(`after ${name}`);
      return isFull();
    }, pollOptions)
    .toBe('0');

  // Every acknowledged message is there in its order, and the bot has answered each one once.
  const texts = async () =>
    (await visitor.texts()).map((text) => text.slice(0, 60).split('xxx')[0]?.trim() ?? '');
  const answers = (all: string[]) => all.filter((text) => text.startsWith('answer '));
  await expect.poll(async () => answers(await texts()).length, pollOptions).toBe(stored.length);
  const all = await texts();
  expect(all.filter((text) => !text.startsWith('answer '))).toEqual(stored);
  expect(answers(all)).toEqual(stored.map((text) => `answer ${text}`));

  // The upload continues where it ended.
  const head = await fetch(file.uploadUrl, { method: 'HEAD' });
  const at = Number(head.headers.get('upload-offset'));
  const patched = await fetch(file.uploadUrl, {
    method: 'PATCH',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) },
    body: new Uint8Array(bytes.subarray(at)),
  });
  expect(patched.status).toBe(204);
  expect(Buffer.from(await (await fetch(file.url)).arrayBuffer()).equals(bytes)).toBe(true);

  const lines = server
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  const messages = lines.map(({ msg }) => msg);
  expect(messages).toContain('the disk of the data folder is full: writes are refused with 503');
  expect(messages.at(-1)).toBe('the disk of the data folder has space again');
  expect(messages.filter((msg) => /^(request|bot) failed$/.test(msg))).toEqual([]);
  await stream.cancel();
  await second.cancel();
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
});
