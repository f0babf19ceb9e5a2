// Tests of the operations on files: announce, upload, read, change, copy, delete, expiry, and the rejected requests of
// each.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../protocol/limits.ts';
import type { AnnouncedFile, PlatformFile } from '../../../protocol/types/files.ts';
import { deleteExpiredFiles, hasExpiredFile } from '../../storage/files/deletions.ts';
import { openPostgres } from '../../storage/postgres/postgres.ts';
import { isPostgresTest, testDatabaseOf } from '../../storage/postgres/testing.ts';
import { pollOptions } from '../../testing.ts';
import { type FilesFixture, startFilesFixture } from '../testing.ts';

let fixture: FilesFixture;
beforeAll(async () => {
  fixture = await startFilesFixture();
});
afterAll(() => fixture.server.close());

const pathOf = (url: string) => new URL(url).pathname;
const upsert = async (key: string, fields: object = {}) => {
  const { status, body } = await fixture.call('bot', 'PUT', '', { key, size: 5, ...fields });
  expect([status, body.message]).toEqual([200, undefined]);
  return body.file as AnnouncedFile;
};
const send = async ({ uploadUrl }: AnnouncedFile, bytes: string, init: RequestInit = {}) =>
  (await fixture.server.fetch(pathOf(uploadUrl), { method: 'PUT', body: bytes, ...init })).status;

describe('announcing', () => {
  test('returns a complete record of a private file that waits for its bytes', async () => {
    const file = await upsert('docs/Guide.md', {
      tags: { lang: 'en' },
      metadata: { a: [1, { b: null }] },
      index: true,
      indexing: { configuration: { stack: 'v2' } },
      publicContentImmediatelyAccessible: false,
    });
    expect(file).toEqual({
      id: expect.stringMatching(/^file_[0-9A-Z]{26}$/),
      botId: fixture.bots.own,
      key: 'docs/Guide.md',
      url: expect.stringMatching(/^http:\/\/localhost\/v1\/files\/content\/file_[^/]+\/docs_Guide\.md$/),
      size: null,
      contentType: 'text/markdown',
      tags: { lang: 'en' },
      metadata: { a: [1, { b: null }] },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      accessPolicies: [],
      index: true,
      status: 'upload_pending',
      owner: { type: 'bot', id: fixture.bots.own },
      uploadUrl: expect.stringMatching(/^http:\/\/localhost\/v1\/files\/uploads\/file_[^/]+$/),
    });
    expect(await fixture.read(file.url)).toBe(404);
    const { body } = await fixture.call('bot', 'GET', `/${encodeURIComponent('docs/Guide.md')}`);
    expect(body.file?.id).toBe(file.id);
    expect(body.file).not.toHaveProperty('uploadUrl');
  });

  test.each<[object, number, string]>([
    [{ key: 'a\0b' }, 400, 'InvalidPayload'],
    [{ size: limits.maxFileBytes + 1 }, 413, 'LimitExceeded'],
    [{ contentType: 'a/b\r\nx: y' }, 400, 'InvalidPayload'],
    [{ metadata: { a: 'x'.repeat(32_001) } }, 400, 'InvalidPayload'],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 400, 'InvalidPayload'],
    [{ expiresAt: '2999-01-01T00:00:00.000Z' }, 400, 'InvalidPayload'],
    [{ expiresAt: '2027-13-45T00:00:00.000Z' }, 400, 'InvalidPayload'],
  ])('%j is refused', async (fields, status, type) => {
    const before = await fixture.server.db.read((tx) => tx.all('SELECT * FROM files'));
    const response = await fixture.call('bot', 'PUT', '', { key: 'refused', size: 5, ...fields });
    expect([response.status, response.body.type]).toEqual([status, type]);
    expect(await fixture.server.db.read((tx) => tx.all('SELECT * FROM files'))).toEqual(before);
  });

  test('the key `__proto__` and tags with such names are ordinary names', async () => {
    const file = await upsert('__proto__', { metadata: JSON.parse('{"__proto__": 1, "constructor": 2}') });
    expect(file.key).toBe('__proto__');
    expect((await fixture.call('bot', 'GET', '/__proto__')).body.file?.id).toBe(file.id);
    expect(({} as Record<string, unknown>)[1]).toBeUndefined();
  });
});

