// The cases of the Files API, for platform.contract.ts.
import { describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import { type Client, FileUploadError, NetworkError } from '../index.ts';
import { cuttingClient, type PlatformContractFixture, refusal } from './fixture.contract.ts';

export function filesContract(fixture: PlatformContractFixture): void {
  const { server, client, fresh } = fixture;
  const upload = (api: Client, key: string, content: string, more: object = {}) =>
    api.uploadFile({ key, content, ...more }).then(({ file }) => file);

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
        botId: server().botId,
      });
      expect(progress.at(-1)).toEqual([size, size]);
      for (const id of [file.id, key]) {
        expect(await (await client().downloadFile({ id })).text()).toBe(expected);
      }
    });

    test('is replaced by another one with the same key, and keeps its id', async () => {
      const key = fresh('twice.txt');
      const { id } = await upload(client(), key, 'first');
      const again = await upload(client(), key, 'second!');
      expect([again.id, again.size]).toEqual([id, 7]);
      expect(await (await client().downloadFile({ id })).text()).toBe('second!');
    });

    test('is fetched from an address, without sending the token', async () => {
      const fetch = vi.fn(async (url: string, init: RequestInit) => {
        if (url !== 'https://files.test/a.csv?b') return server().fetch(url, init);
        expect(JSON.stringify(init)).not.toContain(server().token);
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
        return server().fetch(url, init);
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
        return server().fetch(url, init);
      };
      const { file } = await client({ fetch }).uploadFile({
        key: fresh('public.txt'),
        content: 'a',
        accessPolicies: ['public_content'],
        ...(flag !== undefined && { publicContentImmediatelyAccessible: flag }),
      });
      expect([seen, file.status, file.size]).toEqual([[expected], 'upload_completed', 1]);
    });

    test('is changed, listed by its properties, copied and deleted', async () => {
      const kind = fresh('kind');
      const { id, key } = await upload(client(), fresh('a.txt'), 'a', { tags: { kind, 'dotted.name': 'x' } });
      const other = await upload(client(), fresh('b.txt'), 'b', { tags: { kind } });
      const changes = { metadata: { n: 1 }, tags: { more: 'm' } };
      const { file } = await client().updateFileMetadata({ id, ...changes });
      expect(file).toMatchObject({ metadata: { n: 1 }, tags: { kind, 'dotted.name': 'x', more: 'm' } });
      expect((await client().getFile({ id: key })).file.id).toBe(id);

      const idsOf = async (input: Parameters<Client['list']['files']>[0]) =>
        (await client().list.files(input).collect()).map((one) => one.id).sort();
      const both = [id, other.id].sort();
      expect(await idsOf({ tags: { kind } })).toEqual(both);
      expect(await idsOf({ tags: { kind: [kind, 'x'] } })).toEqual(both);
      expect(await idsOf({ tags: { kind, more: { exists: false } } })).toEqual([other.id]);
      expect(await idsOf({ tags: { kind, 'dotted.name': 'x' } })).toEqual([id]);
      expect(await idsOf({ ids: [id] })).toEqual([id]);
      expect(await idsOf({ ids: both, pageSize: 1 })).toEqual(both);
      // An empty list of ids does not mean all ids.
      expect(await idsOf({ ids: [] })).toEqual([]);
      expect(await client().list.fileTags().collect()).toEqual(expect.arrayContaining(['kind', 'more']));
      expect(await client().list.fileTagValues({ tag: 'kind' }).collect()).toContain(kind);

      const destinationKey = fresh('copy/of.txt');
      const copy = await client().copyFile({ idOrKey: key, destinationKey });
      expect(copy.file).toMatchObject({ key: destinationKey, size: 1 });
      expect(await refusal(client().copyFile({ idOrKey: id, destinationKey }))).toBe('409 AlreadyExists');
      expect(await client().deleteFile({ id })).toEqual({});
      expect(await refusal(client().getFile({ id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().deleteFile({ id }))).toBe('404 ResourceNotFound');
    });

    test('that is announced twice with one request is created once', async () => {
      const key = fresh('once.txt');
      const fields = { key, size: 1 };
      const [one, two] = [await client().upsertFile(fields), await client().upsertFile(fields)];
      expect(two.file.id).toBe(one.file.id);
      expect(one.file).toMatchObject({ status: 'upload_pending', size: null });
    });

    test('that is a text is found by its content', async () => {
      const word = fresh('zanzibar').replace('-', '');
      const { id } = await upload(client(), `${fresh('a')}.md`, `# A head\n\nHere is ${word}.\n`, {
        index: true,
      });
      await waitFor(async () =>
        expect((await client().getFile({ id })).file).toMatchObject({ status: 'indexing_completed' }),
      );
      const { passages } = await client().searchFiles({ query: word, limit: 5 });
      expect(passages.map(({ file }) => file.id)).toEqual([id]);
      expect(
        (await client().list.filePassages({ id }).collect()).map(({ content }) => content).join(' '),
      ).toContain(word);
      await client().setFilePassages({ id, passages: [{ content: `only ${word}x` }] });
      expect((await client().listFilePassages({ id })).passages).toHaveLength(1);
      await client().setFilePassages({
        id,
        passages: ['one', 'two', 'three'].map((content) => ({ content })),
      });
      const page = await client().listFilePassages({ id, pageSize: 2 });
      expect([page.passages.length, page.meta.nextToken]).toEqual([2, expect.any(String)]);
      const all = await client().list.filePassages({ id, pageSize: 1 }).collect();
      expect(all.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
      expect((await client().getFileStorage()).storage.files.count).toBeGreaterThan(0);
    });
  });

  test('knowledge bases are created, changed, listed and deleted', async () => {
    const name = fresh('Docs');
    const { knowledgeBase } = await client().createKnowledgeBase({ name });
    const { id } = knowledgeBase;
    const changed = await client().updateKnowledgeBase({ id, name: `${name}!` });
    expect(await client().list.knowledgeBases().collect()).toContainEqual(changed.knowledgeBase);
    expect(await client().deleteKnowledgeBase({ id })).toEqual({});
    expect((await client().list.knowledgeBases().collect()).map((one) => one.id)).not.toContain(id);
  });

  test('a creating request that is repeated has one effect', async () => {
    const name = fresh('Once');
    const { cutting, requests } = cuttingClient(fixture);
    await cutting.createKnowledgeBase({ name });
    const all = await client().list.knowledgeBases().collect();
    expect([requests(), all.filter((one) => one.name === name)]).toEqual([2, [expect.anything()]]);
  });

  describe('refusals', () => {
    test.each(['../x', 'a/b?c#d', 'Grüße 👍', '..\\x', '%2e%2e'])('the id %j does not exist', async (id) => {
      expect(await refusal(client().getFile({ id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().downloadFile({ id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().deleteFile({ id }))).toBe('404 ResourceNotFound');
    });

    test.each(['', '.', '..', 'tags', 'search', 'knowledge-bases'])(
      'the id %j would change the address',
      async (id) => {
        await expect(client().getFile({ id })).rejects.toThrow(TypeError);
      },
    );

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
          url.includes('/uploads/') ? Promise.reject(new TypeError('cut')) : server().fetch(url, init),
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
        return server().fetch(url, init);
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
  });
}
