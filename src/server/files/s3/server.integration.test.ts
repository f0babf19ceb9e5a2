// Tests the server with files in an object store: uploads, downloads, deletions, indexing, tables, and a
// store that fails.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewFile } from '../../../protocol/types/chat.ts';
import { pollOptions, type TestServer } from '../../testing.ts';
import { bytesOf, chunksOf } from '../bytes/store.contract.ts';
import { type FilesFixture, startFilesFixture } from '../testing.ts';
import type { S3Options } from './requests.ts';
import { type S3Server, startS3rver } from './servers.testing.ts';
import { openS3Store } from './store.ts';
import { type StoreProxy, startStoreProxy } from './store-proxy.testing.ts';
import { objectsOf, s3SettingsOf } from './testing.ts';

let s3rver: S3Server;
let proxy: StoreProxy;
let s3: S3Options;
let fixture: FilesFixture;
let server: TestServer;
let key: string;

beforeAll(async () => {
  s3rver = await startS3rver();
});
afterAll(() => s3rver.close());
beforeEach(async () => {
  proxy = await startStoreProxy(s3rver.origin);
  s3 = await s3rver.bucket();
  fixture = await startFilesFixture(s3SettingsOf(proxy.options(s3)));
  server = fixture.server;
  key = (await server.user()).key;
});
afterEach(async () => {
  proxy.fault = () => undefined;
  await server.close();
  await proxy.close();
});

const pathOf = (url: string) => new URL(url).pathname;
const partBytes = 8 * 1_048_576;