describe('bytes', () => {
  test('are sent in one PUT, counted, and read in ranges', async () => {
    const file = await fixture.put('bot', 'a.txt', 'hello');
    expect(file).toMatchObject({ status: 'upload_completed', size: 5, contentType: 'text/plain' });
    const whole = await fixture.server.fetch(pathOf(file.url));
    expect(await whole.text()).toBe('hello');
    expect(whole.headers.get('cache-control')).toContain('private');
    expect(whole.headers.get('content-disposition')).toContain('a.txt');
  });

  test('are sent in parts from a page of another origin, with the header of an object store', async () => {
    const file = await upsert('parts.txt');
    const patch = (offset: number, body: string) =>
      fixture.server.fetch(pathOf(file.uploadUrl), {
        method: 'PATCH',
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${offset}` },
        body,
      });
    expect((await patch(0, 'he')).headers.get('upload-offset')).toBe('2');
    expect((await patch(1, 'x')).status).toBe(409);
    expect((await patch(2, 'llo')).status).toBe(204);
    expect((await patch(5, '')).status).toBe(409);
    const preflight = await fixture.server.fetch(pathOf(file.uploadUrl), {
      method: 'OPTIONS',
      headers: { origin: 'https://example.com' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const { body } = await fixture.call('bot', 'GET', '/parts.txt');
    expect(await fixture.read(body.file?.url ?? '')).toBe('hello');
  });

  test('can be empty, once an empty body was sent', async () => {
    const file = await upsert('empty.txt', { size: 0 });
    const head = await fixture.server.fetch(pathOf(file.uploadUrl), { method: 'HEAD' });
    expect(head.headers.get('upload-offset')).toBe('0');
    expect((await fixture.call('bot', 'GET', '/empty.txt')).body.file?.status).toBe('upload_pending');
    expect(await send(file, '')).toBe(204);
    const { body } = await fixture.call('bot', 'GET', '/empty.txt');
    expect(body.file).toMatchObject({ status: 'upload_completed', size: 0 });
    expect(await fixture.read(body.file?.url ?? '')).toBe('');
  });
});

describe('announcing a file again', () => {
  test('keeps the id, deletes the bytes and invalidates an earlier upload', async () => {
    const first = await fixture.put('bot', 'again.txt', 'first', { tags: { a: '1' }, index: false });
    fixture.clock.now += 1_000;
    const second = await upsert('again.txt', { size: 6 });
    expect(second).toMatchObject({
      id: first.id,
      createdAt: first.createdAt,
      size: null,
      status: 'upload_pending',
      tags: {},
    });
    expect(second.updatedAt > first.updatedAt).toBe(true);
    expect(await fixture.read(first.url)).toBe(404);
    const third = await upsert('again.txt');
    expect(third.uploadUrl).not.toBe(second.uploadUrl);
    expect(await send(second, 'second')).toBe(404);
    expect(await send(third, 'third')).toBe(204);
    expect(await fixture.read(third.url)).toBe('third');
    // The first bytes are removed from the disk.
    await expect
      .poll(() => fixture.server.db.read((tx) => tx.all('SELECT * FROM deletions')), pollOptions)
      .toEqual([]);
  });

  test('announcing a file during an upload rejects the bytes of that upload', async () => {
    const first = await upsert('race.txt', { size: 10 });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const init = { method: 'PUT', body: readable, duplex: 'half' } as RequestInit;
    const sending = fixture.server.fetch(pathOf(first.uploadUrl), init);
    await writer.write(new TextEncoder().encode('01234'));
    const second = await upsert('race.txt');
    expect(await send(second, 'there')).toBe(204);
    await writer.write(new TextEncoder().encode('56789')).catch(() => {});
    await writer.close().catch(() => {});
    expect([404, 409]).toContain((await sending).status);
    expect(await fixture.read(second.url)).toBe('there');
  });

  test('concurrently keeps one id, and the last address is valid', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => upsert('many.txt')));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    const statuses = await Promise.all(answers.map((file) => send(file, 'bytes')));
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  });
});

describe('addresses', () => {
  test('of a private file expire after an hour, and cannot be extended', async () => {
    const file = await fixture.put('bot', 'private.txt', 'words');
    const [, token = ''] = /content\/([^/]+)\//.exec(file.url) ?? [];
    const [, end = ''] = /-(\d+)~/.exec(token) ?? [];
    expect(Number(end)).toBe(fixture.clock.now + 60 * 60 * 1000);
    const later = file.url.replace(end, String(Number(end) + 1_000));
    expect(await fixture.read(later)).toBe(404);
    expect(await fixture.read(file.url.replace(`${end}~`, ''))).toBe(404);
    expect(await fixture.read(file.url)).toBe('words');
    fixture.clock.now += 60 * 60 * 1000;
    expect(await fixture.read(file.url)).toBe(404);
    const fresh = (await fixture.call('bot', 'GET', '/private.txt')).body.file as PlatformFile;
    expect(await fixture.read(fresh.url)).toBe('words');
  });

  test('of a public file do not expire, and end with the policy', async () => {
    const file = await fixture.put('bot', 'public.txt', 'words', { accessPolicies: ['public_content'] });
    const [listed] = (await fixture.call('bot', 'GET', `?ids=${file.id}`)).body.files ?? [];
    expect(listed?.url).toBe(file.url);
    fixture.clock.now += 400 * 24 * 60 * 60 * 1000;
    const response = await fixture.server.fetch(pathOf(file.url), {
      headers: { origin: 'https://example.com' },
    });
    expect(await response.text()).toBe('words');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    // Caches must revalidate, because the policy can be removed.
    expect(response.headers.get('cache-control')).toContain('no-cache');
    await fixture.call('bot', 'PUT', `/${file.id}`, { accessPolicies: [] });
    expect(await fixture.read(file.url)).toBe(404);
    await fixture.call('bot', 'PUT', `/${file.id}`, { accessPolicies: ['public_content'] });
    expect(await fixture.read(file.url)).toBe('words');
    // New bytes with the same key have the same address.
    await fixture.put('bot', 'public.txt', 'other', { accessPolicies: ['public_content'] });
    expect(await fixture.read(file.url)).toBe('other');
    await fixture.call('bot', 'DELETE', '/public.txt');
    expect(await fixture.read(file.url)).toBe(404);
  });

  test('are valid for their purpose only', async () => {
    const file = await upsert('purpose.txt');
    const token = /uploads\/(.+)$/.exec(file.uploadUrl)?.[1];
    expect(await send(file, 'words')).toBe(204);
    expect(await fixture.read(`http://x/v1/files/content/${token}/a`)).toBe(404);
    const link = /content\/([^/]+)\//.exec(file.url)?.[1];
    expect(
      (await fixture.server.fetch(`/v1/files/uploads/${link}`, { method: 'PUT', body: 'x' })).status,
    ).toBe(404);
    // A visitor's file is available only below the address of its chat.
    expect((await fixture.server.fetch(`/chat/demo/files/${link}/a`)).status).toBe(404);
    for (const odd of ['', 'x', file.id, `${file.id}-`, `${file.id}-9999999999999~`, '%00', '..%2f..']) {
      expect(await fixture.read(`http://x/v1/files/content/${odd}/a`), odd).toBe(404);
    }
  });
});

describe('the fields of a file', () => {
  test('tags and metadata are merged, policies are replaced, null removes', async () => {
    const until = new Date(fixture.clock.now + 3_600_000).toISOString();
    const { id } = await fixture.put('bot', 'meta.txt', 'x', {
      tags: { a: '1', b: '2' },
      metadata: { a: { deep: 1 }, b: 2 },
      accessPolicies: ['public_content'],
      expiresAt: until,
    });
    const change = async (body: object) =>
      (await fixture.call('bot', 'PUT', `/${id}`, body)).body.file as PlatformFile;
    expect(await change({})).toMatchObject({ tags: { a: '1', b: '2' }, accessPolicies: ['public_content'] });
    expect(
      await change({ tags: { b: null, c: '3' }, metadata: { a: { other: 1 }, b: null, c: [] } }),
    ).toMatchObject({ tags: { a: '1', c: '3' }, metadata: { a: { other: 1 }, c: [] } });
    const changed = await change({ accessPolicies: ['integrations'], expiresAt: null });
    expect(changed.accessPolicies).toEqual(['integrations']);
    expect(changed).not.toHaveProperty('expiresAt');
    expect((await fixture.call('bot', 'GET', `/${id}`)).body.file).toMatchObject({
      ...changed,
      url: expect.any(String),
    });
    const { body } = await fixture.call('bot', 'GET', '?tags.c=3');
    expect(body.files?.map((file) => file.id)).toEqual([id]);
    expect((await fixture.call('bot', 'GET', '?tags.b=2')).body.files).toEqual([]);
  });

  test('have limits that apply to changes, too', async () => {
    const { id } = await fixture.put('bot', 'limits.txt', 'x', { metadata: { a: 'x'.repeat(20_000) } });
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, 'x']));
    for (const body of [
      { metadata: { b: 'x'.repeat(20_000) } },
      { tags: many },
      { expiresAt: '2020-01-01T00:00:00.000Z' },
      { tags: { a: 1 } },
    ]) {
      expect((await fixture.call('bot', 'PUT', `/${id}`, body)).status).toBe(400);
    }
    expect((await fixture.call('bot', 'GET', `/${id}`)).body.file).toMatchObject({ tags: {} });
  });
});

