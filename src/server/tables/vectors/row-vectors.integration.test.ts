// Tests of semantic search in tables through the Tables API: found rows, changes of rows, columns and tables, failures
// and changes of the model, restarts, deletions.
import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EmbeddingServer, startEmbeddingServer } from '../../files/embeddings/testing.ts';
import { readDomains } from '../../files/evaluation/testing.ts';
import type { WriteTx } from '../../storage/database.ts';
import * as storage from '../../storage/tables/row-vectors.ts';
import { tableIdsAfter } from '../../storage/tables/tables.ts';
import { testOnSqlite } from '../../testing/sqlite-only.testing.ts';
import { pollOptions, startTestServer, type TestOptions } from '../../testing.ts';
import { createTablesFixture, type TablesFixture } from '../testing.ts';

let model: EmbeddingServer;
let fixture: TablesFixture;
beforeEach(async () => {
  model = await startEmbeddingServer();
});
afterEach(async () => {
  model.answer(undefined);
  await fixture.server.close();
  await model.close();
});

/** A slow machine must not turn a search into one by words. */
const remote = (name = 'words', searchTime = 120_000): TestOptions => ({
  EMBEDDINGS: 'on',
  EMBEDDINGS_URL: model.url,
  EMBEDDINGS_MODEL: name,
  embeddingHooks: { searchTime, firstPause: 20 },
});
const start = async (embeddings = remote()) => {
  fixture = await createTablesFixture(embeddings);
};

const searchable = { type: 'string', 'x-zui': { searchable: true } };
const plain = { type: 'string' };
const properties = { text: searchable, note: plain, price: { type: 'number' } };
const tableOf = (columns: Record<string, unknown> = properties) =>
  fixture.table({ type: 'object', properties: columns });

const refunds = 'You get your money back within two weeks.';
const parcels = 'The parcel arrives on Friday.';
const question = 'reimbursement for unwanted goods';

