// Tests that all bytes of a file arrive exactly once, over real HTTP with connections that are cut, and in process.
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { base } from '../../server/testing.ts';
import { ChatClient, NetworkError } from '../index.ts';
import { type RelayedServer, startRelayedServer } from '../testing.ts';
import type { ClientOptions } from './client-options.ts';
import { createRest } from './rest.ts';
import { sendBytes } from './send-bytes.ts';

let relayed: RelayedServer;
let client: ChatClient;
beforeAll(async () => {
  relayed = await startRelayedServer();
  client = new ChatClient({ chatUrl: relayed.directUrl + base });
  client.userKey = (await relayed.server.user()).key;
});
afterAll(() => relayed.close());
beforeEach(() => {
  relayed.relay.cuts = [];
});

const rest = (options: ClientOptions = {}) =>
  createRest({ apiUrl: relayed.relayUrl, token: 't', retry: { delayMs: () => 1 }, ...options });
/** An upload address that leads over the relay. The Chat API accepts bytes in the same way as the Files API. */
async function announce(size: number) {
  const { file } = await client.createFile({ key: 'a.bin', size });
  relayed.requests = [];
  return { ...file, uploadUrl: file.uploadUrl.replace(relayed.directUrl, relayed.relayUrl) };
}
const content = (size: number) => Uint8Array.from({ length: size }, (_, index) => index % 251);
const read = async (url: string) =>
  Buffer.from(await (await relayed.server.fetch(new URL(url).pathname)).arrayBuffer());
const methods = () => relayed.requests.map((request) => request.split(' ')[0]);
const contentType = 'application/octet-stream';

/** Sends the bytes, and returns the reported progress. */
async function send(size: number, blob: Blob, options: ClientOptions = {}, signal?: AbortSignal) {
  const file = await announce(size);
  const progress: [number, number][] = [];
  const { uploadUrl } = file;
  await sendBytes(rest(options), {
    uploadUrl,
    blob,
    contentType,
    signal,
    onProgress: (sent, total) => progress.push([sent, total]),
  });
  return { file, sent: progress.map(([one]) => one), totals: new Set(progress.map(([, total]) => total)) };
}

test('a file is stored with one request, and its progress is exact', async () => {
  const bytes = content(300_000);
  const { file, sent, totals } = await send(bytes.length, new Blob([bytes]));
  expect((await read(file.url)).equals(bytes)).toBe(true);
  expect(methods()).toEqual(['PUT']);
  expect(sent).toEqual([65_536, 131_072, 196_608, 262_144, 300_000]);
  expect([...totals]).toEqual([300_000]);
});

test('a custom fetch sends the bytes within the process', async () => {
  const bytes = content(200_000);
  const { file, sent } = await send(bytes.length, new Blob([bytes]), { fetch: relayed.server.fetch });
  expect((await read(file.url)).equals(bytes)).toBe(true);
  expect(sent.at(-1)).toBe(bytes.length);
  expect(relayed.requests).toEqual([]);
});

test('after each cut it resumes, as long as it makes progress', async () => {
  const bytes = content(3_000_000);
  relayed.relay.cuts = Array(6).fill(400_000);
  const { file, sent } = await send(bytes.length, new Blob([bytes]), {
    retry: { attempts: 1, delayMs: () => 1 },
  });
  expect((await read(file.url)).equals(bytes)).toBe(true);
  expect(methods().filter((method) => method === 'PATCH').length).toBeGreaterThan(2);
  expect(sent.at(-1)).toBe(bytes.length);
});

test('wherever it is cut, the same bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 150_000 }),
      fc.array(fc.nat(100_000), { maxLength: 3 }),
      async (size, cuts) => {
        const bytes = content(size);
        relayed.relay.cuts = [...cuts];
        const { file } = await send(size, new Blob([bytes]), { retry: { attempts: 4, delayMs: () => 1 } });
        relayed.relay.cuts = [];
        expect((await read(file.url)).equals(bytes)).toBe(true);
      },
    ),
    { numRuns: 25 },
  );
});

test('without progress it fails after the allowed attempts', async () => {
  relayed.relay.cuts = Array(20).fill(0);
  await expect(send(100, new Blob([content(100)]))).rejects.toBeInstanceOf(NetworkError);
  expect(relayed.relay.cuts.length).toBeGreaterThan(8);
  const left = relayed.relay.cuts.length;
  await expect(send(100, new Blob([content(100)]), { retry: 0 })).rejects.toBeInstanceOf(NetworkError);
  expect(relayed.relay.cuts).toHaveLength(left - 1);
});