describe('the end of a file', () => {
  test('deleting it removes record, bytes and key at once', async () => {
    const file = await fixture.put('bot', 'gone.txt', 'words');
    expect((await fixture.call('bot', 'DELETE', `/${file.id}`)).status).toBe(200);
    expect(await fixture.read(file.url)).toBe(404);
    for (const name of [file.id, 'gone.txt']) {
      expect((await fixture.call('bot', 'GET', `/${name}`)).status).toBe(404);
      expect((await fixture.call('bot', 'DELETE', `/${name}`)).status).toBe(404);
    }
    const next = await upsert('gone.txt');
    expect(next.id).not.toBe(file.id);
  });

  test('at expiresAt it is removed, with a precision of one minute', async () => {
    const at = Math.floor(fixture.clock.now / 60_000) * 60_000 + 10 * 60_000 + 30_000;
    const file = await fixture.put('bot', 'brief.txt', 'x', { expiresAt: new Date(at).toISOString() });
    expect(file.expiresAt).toBe(new Date(at + 30_000).toISOString());
    const stays = await fixture.put('bot', 'stays.txt', 'x');
    fixture.clock.now = at + 30_000;
    expect(await fixture.read(file.url)).toBe(404);
    expect(await fixture.server.db.read((tx) => hasExpiredFile(tx, fixture.clock.now - 1))).toBe(false);
    expect(await fixture.server.db.read((tx) => hasExpiredFile(tx, fixture.clock.now))).toBe(true);
    await fixture.server.composition.cleanUp();
    expect(await fixture.server.db.read((tx) => hasExpiredFile(tx, fixture.clock.now))).toBe(false);
    expect((await fixture.call('bot', 'GET', '/brief.txt')).status).toBe(404);
    expect((await fixture.call('bot', 'GET', `/${stays.id}`)).status).toBe(200);
  });

  test('without an upload it is marked as failed, and can be announced again', async () => {
    const file = await upsert('late.txt');
    await fixture.server.fetch(pathOf(file.uploadUrl), {
      method: 'PATCH',
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: 'he',
    });
    // The bytes that were sent have the name of the upload.
    const [, upload] = /uploads\/(file_\w+)-/.exec(file.uploadUrl) ?? [];
    const stored = () => readdir(join(fixture.server.home, 'files'));
    expect(await stored()).toContain(upload);
    fixture.clock.now += 24 * 60 * 60 * 1000;
    await fixture.server.composition.cleanUp();
    expect((await fixture.call('bot', 'GET', '/late.txt')).body.file).toMatchObject({
      status: 'upload_failed',
      failedStatusReason: expect.stringContaining('24 hours'),
    });
    expect(await send(file, 'hello')).toBe(404);
    expect(await stored()).not.toContain(upload);
    expect(await send(await upsert('late.txt'), 'hello')).toBe(204);
  });
});

