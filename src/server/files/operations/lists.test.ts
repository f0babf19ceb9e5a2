// Tests of lists of files: every order and filter, stable pages while files are added and deleted, tags, knowledge
// bases.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlatformFile } from '../../../protocol/types/files.ts';
import type { TagFilter } from '../../../protocol/types/tags.ts';
import { type FilesFixture, startFilesFixture } from '../testing.ts';

let fixture: FilesFixture;
beforeAll(async () => {
  fixture = await startFilesFixture();
});
afterAll(() => fixture.server.close());

const announce = async (key: string, fields: object = {}) => {
  fixture.clock.now += 1_000;
  const { status, body } = await fixture.call('bot', 'PUT', '', { key, size: 5, ...fields });
  expect([status, body.message]).toEqual([200, undefined]);
  return body.file as PlatformFile;
};
const list = async (query = '') => {
  const { status, body } = await fixture.call('bot', 'GET', query && `?${query}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return { keys: (body.files ?? []).map(({ key }) => key), meta: body.meta ?? {} };
};
/** Returns all pages; `between` runs before each page except the first. */
async function all(query: string, between: (page: number) => Promise<unknown> = async () => {}) {
  const keys: string[] = [];
  let token: string | undefined;
  for (let page = 0; ; page += 1) {
    if (page > 0) await between(page);
    const answer = await list(`${query}${token ? `&nextToken=${encodeURIComponent(token)}` : ''}`);
    keys.push(...answer.keys);
    token = answer.meta.nextToken;
    if (!token) return keys;
  }
}

describe('pages', () => {
  const keys = Array.from({ length: 45 }, (_, n) => `file-${String(n).padStart(2, '0')}`);
  beforeAll(async () => {
    for (const [n, key] of keys.entries()) await announce(key, { size: n % 7, tags: { n: `${n % 3}` } });
  });

  test('contain twenty files by default, newest first', async () => {
    const first = await list();
    expect(first.keys).toEqual([...keys].reverse().slice(0, 20));
    expect(first.meta.nextToken).toEqual(expect.any(String));
    expect(await all('')).toEqual([...keys].reverse());
  });

  test.each(['key', 'size', 'createdAt', 'updatedAt', 'status'])(
    'go through everything once, by %s',
    async (field) => {
      for (const direction of ['asc', 'desc']) {
        for (const pageSize of [1, 7, 45, 1000]) {
          const found = await all(`sortField=${field}&sortDirection=${direction}&pageSize=${pageSize}`);
          expect([...found].sort()).toEqual(keys);
          const by = found.map((key) =>
            field === 'size' ? keys.indexOf(key) % 7 : field === 'status' ? 0 : key,
          );
          const sorted = [...by].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
          expect(by).toEqual(direction === 'asc' ? sorted : sorted.reverse());
        }
      }
    },
  );

  test('are stable while files are added, deleted and changed', async () => {
    const found = await all('pageSize=10&sortField=createdAt&sortDirection=desc', async (page) => {
      await announce(`new-${page}`);
      await fixture.call('bot', 'DELETE', `/file-${44 - page * 2}`);
      await fixture.call('bot', 'PUT', '/file-01', { tags: { page: `${page}` } });
    });
    expect(new Set(found).size).toBe(found.length);
    // Files that existed the whole time are listed.
    const { keys: remaining } = await list('pageSize=1000&sortField=key&sortDirection=asc');
    for (const key of remaining.filter((name) => name.startsWith('file'))) expect(found).toContain(key);
    expect(found.filter((key) => key.startsWith('new'))).toEqual([]);
  });

  test.each([
    'nextToken=garbage',
    'nextToken=',
    `nextToken=${Buffer.from('["files:createdAt:desc",["x","y"]]').toString('base64url')}`,
    `nextToken=${Buffer.from('["files:createdAt:desc",[1]]').toString('base64url')}`,
    `nextToken=${Buffer.from('["files:key:asc",["a","b"]]').toString('base64url')}`,
    'tags=x',
    'tags.a.not.near=1',
    'tags.a.exists=perhaps',
    `tags.a=${'x'.repeat(1001)}`,
    'tags.a=%00',
    'ids=%00',
    Array.from({ length: 21 }, (_, n) => `tags.t${n}=1`).join('&'),
    Array.from({ length: 101 }, (_, n) => `tags.a=${n}`).join('&'),
  ])('%s is refused', async (query) => {
    const { status, body } = await fixture.call('bot', 'GET', `?${query}`);
    expect([status, body.type]).toEqual([400, 'InvalidQuery']);
  });

  test('of one order are not continued in another order', async () => {
    const { meta } = await list('pageSize=2&sortField=key');
    const { status } = await fixture.call(
      'bot',
      'GET',
      `?pageSize=2&sortField=size&nextToken=${meta.nextToken}`,
    );
    expect(status).toBe(400);
  });
});

describe('filters', () => {
  test('files are filtered by ids and by indexing', async () => {
    const one = await announce('by-id-1', { index: true, contentType: 'text/plain' });
    const two = await announce('by-id-2');
    expect((await list(`ids=${one.id}`)).keys).toEqual(['by-id-1']);
    expect((await list(`ids=${one.id}&ids=${two.id}&ids=none`)).keys).toEqual(['by-id-2', 'by-id-1']);
    expect((await list('indexed=true')).keys).toEqual(['by-id-1']);
    expect((await list('indexed=false&pageSize=1000')).keys).not.toContain('by-id-1');
  });

  test.each([
    ['tags.colour=red', ['f1', 'f3']],
    ['tags[colour]=red', ['f1', 'f3']],
    [`tags=${encodeURIComponent('{"colour":"red"}')}`, ['f1', 'f3']],
    ['tags.colour=red&tags.size=big', ['f3']],
    ['tags.colour.not=red', ['f2', 'f4']],
    [`tags=${encodeURIComponent('{"colour":{"not":["red","blue"]}}')}`, ['f4']],
    ['tags.colour.in=blue', ['f2']],
    ['tags.colour.exists=false', ['f4']],
    ['tags[colour][exists]=true', ['f1', 'f2', 'f3']],
    [`tags=${encodeURIComponent('{"colour":[]}')}`, []],
    ['tags.Colour=red', []],
    ["tags.colour=red' OR '1'='1", []],
    ['tags.%25=red', []],
  ])('files are filtered by tags: %s', async (query, expected) => {
    await announce('f1', { tags: { colour: 'red' } });
    await announce('f2', { tags: { colour: 'blue' } });
    await announce('f3', { tags: { colour: 'red', size: 'big' } });
    await announce('f4', { tags: { other: 'x' } });
    const { keys } = await list(`${query}&pageSize=1000`);
    expect(keys.filter((key) => /^f\d$/.test(key)).sort()).toEqual(expected);
  });

  test('filters by tags return exactly the files that match', async () => {
    const value = fc.constantFrom('a', 'b', '');
    const tags = fc.dictionary(fc.constantFrom('x', 'y'), value, { noNullPrototype: true });
    const values = fc.oneof(value, fc.array(value, { maxLength: 3 }));
    const condition = fc.oneof(
      values,
      fc.record(
        { not: values, in: values, exists: fc.boolean() },
        { requiredKeys: [], noNullPrototype: true },
      ),
    );
    const filter = fc.dictionary(fc.constantFrom('x', 'y'), condition, { noNullPrototype: true });
    const has = (value: string | undefined, among: string | string[]) =>
      value !== undefined && [among].flat().includes(value);
    const fits = (own: Record<string, string>, tagFilter: TagFilter) =>
      Object.entries(tagFilter).every(([name, one]) => {
        if (typeof one === 'string' || Array.isArray(one)) return has(own[name], one);
        return (
          (one.not === undefined || !has(own[name], one.not)) &&
          (one.in === undefined || has(own[name], one.in)) &&
          (one.exists === undefined || one.exists === (own[name] !== undefined))
        );
      });
    const files: Record<string, Record<string, string>> = {};
    for (const [n, own] of fc.sample(tags, 12).entries()) {
      files[`tagged-${n}`] = own;
      await announce(`tagged-${n}`, { tags: own });
    }
    await fc.assert(
      fc.asyncProperty(filter, async (tagFilter) => {
        const { keys } = await list(`pageSize=1000&tags=${encodeURIComponent(JSON.stringify(tagFilter))}`);
        const expected = Object.keys(files).filter((key) => fits(files[key] ?? {}, tagFilter));
        expect(keys.filter((key) => key.startsWith('tagged')).sort()).toEqual(expected.sort());
      }),
      { numRuns: 60 },
    );
  });
});

test('tags and their values are listed in pages', async () => {
  for (let n = 0; n < 5; n += 1)
    await announce(`tagged-${n}`, { tags: { [`zz-${n}`]: 'x', 'zz-all': `v${n}` } });
  const names: unknown[] = [];
  let token = '';
  do {
    const { body } = await fixture.call('bot', 'GET', `/tags?pageSize=2${token}`);
    names.push(...(body.tags as string[]));
    token = body.meta?.nextToken ? `&nextToken=${body.meta.nextToken}` : '';
  } while (token);
  expect(names.filter((name) => String(name).startsWith('zz'))).toEqual([
    'zz-0',
    'zz-1',
    'zz-2',
    'zz-3',
    'zz-4',
    'zz-all',
  ]);
  const { body } = await fixture.call('bot', 'GET', '/tags/zz-all/values');
  expect(body).toEqual({ values: ['v0', 'v1', 'v2', 'v3', 'v4'], meta: {} });
  await fixture.call('bot', 'DELETE', '/tagged-0');
  expect((await fixture.call('bot', 'GET', '/tags/zz-0/values')).body.values).toEqual([]);
  expect((await fixture.call('bot', 'GET', '/tags/none/values')).body.values).toEqual([]);
});

describe('knowledge bases', () => {
  test('a deleted one is not created again by a late retry', async () => {
    const create = () =>
      fixture.call('bot', 'POST', '/knowledge-bases', { name: 'Gone' }, { 'idempotency-key': 'a base' });
    const first = await create();
    expect(await create()).toEqual(first);
    const { id } = first.body.knowledgeBase as { id: string };
    expect((await fixture.call('bot', 'DELETE', `/knowledge-bases/${id}`)).status).toBe(200);
    expect((await create()).status).toBe(410);
    expect((await fixture.call('bot', 'GET', '/knowledge-bases')).body.knowledgeBases).toEqual([]);
  });

  test('are created, listed, changed and deleted, each in its bot', async () => {
    const made = await fixture.call('bot', 'POST', '/knowledge-bases', { name: 'Help', tags: { a: '1' } });
    const time = expect.stringMatching(/Z$/);
    const times = { createdAt: time, updatedAt: time };
    expect(made.body.knowledgeBase).toEqual({
      id: expect.stringMatching(/^kb_/),
      name: 'Help',
      tags: { a: '1' },
      ...times,
    });
    const { id } = made.body.knowledgeBase as { id: string };
    const changed = await fixture.call('developer', 'PUT', `/knowledge-bases/${id}`, {
      tags: { a: null, b: '2' },
    });
    expect(changed.body.knowledgeBase).toEqual({ id, name: 'Help', tags: { b: '2' }, ...times });
    expect((await fixture.call('viewer', 'GET', '/knowledge-bases')).body).toEqual({
      knowledgeBases: [{ id, name: 'Help', tags: { b: '2' }, ...times }],
      meta: {},
    });
    expect((await fixture.call('sibling', 'GET', '/knowledge-bases')).body.knowledgeBases).toEqual([]);
    for (const caller of ['sibling', 'foreign', 'crm'] as const) {
      expect((await fixture.call(caller, 'PUT', `/knowledge-bases/${id}`, { name: 'x' })).status).toBe(404);
      expect((await fixture.call(caller, 'DELETE', `/knowledge-bases/${id}`)).status).toBe(404);
    }
    expect((await fixture.call('crm', 'GET', '/knowledge-bases')).body.knowledgeBases).toEqual([]);
    expect((await fixture.call('crm', 'POST', '/knowledge-bases', { name: 'x' })).status).toBe(403);
    expect((await fixture.call('viewer', 'DELETE', `/knowledge-bases/${id}`)).status).toBe(403);
    expect((await fixture.call('bot', 'POST', '/knowledge-bases', { name: '' })).status).toBe(400);
    expect((await fixture.call('bot', 'DELETE', `/knowledge-bases/${id}`)).body).toEqual({});
    expect((await fixture.call('bot', 'DELETE', `/knowledge-bases/${id}`)).status).toBe(404);
  });

  test('contain indexed files only', async () => {
    const { body } = await fixture.call('bot', 'POST', '/knowledge-bases', { name: 'Docs' });
    const kbId = (body.knowledgeBase as { id: string }).id;
    const refused = await fixture.call('bot', 'PUT', '', { key: 'kb.md', size: 1, tags: { kbId } });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('indexed')]);
    await announce('kb.md', { tags: { kbId }, index: true });
    await announce('plain.md');
    expect((await fixture.call('bot', 'PUT', '/plain.md', { tags: { kbId } })).status).toBe(400);
    expect((await list(`tags.kbId=${kbId}`)).keys).toEqual(['kb.md']);
    // A tag of that name without a matching knowledge base is an ordinary tag.
    await announce('free.md', { tags: { kbId: 'something' } });
  });
});

test('storage counts complete files including those of visitors, and their indexed passages', async () => {
  const own = await startFilesFixture();
  const storage = async () => (await own.call('viewer', 'GET', '/storage')).body.storage;
  const none = { count: 0, bytes: 0 };
  expect(await storage()).toEqual({ files: none, vectorDb: none });
  await own.call('bot', 'PUT', '', { key: 'pending', size: 99 });
  expect(await storage()).toEqual({ files: none, vectorDb: none });
  await own.put('bot', 'a.txt', '12345');
  const indexed = await own.put('bot', 'b.txt', 'grüße\n\n\n\n\n', { index: true });
  await own.settled(indexed.id);
  const { key } = await own.server.user();
  const { body } = await own.server.call('POST', '/files', { key, body: { key: 'v.txt', size: 3 } });
  const { uploadUrl } = body.file as { uploadUrl: string };
  await own.server.fetch(new URL(uploadUrl).pathname, { method: 'PUT', body: 'abc' });
  expect(await storage()).toEqual({ files: { count: 3, bytes: 20 }, vectorDb: { count: 1, bytes: 7 } });
  await own.call('bot', 'DELETE', '/b.txt');
  expect(await storage()).toEqual({ files: { count: 2, bytes: 8 }, vectorDb: none });
  await own.server.close();
});
