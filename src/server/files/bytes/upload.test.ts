// Tests of uploads: split, interrupted, resumed, too long, too short and concurrent ones. No acknowledged byte is lost
// or mixed.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { NewFile } from '../../../protocol/types/chat.ts';
import { pollOptions, startTestServer, type TestServer } from '../../testing.ts';
import { createFileTokens } from './tokens.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  servers.push(server);
  const { key, id } = await server.user();
  return { server, key, id };
}

async function announce(server: TestServer, key: string, fields: Record<string, unknown> = {}) {
  const answer = await server.call('POST', '/files', { key, body: { key: 'a.bin', size: 10, ...fields } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.file as NewFile;
}

const pathOf = (url: string) => new URL(url).pathname;
const bytes = (text: string) => new TextEncoder().encode(text);

async function send(
  server: TestServer,
  method: string,
  { uploadUrl }: NewFile,
  body?: string | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
) {
  const patch = method === 'PATCH' ? { 'content-type': 'application/offset+octet-stream' } : {};
  const init = {
    method,
    headers: { ...patch, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? bytes(body) : body, duplex: 'half' }),
  };
  const response = await server.fetch(pathOf(uploadUrl), init as RequestInit);
  const text = await response.text();
  const offset = response.headers.get('upload-offset');
  return { status: response.status, offset: offset && Number(offset), type: text && JSON.parse(text).type };
}
const patch = (server: TestServer, file: NewFile, offset: number | string, body: string | ReadableStream) =>
  send(server, 'PATCH', file, body, { 'upload-offset': String(offset) });
const head = (server: TestServer, file: NewFile) => send(server, 'HEAD', file);
const read = async (server: TestServer, file: NewFile) => {
  const response = await server.fetch(pathOf(file.url));
  return response.status === 200 ? await response.text() : response.status;
};

/** Creates a body whose chunks the test sends. */
function feed() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return { body: readable, push: (text: string) => writer.write(bytes(text)), writer };
}

/** Returns the number of stored bytes. */
const stored = async (server: TestServer, file: NewFile) =>
  (await stat(join(server.home, 'files', file.id)).catch(() => undefined))?.size;