describe('copies', () => {
  const copy = (
    caller: Parameters<FilesFixture['call']>[0],
    from: string,
    to: string,
    body = {},
    headers = {},
  ) => fixture.call(caller, 'POST', `/${encodeURIComponent(from)}/${encodeURIComponent(to)}`, body, headers);

  test('have the bytes and tags, are private, and remain when the source is deleted', async () => {
    const file = await fixture.put('bot', 'first.txt', 'words', {
      tags: { a: 'b' },
      metadata: { c: 1 },
      accessPolicies: ['public_content'],
    });
    const { status, body } = await copy('bot', 'first.txt', 'a/b.txt');
    expect([status, body.file]).toEqual([
      200,
      expect.objectContaining({
        key: 'a/b.txt',
        size: 5,
        status: 'upload_completed',
        tags: { a: 'b' },
        metadata: { c: 1 },
        accessPolicies: [],
      }),
    ]);
    expect(body.file?.id).not.toBe(file.id);
    await fixture.call('bot', 'DELETE', '/first.txt');
    await fixture.server.composition.cleanUp();
    expect(await fixture.read(body.file?.url ?? '')).toBe('words');
    await fixture.call('bot', 'DELETE', `/${body.file?.id}`);
    await fixture.server.composition.cleanUp();
    const used = await fixture.server.db.read((tx) =>
      tx.all<{ id: string }>('SELECT content_id AS id FROM files'),
    );
    const remaining = await readdir(join(fixture.server.home, 'files'));
    expect(remaining.filter((name) => !used.some(({ id }) => id === name))).toEqual([]);
  });

  test('requested twice with one Idempotency-Key are created once, for one bot, and not again after the deletion', async () => {
    await fixture.put('bot', 'once.txt', 'words');
    const key = { 'idempotency-key': 'one copy' };
    const copyOnce = (headers = {}) =>
      copy('developer', 'once.txt', 'copied.txt', {}, { ...key, ...headers });
    const first = await copyOnce();
    expect(first.status).toBe(200);
    expect((await copyOnce()).body.file?.id).toBe(first.body.file?.id);
    const elsewhere = await copyOnce({ 'x-destination-bot-id': fixture.bots.sibling });
    expect([elsewhere.status, elsewhere.body.type]).toEqual([422, 'InvalidPayload']);
    expect((await fixture.call('sibling', 'GET', '/copied.txt')).status).toBe(404);
    await fixture.call('developer', 'DELETE', '/copied.txt');
    expect((await copyOnce()).status).toBe(410);
    expect((await fixture.call('developer', 'GET', '/copied.txt')).status).toBe(404);
  });

  test('replace the file of an existing key only with permission', async () => {
    await fixture.put('bot', 'source.txt', 'new');
    const target = await fixture.put('bot', 'target.txt', 'old');
    expect((await copy('bot', 'source.txt', 'target.txt')).status).toBe(409);
    expect(await fixture.read(target.url)).toBe('old');
    const { body } = await copy('bot', 'source.txt', 'target.txt', { overwrite: true });
    expect(body.file?.id).toBe(target.id);
    expect(await fixture.read(target.url)).toBe('new');
    expect((await copy('bot', 'source.txt', 'source.txt', { overwrite: true })).status).toBe(409);
    expect(await fixture.read(body.file?.url ?? '')).toBe('new');
  });

  test('require complete bytes and an existing source', async () => {
    await upsert('pending.txt');
    expect((await copy('bot', 'pending.txt', 'b.txt')).status).toBe(409);
    expect((await copy('bot', 'nothing.txt', 'b.txt')).status).toBe(404);
    expect((await copy('bot', 'source.txt', 'x'.repeat(501))).status).toBe(400);
  });

  test('to another bot of the workspace can be created by members only', async () => {
    await fixture.put('bot', 'travel.txt', 'words');
    const to = (botId: string) => ({ 'x-destination-bot-id': botId });
    const { status, body } = await copy('developer', 'travel.txt', 'there.txt', {}, to(fixture.bots.sibling));
    expect([status, body.file?.botId]).toEqual([200, fixture.bots.sibling]);
    expect((await fixture.call('sibling', 'GET', '/there.txt')).body.file?.id).toBe(body.file?.id);
    expect((await fixture.call('bot', 'GET', '/there.txt')).status).toBe(404);
    expect((await copy('developer', 'travel.txt', 'x.txt', {}, to(fixture.bots.foreign))).status).toBe(404);
    expect((await copy('developer', 'travel.txt', 'x.txt', {}, to('nothing'))).status).toBe(404);
    for (const caller of ['bot', 'crm'] as const) {
      if (caller === 'crm') await fixture.put('crm', 'travel.txt', 'x');
      expect((await copy(caller, 'travel.txt', 'x.txt', {}, to(fixture.bots.sibling))).status).toBe(403);
    }
  });
});