test('a refusal is final, and has its class', async () => {
  await expect(send(10, new Blob([content(11)]))).rejects.toMatchObject({ name: 'PayloadTooLargeError' });
  expect(methods()).toEqual(['PUT']);
});

test('an upload that is already complete resolves', async () => {
  const blob = new Blob([content(10)]);
  const { uploadUrl } = await announce(10);
  await sendBytes(rest(), { uploadUrl, blob, contentType });
  await sendBytes(rest(), { uploadUrl, blob, contentType });
  expect(methods()).toEqual(['PUT', 'PUT', 'HEAD']);
});

test('an empty file whose first response was lost is complete', async () => {
  const seen: string[] = [];
  const body = { id: 'err_1', code: 409, type: 'AlreadyExists', message: 'The file is already complete.' };
  const fetch = async (_: string, { method = '' }: RequestInit) => {
    seen.push(method);
    if (method === 'HEAD') return new Response(null, { status: 204, headers: { 'upload-offset': '0' } });
    if (seen.length === 1) throw new TypeError('cut');
    return Response.json(body, { status: 409 });
  };
  const retry = { attempts: 1, delayMs: () => 1 };
  const sending = sendBytes(rest({ fetch, retry }), { uploadUrl: '/u', blob: new Blob([]), contentType });
  await expect(sending).resolves.toBeUndefined();
  expect(seen).toEqual(['PUT', 'HEAD', 'PUT', 'HEAD']);
});

describe('aborted', () => {
  const reason = new Error('the caller left');

  test('before the request: nothing is sent', async () => {
    const sending = send(10, new Blob([content(10)]), {}, AbortSignal.abort(reason));
    await expect(sending).rejects.toBe(reason);
    expect(relayed.requests).toEqual([]);
  });

  test('during the transfer, it ends with the reason', async () => {
    const { uploadUrl, url } = await announce(20_000_000);
    const controller = new AbortController();
    const sending = sendBytes(rest(), {
      uploadUrl,
      blob: new Blob([content(20_000_000)]),
      contentType,
      signal: controller.signal,
      onProgress: (sent) => sent > 1_000_000 && controller.abort(reason),
    });
    await expect(sending).rejects.toBe(reason);
    expect((await relayed.server.fetch(new URL(url).pathname)).status).toBe(404);
  });

  test('in a pause, it ends with the reason', async () => {
    // The connection of the previous test may still transfer a few bytes.
    relayed.relay.cuts = Array(20).fill(0);
    const controller = new AbortController();
    const retry = {
      delayMs: () => {
        queueMicrotask(() => controller.abort(reason));
        return 1_000_000;
      },
      maxDelayMs: Number.POSITIVE_INFINITY,
    };
    await expect(send(10, new Blob([content(10)]), { retry }, controller.signal)).rejects.toBe(reason);
  });
});

test('an error that the caller’s onProgress throws ends the upload, and is thrown', async () => {
  const { uploadUrl } = await announce(200_000);
  const fault = new RangeError('theirs');
  const sending = sendBytes(rest(), {
    uploadUrl,
    blob: new Blob([content(200_000)]),
    contentType,
    onProgress() {
      throw fault;
    },
  });
  await expect(sending).rejects.toBe(fault);
});

test('a silent server is not awaited without a limit', async () => {
  const blob = new Blob([content(10)]);
  const fetch = () => new Promise<Response>(() => {});
  const sending = sendBytes(rest({ fetch, timeout: 20, retry: 1 as never }), {
    uploadUrl: relayed.relayUrl,
    blob,
    contentType,
  });
  await expect(sending).rejects.toThrow(new NetworkError('Nothing moved for 20 ms.'));
});

test('a file on disk is read while it is sent; if it changes meanwhile, the upload fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'send-'));
  const path = join(folder, 'a.bin');
  const bytes = content(500_000);
  await writeFile(path, bytes);
  const { file } = await send(bytes.length, await openAsBlob(path));
  expect((await read(file.url)).equals(bytes)).toBe(true);

  const blob = await openAsBlob(path);
  await writeFile(path, content(100));
  await expect(send(bytes.length, blob, { retry: 0 })).rejects.toThrow();
  await rm(folder, { recursive: true });
});