describe('announcing', () => {
  test('an accepted file is pending until its bytes arrive; unknown fields are ignored', async () => {
    const { server, key } = await start();
    const file = await announce(server, key, {
      key: 'Photo.PNG',
      accessPolicies: ['public_content'],
      index: false,
      tags: { a: 'b' },
      expiresAt: null,
    });
    expect(file).toEqual({
      id: expect.stringMatching(/^file_/),
      key: 'Photo.PNG',
      size: 10,
      contentType: 'image/png',
      status: 'upload_pending',
      url: expect.stringMatching(/^http:\/\/localhost\/chat\/demo\/files\/file_[^/]+\/Photo\.PNG$/),
      uploadUrl: expect.stringMatching(/^http:\/\/localhost\/chat\/demo\/uploads\/file_[^/]+$/),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await head(server, file)).toMatchObject({ status: 204, offset: 0 });
    expect(await read(server, file)).toBe(404);
  });

  test.each([
    [{ size: 0 }, 400, 'InvalidPayload'],
    [{ size: 101 }, 413, 'LimitExceeded'],
    [{ contentType: 'text/html' }, 415, 'UnsupportedMediaType'],
    [{ key: 'a.exe' }, 415, 'UnsupportedMediaType'],
  ])('%j is refused: %i %s', async (fields, status, type) => {
    const { server, key } = await start({ MAX_FILE_BYTES: 100, FILE_TYPES: ['image/*', 'text/plain'] });
    const body = { key: 'a.png', size: 10, ...fields };
    const response = await server.call('POST', '/files', { key, body });
    expect([response.status, response.body.type]).toEqual([status, type]);
    if (status === 413) expect(response.body.message).toContain('100');
    expect(await readdir(join(server.home, 'files'))).toEqual([]);
    expect(await server.db.read((tx) => tx.all('SELECT id FROM files'))).toEqual([]);
  });

  describe('the limits of a bot', () => {
    const bot = { maxFiles: 2.9, maxFileBytes: 50, fileTypes: 'Image/png, text/plain' };
    const settings = { MAX_FILE_BYTES: 100, FILE_TYPES: ['image/*', 'application/pdf'] };

    test.each([
      [{ size: 50, contentType: 'image/png' }, 201, undefined],
      [
        { size: 51, contentType: 'image/png' },
        413,
        'The file has 51 bytes, which exceeds the limit of 50 bytes.',
      ],
      // Allowed by the bot, but not by the settings.
      [
        { contentType: 'text/plain' },
        415,
        'Files of type text/plain are not allowed. Allowed types: image/*, application/pdf.',
      ],
      [
        { contentType: 'application/pdf' },
        415,
        'Files of type application/pdf are not allowed. Allowed types: image/png, text/plain.',
      ],
    ])('are enforced together with those of the server: %j gets %i', async (fields, status, message) => {
      const { server, key } = await start({ ...settings, configuration: bot });
      const response = await server.call('POST', '/files', { key, body: { key: 'a', size: 10, ...fields } });
      expect([response.status, response.body.message]).toEqual([status, message]);
    });

    test('are returned, narrowed to what the server accepts', async () => {
      const { server } = await start({ ...settings, configuration: bot });
      const { body } = await server.call('GET', '/webchat');
      expect(body.limits).toMatchObject({ fileBytes: 50, fileTypes: ['image/png'], filesPerMessage: 2 });
    });

    test('limits without a type in common with the server allow nothing, and name no type of the server', async () => {
      const { server, key } = await start({ ...settings, configuration: { fileTypes: 'text/csv' } });
      const { body } = await server.call('GET', '/webchat');
      expect(body.limits).toMatchObject({ fileTypes: ['text/csv'] });
      for (const contentType of ['text/csv', 'image/png']) {
        const response = await server.call('POST', '/files', {
          key,
          body: { key: 'a', size: 1, contentType },
        });
        expect(response.status).toBe(415);
      }
    });

    test('larger than those of the server have no effect', async () => {
      const { server, key } = await start({ ...settings, configuration: { maxFileBytes: 1_000 } });
      expect((await server.call('GET', '/webchat')).body.limits).toMatchObject({ fileBytes: 100 });
      const body = { key: 'a.png', size: 101 };
      expect((await server.call('POST', '/files', { key, body })).status).toBe(413);
    });

    test('a message with too many files is refused, also with files of another server; one with as many is stored', async () => {
      const { server, key } = await start({ configuration: bot });
      const conversationId = await server.conversation(key);
      const image = { type: 'image', imageUrl: 'https://a.example/x.png' };
      const nested = { type: 'audio', payload: { audioUrl: 'https://a.example/x.mp3' } };
      const post = (items: object[]) =>
        server.call('POST', '/messages', {
          key,
          body: { conversationId, payload: { type: 'bloc', items: [...items, { type: 'text', text: 'x' }] } },
        });
      const refused = await post([image, nested, image]);
      expect([refused.status, refused.body]).toEqual([
        413,
        expect.objectContaining({
          type: 'LimitExceeded',
          message: 'The message has 3 files, which exceeds the limit of 2 files.',
          metadata: { limit: 2 },
        }),
      ]);
      expect((await post([image, nested])).status).toBe(201);
      expect((await post([])).status).toBe(201);
    });

    test('change with the stored configuration, at once', async () => {
      const { server, key } = await start();
      const announcing = () => server.call('POST', '/files', { key, body: { key: 'a.png', size: 60 } });
      expect((await announcing()).status).toBe(201);
      const headers = {
        authorization: `Bearer ${server.admin.token}`,
        'x-workspace-id': server.admin.workspaceId,
        'content-type': 'application/json',
      };
      const { bots } = (await (await server.fetch('/v1/admin/bots', { headers })).json()) as {
        bots: { id: string }[];
      };
      const put = (configuration: object) =>
        server.fetch(`/v1/admin/bots/${bots[0]?.id}/webchat`, {
          method: 'PUT',
          headers,
          body: JSON.stringify({ configuration }),
        });
      expect((await put({ fileTypes: 'png' })).status).toBe(400);
      expect((await put(bot)).status).toBe(200);
      expect((await announcing()).status).toBe(413);
    });
  });

  test('addresses begin with PUBLIC_URL, otherwise with the address in the proxy headers, otherwise with that of the request', async () => {
    const { server, key } = await start();
    const ask = async (headers: Record<string, string>, on = server) =>
      ((await on.call('POST', '/files', { key, body: { key: 'a', size: 1 }, headers })).body.file as NewFile)
        .url;
    const proxied = { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'chat.example:8443' };
    expect(await ask(proxied)).toMatch(/^https:\/\/chat\.example:8443\/chat\/demo\/files\//);
    const forged = { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a.example/evil?' };
    expect(await ask(forged)).toMatch(/^http:\/\/localhost\/chat\/demo\/files\//);
    const fixed = await server.restart({ PUBLIC_URL: 'https://public.example' });
    servers[0] = fixed;
    expect(await ask(proxied, fixed)).toMatch(/^https:\/\/public\.example\/chat\/demo\/files\//);
  });

  test('the same Idempotency-Key returns the same file; its addresses are not stored', async () => {
    const { server, key } = await start();
    const headers = { 'idempotency-key': 'once' };
    const body = { key: 'a', size: 1 };
    const [a, b] = [
      await server.call('POST', '/files', { key, body, headers }),
      await server.call('POST', '/files', { key, body, headers }),
    ];
    expect(b.body).toEqual(a.body);
    const rows = await server.db.read((tx) => tx.all('SELECT response FROM requests'));
    expect(JSON.stringify(rows)).not.toMatch(/uploads|http/);
  });

  test('a page of another origin can neither announce nor upload', async () => {
    const { server, key } = await start({ ALLOWED_ORIGINS: ['https://a.example'] });
    const headers = { origin: 'https://b.example' };
    const body = { key: 'a', size: 1 };
    expect((await server.call('POST', '/files', { key, body, headers })).status).toBe(403);
    const file = await announce(server, key, { size: 1 });
    expect((await send(server, 'PUT', file, 'x', headers)).status).toBe(403);
    expect((await send(server, 'PUT', file, 'x', { origin: 'https://a.example' })).status).toBe(204);
  });
});

describe('bytes', () => {
  test('are uploaded in several PATCH requests, each at the end of the previous one', async () => {
    const { server, key } = await start();
    const file = await announce(server, key);
    expect(await patch(server, file, 0, '0123')).toMatchObject({ status: 204, offset: 4 });
    expect(await read(server, file)).toBe(404);
    expect(await patch(server, file, 3, 'xx')).toEqual({ status: 409, offset: 4, type: 'RelationConflict' });
    expect(await patch(server, file, 5, 'xx')).toMatchObject({ status: 409, offset: 4 });
    expect(await patch(server, file, 4, '')).toMatchObject({ status: 204, offset: 4 });
    expect(await patch(server, file, 4, '456789')).toMatchObject({ status: 204, offset: 10 });
    expect(await read(server, file)).toBe('0123456789');
  });

  test.each([
    ['no offset', 'PATCH', {}, 400],
    ['an offset that is none', 'PATCH', { 'upload-offset': '-1' }, 400],
    ['another content type', 'PATCH', { 'upload-offset': '0', 'content-type': 'text/plain' }, 415],
    ['compressed bytes', 'PUT', { 'content-encoding': 'gzip' }, 415],
    ['another method', 'POST', {}, 405],
    ['another method', 'GET', {}, 405],
  ])('%s: %s %j is %i', async (_, method, headers, status) => {
    const { server, key } = await start();
    const file = await announce(server, key);
    const body = method === 'GET' ? undefined : '0123456789';
    expect((await send(server, method, file, body, headers as Record<string, string>)).status).toBe(status);
    expect(await head(server, file)).toMatchObject({ status: 204, offset: 0 });
  });

  test('of a request with too many are rejected by its length and while they arrive, and none of them is kept', async () => {
    const { server, key } = await start();
    const file = await announce(server, key);
    await patch(server, file, 0, '0123');
    const long = { 'upload-offset': '4', 'content-length': '7' };
    expect(await send(server, 'PATCH', file, '4567890', long)).toEqual({
      status: 413,
      offset: 4,
      type: 'PayloadTooLarge',
    });
    const { body, push, writer } = feed();
    const pushed = (async () => {
      await push('4567');
      await push('8901');
      await writer.close();
    })().catch(() => {});
    expect(await patch(server, file, 4, body)).toMatchObject({ status: 413, offset: 4 });
    await pushed;
    expect(await stored(server, file)).toBe(4);
    expect(await patch(server, file, 4, '456789')).toMatchObject({ status: 204, offset: 10 });
    expect(await read(server, file)).toBe('0123456789');
  });

  test('of a PUT with too few are rejected, and the upload can be continued; another PUT starts again', async () => {
    const { server, key } = await start();
    const file = await announce(server, key);
    expect(await send(server, 'PUT', file, '0123')).toEqual({
      status: 400,
      offset: 4,
      type: 'InvalidPayload',
    });
    expect(await head(server, file)).toMatchObject({ offset: 4 });
    expect(await send(server, 'PUT', file, 'ab')).toMatchObject({ status: 400, offset: 2 });
    expect(await patch(server, file, 2, 'cdefghij')).toMatchObject({ status: 204, offset: 10 });
    expect(await read(server, file)).toBe('abcdefghij');
  });

  test('of a complete file cannot be changed', async () => {
    const { server, key } = await start();
    const file = await announce(server, key);
    await send(server, 'PUT', file, '0123456789');
    expect(await send(server, 'PUT', file, 'abcdefghij')).toEqual({
      status: 409,
      offset: 10,
      type: 'AlreadyExists',
    });
    expect(await patch(server, file, 10, 'x')).toMatchObject({ status: 409, offset: 10 });
    expect(await read(server, file)).toBe('0123456789');
  });

  test('that arrived before an interruption are kept, counted by HEAD, and continued after a restart', async () => {
    const { server, key } = await start();
    const file = await announce(server, key);
    const { body, push, writer } = feed();
    const cut = send(server, 'PUT', file, body);
    await push('01234');
    await expect.poll(() => stored(server, file), pollOptions).toBe(5);
    await writer.abort(new Error('cut'));
    expect(await cut).toMatchObject({ status: 400, type: 'InvalidDataFormat' });
    expect(await head(server, file)).toMatchObject({ offset: 5 });
    const again = await server.restart();
    servers[0] = again;
    expect(await head(again, file)).toMatchObject({ offset: 5 });
    expect(await patch(again, file, 5, '56789')).toMatchObject({ status: 204, offset: 10 });
    expect(await read(again, file)).toBe('0123456789');
  });

  test.each(['PUT', 'PATCH', 'HEAD'])(
    'twice at once: a later %s takes over, bytes never mix',
    async (method) => {
      const { server, key } = await start();
      const file = await announce(server, key);
      const { body, push } = feed();
      const first = send(server, 'PUT', file, body);
      await push('01234');
      await expect.poll(() => stored(server, file), pollOptions).toBe(5);
      const second =
        method === 'PUT'
          ? await send(server, 'PUT', file, 'abcdefghij')
          : method === 'PATCH'
            ? await patch(server, file, 5, '56789')
            : await head(server, file);
      expect(await first).toMatchObject({ status: 409, type: 'ResourceLockedConflict' });
      push('XXXXX').catch(() => {});
      expect(second).toMatchObject({ status: 204, offset: method === 'HEAD' ? 5 : 10 });
      if (method === 'HEAD') await patch(server, file, 5, '56789');
      expect(await read(server, file)).toBe(method === 'PUT' ? 'abcdefghij' : '0123456789');
    },
  );

  test('are not read faster than they are written', async () => {
    const { server, key } = await start();
    const size = 20_000_000;
    const file = await announce(server, key, { size });
    let taken = 0;
    let ahead = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          ahead = Math.max(ahead, taken - ((await stored(server, file)) ?? 0));
          controller.enqueue(new Uint8Array(100_000));
          taken += 100_000;
          if (taken === size) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    expect(await send(server, 'PUT', file, body)).toMatchObject({ status: 204, offset: size });
    expect(ahead).toBeLessThan(400_000);
  });
});

describe('the address of an upload', () => {
  test('is rejected if it is forged, guessed, for another purpose or of another server', async () => {
    const { server, key } = await start();
    const file = await announce(server, key, { size: 1 });
    const other = await announce(server, key, { size: 1 });
    const token = pathOf(file.uploadUrl).split('/').pop() ?? '';
    const download = pathOf(file.url).split('/').at(-2) ?? '';
    const [id = '', ...rest] = token.split('-');
    const signature = rest.join('-');
    const forged = [
      id,
      `${id}-`,
      `${id}-${signature.slice(0, -1)}`,
      `${id}-${signature}A`,
      `${id}-${signature.toLowerCase()}`,
      `${other.id}-${signature}`,
      download,
      '',
      'x',
      '%00',
      '..%2F..%2Fetc%2Fpasswd-x',
      createFileTokens('another secret of 16').sign('upload', file.id),
      createFileTokens('a secret for tests only').sign('upload', 'file_01JD0000000000000000000000'),
      // The last character of base64url contains unused bits, so this text decodes to the same bytes.
      token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) ^ 1),
    ];
    for (const token of forged) {
      const response = await server.fetch(`/chat/demo/uploads/${token}`, { method: 'PUT', body: 'x' });
      expect([token, response.status]).toEqual([token, 404]);
    }
    expect(await server.fetch(`/chat/demo/files/${token}/a`)).toMatchObject({ status: 404 });
    expect(await head(server, file)).toMatchObject({ status: 204, offset: 0 });
  });

  test.each([
    '../../etc/passwd',
    '..',
    '\\\\server\\share',
    'quote".png',
    'line\r\nset-cookie: a=b',
    'שלום.txt',
    'gpj\u202e.exe',
    "a b+c%2F(d)'e*!#?&.txt",
    '\u2028.txt',
  ])('the name %j affects only the file itself', async (name) => {
    const { server, key } = await start();
    const file = await announce(server, key, { key: name, size: 1 });
    expect(file.key).toBe(name);
    expect((await send(server, 'PUT', file, 'x')).status).toBe(204);
    expect(await readdir(join(server.home, 'files'))).toEqual([file.id]);
    const response = await server.fetch(pathOf(file.url));
    expect(await response.text()).toBe('x');
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w.%~-]+$/);
    const saved = decodeURIComponent(disposition.split("UTF-8''")[1] ?? '');
    expect(saved).not.toMatch(/[/\\\r\n\u202e\u2028]|^\.*$/);
    if (name === 'שלום.txt') expect(saved).toBe(name);
  });
});

describe('the type of the content', () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  async function upload(
    server: TestServer,
    key: string,
    name: string,
    content: Buffer,
    contentType?: string,
  ) {
    const size = content.length;
    const file = await announce(server, key, { key: name, size, ...(contentType ? { contentType } : {}) });
    const response = await server.fetch(pathOf(file.uploadUrl), {
      method: 'PUT',
      body: new Uint8Array(content),
    });
    const got = await server.fetch(pathOf(file.url));
    await got.body?.cancel();
    return { file, status: response.status, got };
  }

  test('is checked if types are restricted; a rejected file leaves no data', async () => {
    const { server, key } = await start({ MAX_FILE_BYTES: 1_000, FILE_TYPES: ['image/*'] });
    const picture = Buffer.from(png, 'base64');
    expect((await upload(server, key, 'a.jpg', picture)).got.headers.get('content-type')).toBe('image/png');
    for (const content of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7 x', 'MZ\u0090', 'words']) {
      const { file, status, got } = await upload(server, key, 'a.png', Buffer.from(content));
      expect([content, status, got.status]).toEqual([content, 415, 404]);
      expect(await head(server, file)).toMatchObject({ status: 404 });
    }
    expect(await readdir(join(server.home, 'files'))).toHaveLength(1);
    await expect
      .poll(() => server.db.read((tx) => tx.all('SELECT id FROM files')), pollOptions)
      .toHaveLength(1);
  });
});