// SQLite has one writer.
describe.runIf(isPostgresTest())('a file that expires at the moment of a request', () => {
  /** Sends a request, which finds the file and waits until its deletion is stored. */
  async function whileExpiring(request: () => ReturnType<FilesFixture['call']>) {
    // An expiry time is rounded up to a minute.
    fixture.clock.now += day + 60_000;
    const other = await openPostgres(await testDatabaseOf(fixture.server.home));
    const answer = await other.write(async (tx) => {
      expect(await deleteExpiredFiles(tx, fixture.clock.now, 100)).toBe(1);
      const sent = request();
      const waiting = () =>
        tx.all(
          `SELECT 1 FROM pg_stat_activity
           WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
      await expect.poll(waiting, pollOptions).not.toEqual([]);
      return () => sent;
    });
    const { status, body } = await answer();
    await other.close();
    return { status, type: body.type, id: body.file?.id };
  }
  const day = 24 * 60 * 60_000;
  /** A file without bytes, because its upload did not end in time: its deletion has no bytes to queue, which would wait, too. */
  async function expiring(key: string): Promise<AnnouncedFile> {
    const file = await upsert(key, { expiresAt: new Date(fixture.clock.now + 2 * day).toISOString() });
    fixture.clock.now += day;
    await fixture.server.composition.cleanUp();
    return file;
  }

  test('is not found by its change', async () => {
    const { id } = await expiring('changed.txt');
    const change = { tags: { a: 'b' }, expiresAt: null };
    expect(await whileExpiring(() => fixture.call('bot', 'PUT', `/${id}`, change))).toMatchObject({
      status: 404,
      type: 'ResourceNotFound',
    });
    const tags = await fixture.server.db.read((tx) =>
      tx.all('SELECT name FROM file_tags WHERE file_id = ?', id),
    );
    expect(tags).toEqual([]);
  });

  test('is announced as a new file', async () => {
    const former = await expiring('announced.txt');
    const { status, id } = await whileExpiring(() =>
      fixture.call('bot', 'PUT', '', { key: 'announced.txt', size: 5 }),
    );
    expect(status).toBe(200);
    expect(id).not.toBe(former.id);
    expect((await fixture.call('bot', 'GET', '/announced.txt')).body.file?.id).toBe(id);
  });

  test('is created by a copy to its key, also without the permission to replace it', async () => {
    await fixture.put('bot', 'origin.txt', 'words');
    for (const overwrite of [true, false]) {
      await fixture.call('bot', 'DELETE', '/destination.txt');
      const former = await expiring('destination.txt');
      const { status, id } = await whileExpiring(() =>
        fixture.call('bot', 'POST', '/origin.txt/destination.txt', { overwrite }),
      );
      expect(status).toBe(200);
      expect(id).not.toBe(former.id);
      const { file } = (await fixture.call('bot', 'GET', '/destination.txt')).body;
      expect(file?.id).toBe(id);
      expect(await fixture.read(file?.url ?? '')).toBe('words');
    }
  });
});

describe('index', () => {
  const change = (id: string, body: object) => fixture.call('bot', 'PUT', `/${id}`, body);
  const read = async (id: string) => (await fixture.call('bot', 'GET', `/${id}`)).body.file as PlatformFile;

  test('is set and removed without new bytes, also twice and before the bytes are there', async () => {
    const file = await upsert('later.txt', { size: 7 });
    expect((await change(file.id, { index: true })).body.file).toMatchObject({
      index: true,
      status: 'upload_pending',
    });
    expect((await change(file.id, { index: false })).body.file).toMatchObject({
      index: false,
      status: 'upload_pending',
    });
    expect(await send(file, 'refunds')).toBe(204);
    expect(await read(file.id)).toMatchObject({ index: false, status: 'upload_completed' });
    for (const round of [1, 2]) {
      const started = (await change(file.id, { index: true })).body.file;
      expect([round, started?.index]).toEqual([round, true]);
      await expect.poll(async () => (await read(file.id)).status, pollOptions).toBe('indexing_completed');
      // A second time changes nothing.
      expect((await change(file.id, { index: true })).body.file).toMatchObject({
        status: 'indexing_completed',
      });
      const stopped = (await change(file.id, { index: false })).body.file;
      expect(stopped).toMatchObject({ index: false, status: 'upload_completed' });
      expect((await fixture.call('bot', 'GET', `/${file.id}/passages`)).body.passages).toEqual([]);
    }
    expect(await fixture.read((await read(file.id)).url)).toBe('refunds');
  });

  test('is refused for a file of a knowledge base, and for a caller who only reads', async () => {
    const made = await fixture.call('bot', 'POST', '/knowledge-bases', { name: 'Base' });
    const { id: kbId } = made.body.knowledgeBase as unknown as { id: string };
    const file = await upsert('of-base.txt', { index: true, tags: { kbId } });
    expect((await change(file.id, { index: false })).body.type).toBe('InvalidPayload');
    expect((await change(file.id, { index: false, tags: { kbId: null } })).status).toBe(200);
    expect((await change(file.id, { index: true, tags: { kbId } })).status).toBe(200);
    expect((await fixture.call('viewer', 'PUT', `/${file.id}`, { index: false })).status).toBe(403);
    expect((await change(file.id, { index: 'yes' })).body.type).toBe('InvalidPayload');
  });
});
