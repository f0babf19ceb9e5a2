// Tests of downloads: ranges and conditional requests as specified, and no content that a browser could execute on this
// origin.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewFile } from '../../../protocol/types/chat.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ ALLOWED_ORIGINS: ['https://a.example'] });
  key = (await server.user()).key;
});
afterAll(() => server.close());

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(name: string, content: string | Buffer, contentType?: string): Promise<string> {
  const bytes = new Uint8Array(Buffer.from(content));
  const body = { key: name, size: bytes.length, ...(contentType ? { contentType } : {}) };
  const file = (await server.call('POST', '/files', { key, body })).body.file as NewFile;
  const response = await server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: bytes });
  expect(response.status).toBe(204);
  return new URL(file.url).pathname;
}

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await server.fetch(path, { method, headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

test('everyone who has the address of a file can read it, without a key and from any page', async () => {
  const path = await upload('a.png', png);
  for (const headers of [{}, { origin: 'https://b.example' }, { origin: 'null' }]) {
    const answer = await get(path, headers as Record<string, string>);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="a.png"; filename*=UTF-8\'\'a.png',
      'content-length': String(png.length),
      'accept-ranges': 'bytes',
      'cache-control': expect.stringMatching(/private.*immutable/),
    });
  }
  const preflight = await get(path, { origin: 'https://b.example' }, 'OPTIONS');
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  const wrong = await get(path, {}, 'DELETE');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect((await get(path.replace(/[^/]+$/, 'another name'))).status).toBe(200);
});

describe('ranges', () => {
  const whole = '0123456789';
  let path: string;
  beforeAll(async () => {
    path = await upload('digits.txt', whole);
  });

  test.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=5-', '56789', 'bytes 5-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', whole, 'bytes 0-9/10'],
    ['bytes=9-99999999999999999999', '9', 'bytes 9-9/10'],
    ['BYTES=1-1', '1', 'bytes 1-1/10'],
  ])('%s is answered with 206', async (range, text, contentRange) => {
    const answer = await get(path, { range });
    expect([answer.status, answer.text, answer.headers.get('content-range')]).toEqual([
      206,
      text,
      contentRange,
    ]);
    expect(answer.headers.get('content-length')).toBe(String(text.length));
    const head = await get(path, { range }, 'HEAD');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      206,
      '',
      String(text.length),
    ]);
  });

  test.each(['bytes=10-', 'bytes=99999999999999999999-', 'bytes=-0'])(
    '%s is answered with 416',
    async (range) => {
      const answer = await get(path, { range });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10']);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 416 });
    },
  );

  test.each(['bytes=4-2', 'bytes=-', 'bytes=', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b', 'bytes=1--2'])(
    '%s is answered with all bytes',
    async (range) => {
      const answer = await get(path, { range });
      expect([answer.status, answer.text]).toEqual([200, whole]);
    },
  );

  test('If-Range and If-None-Match compare the ETag of the file', async () => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const part = { range: 'bytes=0-1' };
    expect((await get(path, { ...part, 'if-range': etag })).status).toBe(206);
    expect((await get(path, { ...part, 'if-range': '"other"' })).status).toBe(200);
    expect((await get(path, { ...part, 'if-range': `W/${etag}` })).status).toBe(200);
    expect((await get(path, { ...part, 'if-range': new Date().toUTCString() })).status).toBe(200);
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await get(path, { 'if-none-match': tag });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('executable content is only downloaded', () => {
  const html = '<!doctype html><script>alert(1)</script>';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  const gifHtml = `GIF89a/*${html}*/`;
  test.each([
    ['a.html', html, 'text/html', 'application/octet-stream', 'attachment'],
    ['a.xhtml', html, 'application/xhtml+xml', 'application/octet-stream', 'attachment'],
    ['a.png', html, 'image/png', 'application/octet-stream', 'attachment'],
    ['a.svg', svg, 'image/svg+xml', 'application/octet-stream', 'attachment'],
    ['a.svg', `<?xml version="1.0"?>${svg}`, 'image/svg+xml', 'application/octet-stream', 'attachment'],
    ['a.xml', '<?xml version="1.0"?><a/>', 'text/xml', 'application/octet-stream', 'attachment'],
    ['a.js', 'alert(1)', 'text/javascript', 'application/octet-stream', 'attachment'],
    ['a.pdf', '%PDF-1.7\n', 'application/pdf', 'application/pdf', 'attachment'],
    ['a.txt', html, 'text/plain', 'text/plain', 'attachment'],
    ['BM.txt', 'BM is how a bitmap begins', 'text/plain', 'text/plain', 'attachment'],
    ['excel.txt', Buffer.from('\ufeffPreis\tMenge', 'utf16le'), undefined, 'text/plain', 'attachment'],
    // A polyglot file has the type of its first bytes, and is shown only as that type.
    ['a.html', gifHtml, 'text/html; charset=utf-8', 'application/octet-stream', 'attachment'],
    ['a.gif', gifHtml, 'image/gif', 'image/gif', 'inline'],
    ['a.jpg', png, 'image/jpeg', 'image/png', 'inline'],
    ['a', png, undefined, 'image/png', 'inline'],
    ['a.mp3', html, 'audio/mpeg', 'audio/mpeg', 'inline'],
    ['a.mp3', png, 'audio/mpeg', 'image/png', 'inline'],
    ['a.svg', html, 'video/svg+xml', 'application/octet-stream', 'attachment'],
    ['voice.webm', webm(), 'audio/webm;codecs=opus', 'audio/webm', 'inline'],
    ['film', webm(), undefined, 'video/webm', 'inline'],
    [
      'a.docx',
      zip(),
      undefined,
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'attachment',
    ],
    ['a.exe', 'MZ\u0090\0', undefined, 'application/x-msdownload', 'attachment'],
  ])('%s %j as %s: %s, %s', async (name, content, declared, type, disposition) => {
    const { headers, status } = await get(await upload(name, content, declared));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`));
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

/** Returns the beginning of a WebM file: an EBML header with the document type `webm`. */
function webm(): Buffer {
  return Buffer.from(
    '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
    'hex',
  );
}

/** Returns the beginning of a ZIP archive that does not show the format of its content. */
function zip(): Buffer {
  return Buffer.concat([Buffer.from('504b0304140000000800', 'hex'), Buffer.alloc(40)]);
}