interface Found {
  id: number;
  text: string;
  similarity: number;
}
const search = async (table: string, query: string = question, more: object = {}): Promise<Found[]> => {
  const { status, body } = await fixture.find(table, { search: query, ...more });
  expect([status, body.message]).toEqual([200, undefined]);
  return body.rows;
};
const ids = async (...given: Parameters<typeof search>) => (await search(...given)).map(({ id }) => id);
const count = (from: 'row_vectors' | 'unembedded_rows' | 'row_vector_stores') =>
  fixture.server.db.read(async (tx) => (await tx.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`))?.n);
/** Resolves when nothing waits and there are this many vectors. */
const settled = (vectors: number) =>
  expect
    .poll(
      async () => [
        await count('row_vectors'),
        await count('unembedded_rows'),
        (
          await fixture.server.db.read((tx) =>
            tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM row_vector_stores WHERE phase <> 'ready'"),
          )
        )?.n,
      ],
      pollOptions,
    )
    .toEqual([vectors, 0, 0]);
const update = (table: string, rows: object[]) => fixture.call('PUT', `/${table}/rows`, { rows });
const remove = (table: string, body: object) => fixture.call('POST', `/${table}/rows/delete`, body);
const change = (table: string, columns: Record<string, unknown>) =>
  fixture.call('PUT', `/${table}`, { schema: { type: 'object', properties: columns } });
const embeddedTexts = () => model.received.flatMap(({ input }) => input);

describe('a search', () => {
  test('finds a row by its meaning, although it shares no word with the query', async () => {
    await start();
    const table = await tableOf();
    await fixture.add(table, [{ text: parcels }, { text: refunds }, { text: 'A dog barks.' }]);
    await settled(3);
    const rows = await search(table);
    expect(rows.map(({ text }) => text)).toEqual([refunds]);
    expect(rows[0]?.similarity).toBeGreaterThan(0.4);
    expect(rows[0]?.similarity).toBeLessThanOrEqual(1);
  });

  test('a search with words and meaning puts a row with both before rows with one', async () => {
    await start();
    const table = await tableOf();
    await fixture.add(table, [{ text: 'Refund' }, { text: 'Money' }, { text: 'puppy' }]);
    await settled(3);
    const rows = await search(table, 'refund');
    expect(rows.map(({ text }) => text)).toEqual(['Refund', 'Money']);
    expect(rows[0]?.similarity).toBeCloseTo(1, 1);
    expect(rows[1]?.similarity).toBeLessThan(rows[0]?.similarity ?? 0);
  });

  test('applies filter, limit, offset and order to rows that are found by their meaning', async () => {
    await start();
    const table = await tableOf();
    await fixture.add(
      table,
      Array.from({ length: 300 }, (_, price) => ({ text: `money ${price}`, price })),
    );
    await settled(300);
    // The filter applies before the ranks: these are not among the first 100.
    expect(await ids(table, 'reimbursement', { filter: { price: { $gte: 297 } } })).toEqual([298, 299, 300]);
    const page = { filter: { price: { $gte: 290 } }, orderBy: 'price', orderDirection: 'desc' };
    expect(await ids(table, 'reimbursement', { ...page, limit: 2, offset: 1 })).toEqual([299, 298]);
    expect((await fixture.find(table, { search: 'reimbursement', ...page, limit: 2 })).body.hasMore).toBe(
      true,
    );
    expect(await ids(table, 'reimbursement', { limit: 1_000 })).toHaveLength(100);
  });

  test('does not find rows of another bot, nor of another table', async () => {
    await start();
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }]);
    const empty = await tableOf();
    await fixture.add(empty, [{ text: parcels }]);
    await settled(2);
    expect(await ids(empty)).toEqual([]);
    const schema = { type: 'object', properties };
    const made = await fixture.call('POST', '', { name: table, schema }, fixture.other);
    expect(made.status).toBe(200);
    const answer = await fixture.call('POST', `/${table}/rows/find`, { search: question }, fixture.other);
    expect(answer.body.rows).toEqual([]);
  });

  test('finds a row by its words before it has a vector, and while the model does not answer', async () => {
    await start();
    model.answer((_, response: ServerResponse) => response.writeHead(503).end());
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }, { text: parcels }]);
    expect(await ids(table, 'parcel')).toEqual([2]);
    expect(await count('row_vectors')).toBe(0);
    model.answer(undefined);
    await settled(2);
    expect(await ids(table)).toEqual([1]);
  });

  test('falls back to words when the model fails for the query', async () => {
    await start();
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }, { text: parcels }]);
    await settled(2);
    model.answer((_, response: ServerResponse) => response.writeHead(401).end());
    expect(await ids(table, 'parcel')).toEqual([2]);
    expect(await ids(table)).toEqual([]);
  });

  test('falls back to words when the model does not answer before the deadline', async () => {
    await start(remote('words', 1));
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }, { text: parcels }]);
    await settled(2);
    model.answer(() => new Promise(() => {}));
    expect(await ids(table, 'parcel')).toEqual([2]);
  });
});

test('the embedded model finds a row on refunds for a question without its words', async () => {
  await start({ EMBEDDINGS: 'on', embeddingHooks: { searchTime: 120_000 } });
  const table = await tableOf();
  const [shop] = await readDomains();
  const texts = Object.values(shop?.passages ?? {});
  await fixture.add(
    table,
    texts.map((text) => ({ text })),
  );
  await settled(texts.length);
  expect((await search(table))[0]?.text).toBe(shop?.passages.refunds);
});

test('hostile texts and queries are embedded, and the rows are found', async () => {
  await start();
  const table = await tableOf({ text: searchable, data: { type: 'object', 'x-zui': { searchable: true } } });
  const texts = [
    "money'); DROP TABLE row_vectors;--",
    '\ud800 money',
    '👍 money \u0000',
    `money ${'x'.repeat(3_900)}`,
  ];
  const written = await fixture.add(table, [
    ...texts.map((text) => ({ text })),
    { text: '' },
    { data: { '"': ['money'] } },
    {},
  ]);
  expect(written.body.errors).toBeUndefined();
  await settled(5);
  expect((await ids(table, 'reimbursement')).sort()).toEqual([1, 2, 3, 4, 6]);
  for (const query of ["'; --", '\ud800', '\u0000', 'x'.repeat(1_024), '%', '👍']) await search(table, query);
});

describe('the vector of a row', () => {
  beforeEach(() => start());

  test('follows a change of its text, and the earlier text counts for nothing at once', async () => {
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }]);
    await settled(1);
    expect(await ids(table)).toEqual([1]);
    // The vector of the new text cannot be computed, so the old one is still stored.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    model.answer(async ({ input }) => {
      if (input.includes('A dog barks.')) await held;
    });
    await update(table, [{ id: 1, text: 'A dog barks.' }]);
    expect(await ids(table)).toEqual([]);
    release();
    await settled(1);
    expect(await ids(table, 'puppy')).toEqual([1]);
    expect(await ids(table)).toEqual([]);
  });

  test('is not computed again after changes of other columns, nor for equal text', async () => {
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }]);
    await settled(1);
    await update(table, [{ id: 1, note: 'seen', price: 3 }]);
    await update(table, [{ id: 1, text: refunds }]);
    await settled(1);
    expect(embeddedTexts()).toEqual([refunds]);
    expect(await ids(table)).toEqual([1]);
  });

  test('is deleted with its row, with all rows, with the table, and with its text', async () => {
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }, { text: refunds }, { text: refunds }]);
    await settled(3);
    await remove(table, { ids: [1] });
    expect(await count('row_vectors')).toBe(2);
    await update(table, [{ id: 2, text: ' ' }]);
    await settled(1);
    await remove(table, { filter: { id: 3 } });
    await settled(0);
    await fixture.add(table, [{ text: refunds }]);
    await settled(1);
    await remove(table, { deleteAllRows: true });
    await settled(0);
    await fixture.add(table, [{ text: refunds }]);
    await settled(1);
    expect(await search(table)).toHaveLength(1);
    await fixture.call('DELETE', `/${table}`);
    await expect.poll(() => count('row_vector_stores'), pollOptions).toBe(0);
    await settled(0);
  });

  test('is computed for upserted rows, copied rows and computed values', async () => {
    const computed = {
      ...searchable,
      'x-zui': { searchable: true, computed: { action: 'code', code: 'row.note' } },
    };
    const table = await tableOf({ note: plain, text: computed });
    await fixture.call('POST', `/${table}/rows/upsert`, { rows: [{ note: refunds }] });
    await expect.poll(() => ids(table), pollOptions).toEqual([1]);
    const { body } = await fixture.call('POST', `/${table}/duplicate`, {});
    await expect.poll(() => ids(body.table.name), pollOptions).toEqual([1]);
    await settled(2);
  });
});

describe('columns', () => {
  beforeEach(() => start());

  test('that become searchable are embedded, and those that no longer are count for nothing at once', async () => {
    const table = await tableOf({ text: plain, note: plain });
    await fixture.add(table, [{ text: parcels, note: refunds }]);
    await change(table, { text: searchable, note: plain });
    await settled(1);
    expect(embeddedTexts()).toEqual([parcels]);
    await change(table, { text: searchable, note: searchable });
    await expect.poll(() => ids(table), pollOptions).toEqual([1]);
    await settled(1);
    model.answer((_, response: ServerResponse) => response.writeHead(503).end());
    await change(table, { text: searchable, note: plain });
    expect(await ids(table)).toEqual([]);
    model.answer(undefined);
    await settled(1);
    await change(table, { text: plain, note: plain });
    await settled(0);
    expect(await count('row_vector_stores')).toBe(0);
  });

  test('that are renamed keep their vectors, and removed ones count for nothing', async () => {
    const table = await tableOf({ text: searchable, note: searchable });
    await fixture.add(table, [{ text: parcels, note: refunds }]);
    await settled(1);
    const { status } = await fixture.call('PUT', `/${table}/column`, { name: 'note', newName: 'hint' });
    expect(status).toBe(200);
    expect(await ids(table)).toEqual([1]);
    await settled(1);
    expect(embeddedTexts().filter((text) => text !== question)).toHaveLength(1);
    await change(table, { hint: null });
    expect(await ids(table)).toEqual([]);
    await settled(1);
  });

  test('that are not searchable are never sent to the model, nor are queries', async () => {
    const table = await tableOf({ text: plain });
    await fixture.add(table, [{ text: refunds }]);
    expect(await ids(table)).toEqual([]);
    const other = await tableOf();
    await fixture.add(other, [{ text: parcels }]);
    await settled(1);
    expect(embeddedTexts()).toEqual([parcels]);
  });
});

describe('a restart', () => {
  test('continues with rows that had no vectors', async () => {
    await start();
    model.answer((_, response: ServerResponse) => response.writeHead(503).end());
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }, { text: parcels }]);
    fixture = await fixture.restart(remote());
    model.answer(undefined);
    await settled(2);
    expect(await ids(table)).toEqual([1]);
  });

  test('a restart with another model computes all vectors again, and words alone answer before', async () => {
    await start();
    const table = await tableOf();
    await fixture.add(table, [{ text: refunds }, { text: parcels }]);
    await settled(2);
    model.answer((_, response: ServerResponse) => response.writeHead(503).end());
    fixture = await fixture.restart(remote('larger3'));
    expect(await ids(table)).toEqual([]);
    expect(await ids(table, 'parcel')).toEqual([2]);
    model.answer(undefined);
    await expect.poll(() => ids(table), pollOptions).toEqual([1]);
    await settled(2);
    const models = await fixture.server.db.read((tx) =>
      tx.all('SELECT DISTINCT length(vector) AS size FROM row_vectors'),
    );
    expect(models).toHaveLength(1);
  });

  testOnSqlite(
    'after a process was killed while rows were queued and embedded leaves none without a vector',
    async () => {
      await start();
      const table = await tableOf({ text: plain });
      const rows = Array.from({ length: 1_000 }, (_, n) => ({ text: `money ${n}` }));
      await fixture.add(table, rows);
      await fixture.add(table, rows);
      await fixture.add(table, [{ text: parcels }]);
      // The model stops answering after the first rows.
      const stopped = new Promise<void>((resolve) =>
        model.answer(() => {
          if (model.received.length < 5) return undefined;
          resolve();
          return new Promise(() => {});
        }),
      );
      await change(table, { text: searchable });
      await stopped;
      const copy = await mkdtemp(join(tmpdir(), 'killed-'));
      await cp(fixture.server.home, copy, { recursive: true });
      model.answer(undefined);
      const next = await startTestServer(remote(), copy);
      const countRows = async () =>
        next.db.read((tx) =>
          tx.get(
            `SELECT (SELECT COUNT(*) FROM row_vectors) AS vectors, (SELECT COUNT(*) FROM unembedded_rows) AS queued,
             (SELECT COUNT(*) FROM row_vector_stores WHERE phase <> 'ready') AS unready`,
          ),
        );
      await expect.poll(countRows, pollOptions).toEqual({ vectors: 2_001, queued: 0, unready: 0 });
      await next.close();
    },
  );

  test('without semantic search embeds nothing; with it again, rows of the meantime are found', async () => {
    await start();
    const table = await tableOf();
    await fixture.add(table, [{ text: parcels }]);
    await settled(1);
    fixture = await fixture.restart({ EMBEDDINGS: 'off' });
    const before = model.received.length;
    await fixture.add(table, [{ text: refunds }]);
    await update(table, [{ id: 1, text: 'A dog barks.' }]);
    expect(await ids(table, 'dog')).toEqual([1]);
    expect(await count('unembedded_rows')).toBe(0);
    expect(model.received).toHaveLength(before);
    fixture = await fixture.restart(remote());
    await expect.poll(() => ids(table), pollOptions).toEqual([2]);
    await settled(2);
  });
});

test('a table says how many of its rows wait for their vectors', async () => {
  await start();
  model.answer((_, response: ServerResponse) => response.writeHead(503).end());
  const table = await tableOf();
  await fixture.add(table, [{ text: refunds }, { text: parcels }]);
  const indexing = async () => (await fixture.call('GET', `/${table}`)).body.indexing;
  await expect.poll(indexing, pollOptions).toBe(2);
  model.answer(undefined);
  await expect.poll(indexing, pollOptions).toBe(0);
});

testOnSqlite('the data folder contains no vector of deleted rows', async () => {
  await start();
  const table = await tableOf();
  await fixture.add(table, [{ text: 'money' }, { text: 'money parcel' }, { text: 'dog' }]);
  await settled(3);
  const vectors = await fixture.server.db.read((tx) =>
    tx.all<{ vector: Uint8Array }>('SELECT vector FROM row_vectors ORDER BY row_id'),
  );
  const found = async (index: number) => {
    const files = (await readdir(fixture.server.home)).filter((name) => name.startsWith('platform.db'));
    const contents = await Promise.all(files.map((name) => readFile(join(fixture.server.home, name))));
    return contents.some((bytes) => bytes.includes(Buffer.from(vectors[index]?.vector ?? [])));
  };
  expect(await Promise.all([0, 1, 2].map(found))).toEqual([true, true, true]);
  await remove(table, { ids: [1] });
  const cleaned = async () => {
    await fixture.server.composition.cleanUp();
    return Promise.all([0, 1, 2].map(found));
  };
  await expect.poll(cleaned, pollOptions).toEqual([false, true, true]);
  await fixture.call('DELETE', `/${table}`);
  await expect.poll(cleaned, pollOptions).toEqual([false, false, false]);
});

testOnSqlite('every query of row vectors uses an index', async () => {
  await start();
  const plans: string[] = [];
  await fixture.server.db.read(async (tx) => {
    const explain = async (sql: string, ...values: never[]) => {
      const rows = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
      plans.push(...rows.map(({ detail }) => `${detail}: ${sql}`));
      return [];
    };
    const explained = {
      ...tx,
      all: async (sql: string, ...values: never[]) => {
        await explain(sql, ...values);
        return sql.startsWith('SELECT r.id') ? [{ id: 5 }] : [];
      },
      get: async (sql: string, ...values: never[]) => void (await explain(sql, ...values)),
      run: async (sql: string, ...values: never[]) => (await explain(sql, ...values)).length,
    } as unknown as WriteTx;
    const row = { rowId: 1, modelId: 1, textHash: 1, vector: new Uint8Array() };
    await storage.putVectorStore(explained, { storeId: 'a', tableId: 'b', source: 'c' });
    await storage.retireVectorStore(explained, 'a');
    await storage.retireVectorStores(explained);
    await storage.findVectorStore(explained, 'a');
    await storage.vectorStoreIn(explained, 'queue');
    await storage.queueRow(explained, 'a', 1);
    await storage.queueExistingRows(explained, 'a', 10);
    await storage.storeWithQueuedRows(explained, '');
    await storage.queuedRows(explained, 'a', 10);
    await storage.countUnembeddedRows(explained, 'a');
    await storage.dequeueRow(explained, 'a', 1);
    await storage.findRowVector(explained, 'a', 1);
    await storage.putRowVector(explained, 'a', row);
    await storage.deleteRowVector(explained, 'a', 1);
    await storage.deleteRowVectors(explained, 'a', 10);
    await storage.scanRowVectors(explained, 'a', 1, () => {});
    await storage.hasRowVectors(explained, 'a');
    await tableIdsAfter(explained, '', 10);
  });
  expect(plans.length).toBeGreaterThan(18);
  // `SCAN CONSTANT ROW` reads no table.
  expect(plans.filter((plan) => /SCAN(?! CONSTANT)|TEMP B-TREE/.test(plan))).toEqual([]);
});
