// Tests the methods of files that send several requests, against the server: the forms of contents, addresses, failures, aborts.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Client, type ClientOptions, FileUploadError, NetworkError } from '../index.ts';
import { type RelayedServer, startRelayedServer } from '../testing.ts';

let relayed: RelayedServer;
let botId: string;
beforeAll(async () => {
  relayed = await startRelayedServer();
  [{ id: botId } = { id: '' }] = (await client().listBots()).bots;
});
afterAll(() => relayed.close());

function client(options: ClientOptions = {}): Client {
  const { workspaceId, token = '' } = relayed.server.admin;
  return new Client({ apiUrl: relayed.directUrl, token, workspaceId, botId, retry: 0, ...options });
}

let count = 0;
/** A text that no other test uses. */
const fresh = (word: string) => `${word}-${++count}`;

describe('a file', () => {
  test.each<[string, string | ArrayBuffer | Uint8Array<ArrayBuffer> | Blob, string]>([
    ['nothing', '', ''],
    ['text, as UTF-8', 'Grüße 👍', 'Grüße 👍'],
    ['an ArrayBuffer', new TextEncoder().encode('bytes').buffer, 'bytes'],
    ['a part of a buffer', new TextEncoder().encode('-part-').subarray(1, 5), 'part'],
    ['a Buffer', Buffer.from('buffer'), 'buffer'],
    ['a Blob', new Blob(['blob']), 'blob'],
    ['a File', new File(['file'], 'a.txt'), 'file'],
  ])('is sent as %s, and can be read', async (_, content, expected) => {
    const key = fresh('Grüße/ü.txt');
    const progress: [number, number][] = [];
    const { file } = await client().uploadFile({
      key,
      content,
      tags: { kind: 'a' },
      onProgress: (sent, total) => progress.push([sent, total]),
    });
    const size = new TextEncoder().encode(expected).length;
    expect(file).toMatchObject({
      key,
      size,
      status: 'upload_completed',
      tags: { kind: 'a' },
      botId,
    });
    expect(progress.at(-1)).toEqual([size, size]);
    for (const id of [file.id, key]) {
      expect(await (await client().downloadFile({ id })).text()).toBe(expected);
    }
  });

  test('is fetched from an address, without sending the token', async () => {
    const fetch = vi.fn(async (url: string, init: RequestInit) => {
      if (url !== 'https://files.test/a.csv?b') return globalThis.fetch(url, init);
      expect(JSON.stringify(init)).not.toContain(relayed.server.admin.token);
      return new Response('a,b', { headers: { 'content-type': 'text/csv; charset=utf-8' } });
    });
    const { file } = await client({ fetch }).uploadFile({
      key: fresh('a'),
      url: 'https://files.test/a.csv?b',
    });
    expect(file).toMatchObject({ contentType: 'text/csv', size: 3 });
  });

  test('keeps the charset that its source declares', async () => {
    const koi8 = Buffer.from('Ort\n\xed\xcf\xd3\xcb\xd7\xc1\n', 'latin1');
    const announced: string[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      if (url === 'https://files.test/a.csv')
        return new Response(koi8, { headers: { 'content-type': 'text/csv; charset=KOI8-R' } });
      if (typeof init.body === 'string') announced.push(JSON.parse(init.body).contentType);
      return globalThis.fetch(url, init);
    };
    await client({ fetch }).uploadFile({ key: fresh('a'), url: 'https://files.test/a.csv' });
    expect(announced.map((type) => type.toLowerCase())).toEqual(['text/csv; charset=koi8-r']);
  });

  test.each<[boolean | undefined, string | null]>([
    [true, 'public=true'],
    [false, null],
    [undefined, null],
  ])('that is public immediately (%s) has that header at its upload address', async (flag, expected) => {
    const seen: (string | null)[] = [];
    const fetch = (url: string, init: RequestInit) => {
      const tagging = new Headers(init.headers).get('x-amz-tagging');
      if (init.method === 'PUT' && url.includes('/uploads/')) seen.push(tagging);
      else expect(tagging).toBeNull();
      return globalThis.fetch(url, init);
    };
    const { file } = await client({ fetch }).uploadFile({
      key: fresh('public.txt'),
      content: 'a',
      accessPolicies: ['public_content'],
      ...(flag !== undefined && { publicContentImmediatelyAccessible: flag }),
    });
    expect([seen, file.status, file.size]).toEqual([[expected], 'upload_completed', 1]);
  });
});

test('an upload with neither content nor address, with both, or with an invalid content is refused', async () => {
  const api = client() as unknown as { uploadFile(input: object): Promise<unknown> };
  for (const input of [{}, { content: 'a', url: 'b' }, { content: 7 }, { content: {} }]) {
    await expect(api.uploadFile({ key: 'a', ...input })).rejects.toThrow(TypeError);
  }
});

test('a refusal of the server, and a cut, report the file and the cause', async () => {
  const refused = await client()
    .uploadFile({ key: '', content: 'a' })
    .catch((error) => error);
  expect(refused).toBeInstanceOf(FileUploadError);
  expect(refused).toMatchObject({ innerError: { code: 400, type: 'InvalidPayload' }, file: undefined });

  const key = fresh('cut.txt');
  const cutting = client({
    fetch: (url, init) =>
      url.includes('/uploads/') ? Promise.reject(new TypeError('cut')) : fetch(url, init),
  });
  const cut = await cutting.uploadFile({ key, content: 'a' }).catch((error) => error);
  expect(cut).toMatchObject({ name: 'FileUploadError', file: { key, status: 'upload_pending' } });
  expect(cut.innerError).toBeInstanceOf(NetworkError);
});

test('if aborted before, after the announcement or during the transfer, an upload ends with the reason', async () => {
  const reason = new Error('left');
  const content = new Blob([new Uint8Array(3_000_000)]);
  const before = AbortSignal.abort(reason);
  await expect(client().uploadFile({ key: 'a', content, signal: before })).rejects.toBe(reason);
  const announced = new AbortController();
  const fetch = async (url: string, init: RequestInit) => {
    if (url.includes('/uploads/')) announced.abort(reason);
    return globalThis.fetch(url, init);
  };
  await expect(
    client({ fetch }).uploadFile({ key: fresh('a'), content, signal: announced.signal }),
  ).rejects.toBe(reason);
  const onTheWay = new AbortController();
  await expect(
    client().uploadFile({
      key: fresh('a'),
      content,
      signal: onTheWay.signal,
      onProgress: () => onTheWay.abort(reason),
    }),
  ).rejects.toBe(reason);
});

test('if aborted, a download also ends its body', async () => {
  const { file } = await client().uploadFile({
    key: fresh('big'),
    content: new Blob([new Uint8Array(5_000_000)]),
  });
  const controller = new AbortController();
  const reason = new Error('left');
  const { body } = await client().downloadFile({ id: file.id }, { signal: controller.signal });
  controller.abort(reason);
  const read = async () => {
    for await (const _ of body as unknown as AsyncIterable<Uint8Array>);
  };
  await expect(read()).rejects.toBe(reason);
});