async function announce(size: number, fields: Record<string, unknown> = {}): Promise<NewFile> {
  const answer = await server.call('POST', '/files', { key, body: { key: 'a.bin', size, ...fields } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.file as NewFile;
}

async function send(method: string, { uploadUrl }: NewFile, body?: BodyInit, offset?: number) {
  const headers: Record<string, string> =
    method === 'PATCH'
      ? { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
      : {};
  const init = { method, headers, ...(body === undefined ? {} : { body, duplex: 'half' }) } as RequestInit;
  const response = await server.fetch(pathOf(uploadUrl), init);
  const text = await response.text();
  return {
    status: response.status,
    offset: Number(response.headers.get('upload-offset')),
    type: text && JSON.parse(text).type,
    retryAfter: response.headers.get('retry-after'),
  };
}

const download = (file: NewFile, headers: Record<string, string> = {}) =>
  server.fetch(pathOf(file.url), { headers });
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('a file is uploaded, read in whole and in ranges with the same headers as from a folder, and deleted', async () => {
  const bytes = bytesOf(partBytes + 1_000);
  const file = await announce(bytes.length, { key: 'a.html', contentType: 'text/html' });
  expect(await send('PUT', file, new Uint8Array(bytes))).toMatchObject({ status: 204, offset: bytes.length });
  expect(await readdir(join(server.home, 'files'))).toEqual(['temporary']);
  const whole = await download(file);
  expect(whole.status).toBe(200);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'cache-control': expect.stringContaining('immutable'),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  // The id of the file, which the ETag contains, may have these letters by chance.
  const headers = JSON.stringify([...whole.headers]).replaceAll(file.id, '');
  expect(headers).not.toMatch(/amz|s3|bucket|127\.0\.0\.1/i);
  expect((await bodyOf(whole)).equals(bytes)).toBe(true);
  const range = await download(file, { range: `bytes=${partBytes - 5}-${partBytes + 4}` });
  expect([range.status, range.headers.get('content-range')]).toEqual([
    206,
    `bytes ${partBytes - 5}-${partBytes + 4}/${bytes.length}`,
  ]);
  expect((await bodyOf(range)).equals(bytes.subarray(partBytes - 5, partBytes + 5))).toBe(true);
  expect(await objectsOf(s3)).toHaveLength(1);
  await server.call('DELETE', '/users/me', { key });
  expect((await download(file)).status).toBe(404);
  await expect.poll(() => objectsOf(s3), pollOptions).toEqual([]);
});

test('an upload that is interrupted continues after a restart, from the offset that HEAD returns', async () => {
  const bytes = bytesOf(partBytes + 200_000);
  const file = await announce(bytes.length);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const cut = send('PUT', file, readable);
  for (let at = 0; at < partBytes + 100; at += 65_536)
    await writer.write(new Uint8Array(bytes.subarray(at, at + 65_536)));
  await writer.abort(new Error('cut'));
  expect(await cut).toMatchObject({ status: 400, type: 'InvalidDataFormat' });
  server = await server.restart();
  const { offset } = await send('HEAD', file);
  expect(offset).toBeGreaterThan(partBytes);
  expect(await send('PATCH', file, 'x', offset - 1)).toMatchObject({ status: 409, offset });
  const rest = new Uint8Array(bytes.subarray(offset));
  expect(await send('PATCH', file, rest, offset)).toMatchObject({ status: 204, offset: bytes.length });
  expect((await bodyOf(await download(file))).equals(bytes)).toBe(true);
  expect(await send('PUT', file, 'x')).toMatchObject({ status: 409, type: 'AlreadyExists' });
  expect(await objectsOf(s3)).toHaveLength(1);
});

test('an upload that begins again in another process before the last one is complete is not taken for complete', async () => {
  const bytes = bytesOf(1_000);
  const file = await announce(bytes.length);
  const other = await openS3Store({
    db: server.db,
    s3,
    folder: join(server.home, 'other'),
    logger: pino({ level: 'silent' }),
    now: Date.now,
  });
  // All bytes are stored, and the server reads their type.
  proxy.fault = async ({ method, name }) => {
    if (method !== 'GET' || !name.includes('/whole-')) return undefined;
    proxy.fault = () => undefined;
    await other.hold(file.id, async (writer) => {
      await writer.write(0, bytes.length, chunksOf(bytes.subarray(0, 100)));
      await writer.sync();
    });
    return undefined;
  };
  const superseded = await send('PUT', file, new Uint8Array(bytes));
  expect(superseded).toMatchObject({ status: 409, type: 'ResourceLockedConflict' });
  expect((await download(file)).status).toBe(404);
  expect(await send('HEAD', file)).toMatchObject({ status: 204, offset: 100 });
  expect(await send('PATCH', file, new Uint8Array(bytes.subarray(100)), 100)).toMatchObject({
    status: 204,
    offset: bytes.length,
  });
  expect((await bodyOf(await download(file))).equals(bytes)).toBe(true);
  expect(await objectsOf(s3)).toHaveLength(1);
  await other.close();
});

test('too many bytes, too few and a forbidden type are refused as with a folder, and leave no object', async () => {
  const file = await announce(10);
  expect(await send('PUT', file, '01234567890')).toMatchObject({ status: 413 });
  expect(await send('PUT', file, '0123')).toMatchObject({ status: 400, offset: 4 });
  expect(await send('PATCH', file, '456789', 4)).toMatchObject({ status: 204, offset: 10 });
  expect((await bodyOf(await download(file))).toString()).toBe('0123456789');
  await server.call('DELETE', '/users/me', { key });
  await expect.poll(() => objectsOf(s3), pollOptions).toEqual([]);

  server = await server.restart({ configuration: { fileTypes: 'image/jpeg' } });
  key = (await server.user()).key;
  const pdf = '%PDF-1.7 12345678';
  const forbidden = await announce(pdf.length, { key: 'a.jpg' });
  expect(await send('PUT', forbidden, pdf)).toMatchObject({ status: 415 });
  expect(await send('HEAD', forbidden)).toMatchObject({ status: 404 });
  expect(await objectsOf(s3)).toEqual([]);
});

describe('a store that does not answer', () => {
  test('fails uploads and downloads with 503, while the chat works; then both continue', async () => {
    const done = await announce(10);
    await send('PUT', done, '0123456789');
    const file = await announce(10);
    await send('PATCH', file, '0123', 0);
    proxy.fault = () => 'lose';
    const refused = await send('PATCH', file, '456789', 4);
    expect(refused).toMatchObject({ status: 503, type: 'ServiceUnavailable', retryAfter: '5' });
    const failed = await download(done);
    expect([failed.status, failed.headers.get('access-control-allow-origin')]).toEqual([503, '*']);
    expect(await failed.text()).not.toMatch(/127\.0\.0\.1|bucket|S3/);
    expect(await send('HEAD', file)).toMatchObject({ status: 204, offset: 4 });
    const conversationId = await server.conversation(key);
    expect(await server.sendMessage(key, conversationId, 'Hello')).toMatch(/^msg_|^message_/);
    proxy.fault = () => undefined;
    expect(await send('PATCH', file, '456789', 4)).toMatchObject({ status: 204, offset: 10 });
    for (const one of [file, done]) expect((await bodyOf(await download(one))).toString()).toBe('0123456789');
    expect(JSON.stringify(server.log)).not.toMatch(/127\.0\.0\.1|bucket|S3RVER|Authorization/);
  });

  test('delays the removal of bytes and not that of other data', async () => {
    const file = await announce(10);
    await send('PUT', file, '0123456789');
    proxy.fault = () => 'refuse';
    await server.call('DELETE', '/users/me', { key });
    await server.composition.cleanUp();
    const rows = (table: string) => server.db.read((tx) => tx.all(`SELECT * FROM ${table}`));
    expect(await rows('files')).toEqual([]);
    expect(await objectsOf(s3)).toHaveLength(1);
    expect(await rows('deletions')).toHaveLength(1);
    proxy.fault = () => undefined;
    await server.composition.cleanUp();
    expect(await objectsOf(s3)).toEqual([]);
    expect([await rows('deletions'), await rows('uploads')]).toEqual([[], []]);
  });

  test('delays the indexing of a file, which does not fail', async () => {
    let isDown = false;
    proxy.fault = ({ method, query }) =>
      isDown && method === 'GET' && !query.has('list-type') ? 'refuse' : undefined;
    const { status, body } = await fixture.call('bot', 'PUT', '', { key: 'a.txt', size: 12, index: true });
    expect(status).toBe(200);
    const { id, uploadUrl } = body.file as { id: string; uploadUrl: string };
    // The type of the content is read before the file is complete.
    proxy.fault = ({ method, name }) => {
      if (method === 'GET' && name.includes('/whole-') && isDown) return 'refuse';
      if (method === 'GET' && name.includes('/whole-')) isDown = true;
      return undefined;
    };
    const sent = await server.fetch(pathOf(uploadUrl), { method: 'PUT', body: 'Marmosets eat'.slice(0, 12) });
    expect(sent.status).toBe(204);
    await expect
      .poll(() => server.log.some(({ msg }) => String(msg).startsWith('S3 requests fail')), pollOptions)
      .toBe(true);
    const stateOf = async () => (await fixture.call('bot', 'GET', `/${id}`)).body.file?.status;
    expect(await stateOf()).toBe('indexing_pending');
    isDown = false;
    proxy.fault = () => undefined;
    server = await server.restart();
    fixture.server = server;
    await expect
      .poll(() => server.db.read((tx) => tx.all('SELECT status FROM files')), pollOptions)
      .toEqual([{ status: 'indexing_completed' }]);
  });
});

test('the text of a file is indexed and found', async () => {
  const file = await fixture.put('bot', 'animals.md', '# Animals\n\nMarmosets live in trees.', {
    index: true,
  });
  await fixture.settled(file.id);
  const found = await fixture.call('bot', 'GET', '/search?query=marmosets');
  expect(found.body.passages?.map(({ content }) => content)).toEqual([expect.stringContaining('Marmosets')]);
  expect(await readdir(join(server.home, 'files', 'temporary'))).toEqual([]);
});

describe('a start is refused', () => {
  const restart = (options: Parameters<TestServer['restart']>[0]) =>
    server.restart(options).then(
      () => undefined,
      (error: Error) => `${error.name}: ${error.message}`,
    );

  test('without an object store, when files are in one; and the files remain', async () => {
    const file = await announce(10);
    await send('PUT', file, '0123456789');
    const line = await restart({
      S3_URL: undefined,
      S3_ACCESS_KEY_ID: undefined,
      S3_SECRET_ACCESS_KEY: undefined,
    });
    expect(line).toBe('StartError: S3_URL is missing: files of this database are in an object store.');
    server = await server.restart();
    expect((await bodyOf(await download(file))).toString()).toBe('0123456789');
  });

  test('with an object store, when files are in the folder', async () => {
    await server.close();
    await proxy.close();
    proxy = await startStoreProxy(s3rver.origin);
    fixture = await startFilesFixture();
    server = fixture.server;
    key = (await server.user()).key;
    await mkdir(join(server.home, 'files'), { recursive: true });
    await writeFile(
      join(server.home, 'files', 'file_01JD0000000000000000000000'),
      'an orphan does not matter',
    );
    const file = await announce(10);
    await send('PUT', file, '0123456789');
    const line = await restart(s3SettingsOf(s3));
    expect(line).toMatch(
      /^StartError: S3_URL: the folder \S+ has files of this database, which would not be found\./,
    );
    server = await server.restart();
    expect((await bodyOf(await download(file))).toString()).toBe('0123456789');
  });

  test('when the prefix has the files of another server, or not those of this one', async () => {
    const other = await startFilesFixture(s3SettingsOf(proxy.options(await s3rver.bucket())));
    const taken = await other.server
      .restart(s3SettingsOf(proxy.options(s3)))
      .catch((error: Error) => error.message);
    expect(taken).toMatch(/^S3_URL: these files belong to a server with another database/);
    await (await other.server.restart()).close();
    await send('PUT', await announce(10), '0123456789');
    const line = await restart(s3SettingsOf(proxy.options(await s3rver.bucket())));
    expect(line).toBe(
      'StartError: S3_URL: the files of this database are not there. Check the bucket and the prefix.',
    );
    server = await server.restart();
  });
});
