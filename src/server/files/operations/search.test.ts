// Tests of indexing and search: indexing in the background, restarts and failures, found passages and their context.
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FoundPassage, PlatformFile } from '../../../protocol/types/files.ts';
import { pollOptions, stripTypes } from '../../testing.ts';
import { type FilesFixture, pdf, startFilesFixture } from '../testing.ts';

let fixture: FilesFixture;
beforeAll(async () => {
  fixture = await startFilesFixture();
});
afterAll(() => fixture.server.close());

const index = async (key: string, content: string | Uint8Array, fields: object = {}, on = fixture) => {
  const file = await on.put('bot', key, content, { index: true, ...fields });
  return on.settled(file.id);
};
const search = async (query: string, more = '', on = fixture): Promise<FoundPassage[]> => {
  const { status, body } = await on.call('bot', 'GET', `/search?query=${encodeURIComponent(query)}${more}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.passages ?? [];
};
const contents = async (query: string, more = '') =>
  (await search(query, more)).map(({ content }) => content);

describe('indexing', () => {
  test.each<[string, string | Uint8Array, string, object]>([
    ['a.md', '# Sea\n\nOnly seagulls here.\n', 'seagull', { subtype: 'paragraph' }],
    ['a.pdf', pdf(['Title', 'A page about narwhals']), 'narwhal', { pageNumber: 2 }],
  ])('%s', async (key, content, query, meta) => {
    const file = await index(key, content, { tags: { kind: key } });
    expect(file).toMatchObject({ status: 'indexing_completed', index: true });
    const [found] = await search(query);
    expect(found).toMatchObject({
      meta: { type: 'chunk', ...meta },
      file: { id: file.id, key, tags: { kind: key }, contentType: file.contentType, metadata: {} },
    });
    expect(found?.score).toBeGreaterThan(0);
    expect(found?.score).toBeLessThanOrEqual(1);
  });

  test.each<[string, string | Uint8Array, string]>([['b.pdf', 'this is not a PDF', 'not a readable PDF']])(
    '%s fails with the reason; the next is indexed',
    async (key, content, reason) => {
      const file = await index(key, content, key === 'b.pdf' ? { contentType: 'application/pdf' } : {});
      expect(file).toMatchObject({
        status: 'indexing_failed',
        failedStatusReason: expect.stringContaining(reason),
      });
      expect(typeof (await fixture.read(file.url))).toBe('string');
      const reindexed = await index(key, 'mended words', { contentType: 'text/plain' });
      expect(reindexed).toMatchObject({ id: file.id, status: 'indexing_completed' });
      expect(reindexed).not.toHaveProperty('failedStatusReason');
    },
  );

  test('indexing new bytes replaces the previous text', async () => {
    await index('turn.txt', 'the old quokka');
    expect(await contents('quokka')).toEqual(['the old quokka']);
    const announced = await fixture.call('bot', 'PUT', '', { key: 'turn.txt', size: 10, index: true });
    expect(await contents('quokka')).toEqual([]);
    expect((await fixture.call('bot', 'GET', `/${announced.body.file?.id}/passages`)).body.passages).toEqual(
      [],
    );
    await index('turn.txt', 'a new numbat');
    expect(await contents('quokka numbat')).toEqual(['a new numbat']);
    await fixture.call('bot', 'PUT', '', { key: 'turn.txt', size: 10 });
    expect(await contents('numbat')).toEqual([]);
  });

  test('leaves no data when the file is deleted', async () => {
    const { id } = await index('brief.txt', `${'a paragraph about parrots. '.repeat(40)}\n\n`.repeat(300));
    expect((await search('parrot')).length).toBeGreaterThan(10);
    await fixture.call('bot', 'DELETE', `/${id}`);
    expect(await search('parrot')).toEqual([]);
    await fixture.server.composition.cleanUp();
    const remaining = await fixture.server.db.read((tx) =>
      tx.all("SELECT seq FROM passages WHERE content LIKE '%parrots%' LIMIT 1"),
    );
    const indexed = await fixture.server.db.read((tx) =>
      tx.all(
        tx.dialect === 'postgres'
          ? "SELECT seq FROM passage_words WHERE words @@ CAST('parrot' AS tsquery) LIMIT 1"
          : "SELECT rowid FROM passage_words WHERE passage_words MATCH 'parrot' LIMIT 1",
      ),
    );
    expect([remaining, indexed]).toEqual([[], []]);
  });

  test('the index of a copy is independent', async () => {
    await index('origin.txt', 'the only axolotl');
    const { body } = await fixture.call('bot', 'POST', '/origin.txt/copy.txt', {});
    await fixture.settled(body.file?.id ?? '');
    expect(await contents('axolotl')).toEqual(['the only axolotl', 'the only axolotl']);
    await fixture.call('bot', 'DELETE', '/origin.txt');
    await fixture.server.composition.cleanUp();
    expect((await search('axolotl')).map(({ file }) => file.key)).toEqual(['copy.txt']);
  });
});

describe('after a restart', () => {
  const opened: FilesFixture[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ server }) => server.close()));
  });

  /** Creates a file that is queued for indexing as a killed server leaves it. */
  async function interrupted(attempts: number) {
    const own = await startFilesFixture();
    const { id } = await index('kept.txt', 'a patient pangolin', {}, own);
    await own.server.db.write((tx) =>
      tx.run(
        `UPDATE files SET status = 'indexing_pending', pending_version = index_version, index_version = NULL, index_attempts = ?`,
        attempts,
      ),
    );
    const server = await own.server.restart();
    opened.push({ ...own, server });
    const status = async () =>
      (await server.db.read((tx) => tx.get<{ status: string }>('SELECT status FROM files WHERE id = ?', id)))
        ?.status;
    await expect.poll(status, pollOptions).toMatch(/^indexing_[cf]/);
    const request = async (path: string) =>
      (
        await server.fetch(`/v1/files${path}`, {
          headers: { authorization: `Bearer ${own.tokens.bot}`, 'x-bot-id': own.bots.own },
        })
      ).json() as Promise<{ passages: FoundPassage[]; file: PlatformFile }>;
    return { server, request, file: (await request(`/${id}`)).file };
  }

  test('the server can stop while it reads a very long file, and indexes it later', async () => {
    const extraction = { execArgv: ['--import', stripTypes], timeLimit: 600_000, growthMegabytes: 100_000 };
    const own = await startFilesFixture({ extraction });
    // 100 MB of spaces that each of five hundred pages shows.
    const bomb = pdf(Array(500).fill('x'), '', deflateSync(Buffer.alloc(100_000_000, ' ')));
    const { id } = await own.put('bot', 'bomb.pdf', bomb, { index: true });
    const row = () =>
      own.server.db.read((tx) =>
        tx.get<{ pending: string; attempts: number }>(
          'SELECT pending_version AS pending, index_attempts AS attempts FROM files WHERE id = ?',
          id,
        ),
      );
    await expect.poll(async () => (await row())?.pending, pollOptions).toMatch(/^version_/);
    await own.server.composition.close();
    // A regular stop does not count as an attempt.
    expect(await row()).toEqual({ pending: expect.any(String), attempts: 0 });
    const server = await own.server.restart({ extraction: { ...extraction, timeLimit: 1 } });
    opened.push({ ...own, server });
    const status = async () =>
      (await server.db.read((tx) => tx.get<{ status: string }>('SELECT status FROM files WHERE id = ?', id)))
        ?.status;
    await expect.poll(status, pollOptions).toBe('indexing_failed');
  });

  test('a file that crashed the server three times is marked as failed', async () => {
    const { file } = await interrupted(3);
    expect(file).toMatchObject({
      status: 'indexing_failed',
      failedStatusReason: expect.stringContaining('3 times'),
    });
  });
});

describe('search', () => {
  const guide = [
    '# Shop\n\n## Delivery\n\nParcels travel by train.\n\n',
    '```\nship --fast\n```\n\n## Returns\n\nSend the gadget back within thirty days.\n\n',
    '| what | fee |\n|---|---|\n| gadget | 0 |\n\n### Refund\n\nThe money comes in a week.\n',
  ].join('');
  let file: PlatformFile;
  beforeAll(async () => {
    file = await index('guide.md', guide, { tags: { lang: 'en' }, metadata: { version: 2 } });
    await index('other.md', '# Other\n\nA gadget, too, is here.\n', { tags: { lang: 'de' } });
  });

  test('finds passages by their text, by the titles above it and by tags', async () => {
    expect((await contents('when is the gadget sent back'))[0]).toBe(
      'Send the gadget back within thirty days.',
    );
    expect(await contents('refund')).toEqual(['The money comes in a week.']);
    expect((await search('gadget', '&tags.lang=de')).map((one) => one.file.key)).toEqual(['other.md']);
    expect((await search('gadget', '&tags.lang.not=de')).map((one) => one.file.key)).toEqual([
      'guide.md',
      'guide.md',
    ]);
    expect(await search('gadget', '&limit=1')).toHaveLength(1);
    expect(await search('nowhere')).toEqual([]);
  });

  test('returns the surrounding passages, itself among them, and the titles above', async () => {
    const [plain] = await search('thirty days');
    expect(plain).not.toHaveProperty('context');
    const [found] = await search('thirty days', '&withContext=true&includeBreadcrumb=true');
    expect(found?.context).toEqual([
      { text: 'Shop', type: 'breadcrumb' },
      { text: 'Returns', type: 'breadcrumb' },
      { id: expect.stringMatching(/^passage_/), text: 'ship --fast', offset: -1, type: 'preceding' },
      { id: expect.any(String), text: found?.content, offset: 0, type: 'current' },
      {
        id: expect.any(String),
        text: expect.stringContaining('| gadget | 0 |'),
        offset: 1,
        type: 'subsequent',
      },
    ]);
    const [deep] = await search('thirty days', '&contextDepth=10');
    expect(deep?.context?.map(({ offset }) => offset)).toEqual([-2, -1, 0, 1, 2]);
    expect((await search('thirty days', '&withContext=true&contextDepth=0'))[0]?.context).toMatchObject([
      { offset: 0, type: 'current' },
    ]);
  });

  test('returns only the titles above it', async () => {
    const [found] = await search('thirty days', '&includeBreadcrumb=true');
    expect(found?.context).toEqual([
      { text: 'Shop', type: 'breadcrumb' },
      { text: 'Returns', type: 'breadcrumb' },
    ]);
  });

  test('returns one passage per file', async () => {
    const found = await search('gadget', '&consolidate=true&limit=50');
    expect(found.map((one) => one.file.key).sort()).toEqual(['guide.md', 'other.md']);
    const merged = found.find((one) => one.file.id === file.id);
    expect(merged?.meta.type).toBe('consolidated');
    expect(merged?.content).toBe(
      'Send the gadget back within thirty days.\n\n| what | fee |\n|---|---|\n| gadget | 0 |',
    );
    expect(await search('gadget', '&consolidate=true&limit=1')).toHaveLength(1);
  });

  test('a query has at most 1,024 bytes in UTF-8', async () => {
    expect((await fixture.call('bot', 'GET', `/search?query=${'x'.repeat(1_024)}`)).status).toBe(200);
    for (const query of ['x'.repeat(1_025), encodeURIComponent('ß'.repeat(513)), '']) {
      const { status, body } = await fixture.call('bot', 'GET', `/search?query=${query}`);
      expect([status, body.type]).toEqual([400, 'InvalidQuery']);
      if (query) expect(body.message).toContain('1024');
    }
    expect((await fixture.call('bot', 'GET', '/search')).status).toBe(400);
  });
});

describe('passages', () => {
  test('are listed in order, in pages', async () => {
    const text = Array.from({ length: 30 }, (_, n) => `Paragraph ${n} ${'word '.repeat(230)}`).join('\n\n');
    const { id } = await index('long.txt', text);
    const positions: number[] = [];
    let token = '';
    do {
      const { body } = await fixture.call('bot', 'GET', `/${id}/passages?limit=7${token}`);
      expect(body.passages?.length).toBeLessThanOrEqual(7);
      positions.push(...(body.passages ?? []).map(({ meta }) => meta.position ?? -1));
      token = body.meta?.nextToken ? `&nextToken=${body.meta.nextToken}` : '';
    } while (token);
    expect(positions).toEqual(positions.map((_, n) => n));
    expect(positions.length).toBe(30);
    expect((await fixture.call('bot', 'GET', `/${id}/passages`)).body.passages).toHaveLength(20);
    for (const query of ['limit=0', 'limit=201', 'nextToken=x']) {
      expect((await fixture.call('bot', 'GET', `/${id}/passages?${query}`)).status).toBe(400);
    }
  });

  test('passages that the caller writes replace the extracted ones', async () => {
    const file = await index('own.txt', 'machine read wombat');
    const passages = [{ content: 'by hand: wombat', subtype: 'title', pageNumber: 3 }, { content: 'second' }];
    expect((await fixture.call('bot', 'PUT', `/${file.id}/passages`, { passages })).body).toEqual({});
    const { body } = await fixture.call('bot', 'GET', `/${file.id}/passages`);
    expect(body.passages).toEqual([
      {
        id: expect.any(String),
        content: 'by hand: wombat',
        meta: { type: 'chunk', subtype: 'title', pageNumber: 3, position: 0 },
      },
      {
        id: expect.any(String),
        content: 'second',
        meta: { type: 'chunk', subtype: 'paragraph', position: 1 },
      },
    ]);
    expect(await contents('wombat')).toEqual(['by hand: wombat']);
  });
});
