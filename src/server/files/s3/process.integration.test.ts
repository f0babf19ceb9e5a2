// Tests the server process with files in an object store: starts that are refused in one line, a process that is killed in
// the middle of an upload, and what it prints.
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlite } from '../../storage/sqlite.ts';
import { useServerProcess } from '../../testing/process.testing.ts';
import { bytesOf } from '../bytes/store.contract.ts';
import type { S3Options } from './requests.ts';
import { type S3Server, startS3rver, startSwift } from './servers.testing.ts';

const { run, folder } = useServerProcess();
const servers: Record<string, S3Server> = {};
beforeAll(async () => {
  servers.s3rver = await startS3rver();
  servers.swift = await startSwift();
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

const envOf = ({ url, region, accessKeyId, secretAccessKey }: S3Options) => ({
  S3_URL: url,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
  EMBEDDINGS: 'off',
  LOG_LEVEL: 'trace',
});

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** Starts a server that must refuse, and returns what it printed. */
async function refusal(env: Record<string, string>): Promise<string> {
  const started = await run(env);
  // It would not end by itself.
  expect(started.url).toBe('');
  expect([await started.exit, started.stdout()]).toEqual([1, '']);
  return started.stderr();
}

test.each(['s3rver', 'swift'])(
  'a start with %s that has wrong keys or no bucket, or is not there, is refused in one line without the address',
  async (name) => {
    const s3 = (await servers[name]?.bucket()) as S3Options;
    const keys = 'Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION.';
    const refused = new RegExp(`^S3_URL: the store refuses ListObjectsV2 \\(\\w+\\)\\. ${keys}\n$`);
    // s3rver does not check signatures.
    const wrongSecret = name === 'swift' ? [[{ secretAccessKey: 'another-secret' }, refused] as const] : [];
    for (const [changes, line] of [
      ...wrongSecret,
      [{ accessKeyId: 'nobody' }, refused],
      [
        { url: s3.url.replace('/bucket-', '/no-bucket-') },
        /^S3_URL: the bucket does not exist \(NoSuchBucket\)\.\n$/,
      ],
      [
        { url: `http://127.0.0.1:${await closedPort()}/bucket-x` },
        /^S3_URL: the store does not answer \(ECONNREFUSED\)\.\n$/,
      ],
    ] as const) {
      const printed = await refusal({ ...envOf({ ...s3, ...changes }), LOG_LEVEL: 'silent' });
      expect(printed).toMatch(line);
      expect(printed).not.toMatch(/127\.0\.0\.1|bucket-|some\/prefix|another-secret/);
    }
  },
);

test('a start without a key, or with an address without a bucket, names the setting', async () => {
  const env = { S3_URL: 'https://s3.example/bucket', S3_ACCESS_KEY_ID: 'a' };
  const missing = 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are required with S3_URL.\n';
  expect(await refusal(env)).toBe(missing);
  expect(await refusal({ S3_SECRET_ACCESS_KEY: 'a' })).toMatch(/^S3_URL is required with [^\n]*\n$/);
  expect(await refusal({ S3_URL: 'https://s3.example/' })).toMatch(/^S3_URL must be [^\n]*\n$/);
});

test.each(['s3rver', 'swift'])(
  'an upload to %s continues after kill -9, from an offset that includes all acknowledged bytes',
  async (name) => {
    const s3 = (await servers[name]?.bucket()) as S3Options;
    const env = envOf(s3);
    const part = 8 * 1_048_576;
    const bytes = bytesOf(part + 3_000_000);
    const DatabaseSync = await sqlite();
    const first = await run(env);
    const call = async (path: string, key: string | undefined, body: object) => {
      const headers = { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) };
      const response = await fetch(first.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { key: string; file: { url: string; uploadUrl: string } };
    };
    const { key } = await call('/chat/demo/users', undefined, {});
    const { file } = await call('/chat/demo/files', key, { key: 'a.bin', size: bytes.length });
    const upload = new URL(file.uploadUrl).pathname;
    const patch = (url: string, offset: number, body: Uint8Array) =>
      fetch(url + upload, {
        method: 'PATCH',
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        body: body as BodyInit,
      });
    expect((await patch(first.url, 0, bytes.subarray(0, 1_000))).status).toBe(204);
    expect((await patch(first.url, 1_000, bytes.subarray(1_000, 2_000_000))).status).toBe(204);

    // More than a part arrives, and the process is killed when the store has the part.
    const sending = request(first.url + upload, {
      method: 'PATCH',
      headers: {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '2000000',
        'content-length': bytes.length - 2_000_000,
      },
    });
    sending.on('error', () => {});
    sending.write(bytes.subarray(2_000_000, part + 1_000_000));
    const db = new DatabaseSync(join(folder(), 'data', 'platform.db'), { readOnly: true });
    const storedSize = () => db.prepare('SELECT size FROM uploads').get();
    await expect.poll(storedSize, { timeout: 60_000 }).toEqual({ size: part });
    db.close();
    first.child.kill('SIGKILL');
    await first.exit;
    sending.destroy();

    const second = await run(env);
    const head = await fetch(second.url + upload, { method: 'HEAD' });
    const offset = Number(head.headers.get('upload-offset'));
    expect(head.status).toBe(204);
    expect(offset).toBe(part);
    expect((await patch(second.url, offset, bytes.subarray(offset))).status).toBe(204);
    const response = await fetch(second.url + new URL(file.url).pathname);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    for (const text of [first.stderr(), second.stderr(), first.stdout(), second.stdout()]) {
      expect(text).not.toContain(s3.secretAccessKey === 'S3RVER' ? 'S3RVER/' : s3.secretAccessKey);
      expect(text).not.toContain(new URL(s3.url).host);
      expect(text).not.toContain('some/prefix');
    }
  },
);