describe('the cleanup of uploads', () => {
  const names = (server: TestServer) => () => readdir(join(server.home, 'files'));

  test('deletes files of a deleted user, which are inaccessible at once', async () => {
    const { server, key } = await start();
    const other = await server.user();
    const complete = await announce(server, other.key);
    await send(server, 'PUT', complete, '0123456789');
    const [done, pending] = [await announce(server, key), await announce(server, key)];
    await send(server, 'PUT', done, '0123456789');
    await patch(server, pending, 0, '01');
    await server.call('DELETE', '/users/me', { key });
    expect(await read(server, done)).toBe(404);
    expect(await head(server, pending)).toMatchObject({ status: 404 });
    await expect.poll(names(server), pollOptions).toEqual([complete.id]);
    await expect
      .poll(() => server.db.read((tx) => tx.all<{ id: string }>('SELECT id FROM files')), pollOptions)
      .toEqual([{ id: complete.id }]);
  });

  test('ends an upload in progress when its user is deleted', async () => {
    const { server, key } = await start();
    const file = await announce(server, key);
    const { body, push } = feed();
    const upload = send(server, 'PUT', file, body);
    await push('01234');
    await expect.poll(() => stored(server, file), pollOptions).toBe(5);
    await server.call('DELETE', '/users/me', { key });
    expect((await upload).status).toBe(409);
    await expect.poll(names(server), pollOptions).toEqual([]);
  });

  test('deletes uploads that are incomplete after a day, and orphaned files at the start, and no other files', async () => {
    let time = Date.now();
    const { server, key } = await start({ now: () => time });
    const [done, pending] = [await announce(server, key), await announce(server, key)];
    await send(server, 'PUT', done, '0123456789');
    await patch(server, pending, 0, '01');
    const folder = join(server.home, 'files');
    await writeFile(join(folder, 'file_01JD0000000000000000000000'), 'orphan');
    await writeFile(join(folder, 'notes.txt'), 'not ours');
    time += 23 * 3_600_000;
    let again = await server.restart();
    await expect
      .poll(async () => (await names(again)()).sort(), pollOptions)
      .toEqual([done.id, pending.id, 'notes.txt'].sort());
    time += 2 * 3_600_000;
    again = await again.restart();
    servers[0] = again;
    await expect
      .poll(async () => (await names(again)()).sort(), pollOptions)
      .toEqual([done.id, 'notes.txt'].sort());
    expect(await head(again, pending)).toMatchObject({ status: 404 });
    expect(await readFile(join(folder, done.id), 'utf8')).toBe('0123456789');
  });
});
