// Tests of the maximum cost of one request to the Tables API: requests that would block the server or fill its memory
// are rejected with an explanation.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setKeyValues } from '../storage/tables/rows.ts';
import { findTable, insertTable } from '../storage/tables/tables.ts';
import { plansOf } from '../testing/query-plans.testing.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { openTable } from './open-table.ts';
import { findRows } from './query/find.ts';
import { createTablesFixture, many, type TablesFixture } from './testing.ts';

let fixture: TablesFixture;
beforeAll(async () => {
  fixture = await createTablesFixture();
});
afterAll(() => fixture.server.close());

const refusal = (status: number, type: string, message: string) => ({
  status,
  body: { type, message: expect.stringContaining(message) },
});

test('rows in a sort order are found up to a maximum offset', async () => {
  const name = await fixture.table({ a: 1, o: {} });
  await fixture.add(name, [{ a: 2 }, { a: 1 }]);
  for (const orderBy of ['a', 'o', 'updatedAt']) {
    expect(await fixture.find(name, { orderBy, offset: 99_901 })).toMatchObject(
      refusal(400, 'InvalidPayload', 'up to 100000'),
    );
    expect((await fixture.find(name, { orderBy, offset: 99_900 })).body.rows).toEqual([]);
  }
  expect((await fixture.find(name, { search: 'x', offset: 99_901 })).status).toBe(400);
  // The order by id has an index.
  expect((await fixture.find(name, { offset: 1_000_000 })).status).toBe(200);
});

/** Inserts more rows into a table than one request can contain. */
async function fill(name: string, count: number): Promise<void> {
  await fixture.server.db.write(async (tx) => {
    const table = await findTable(tx, fixture.botId, name);
    await tx.run(
      `INSERT INTO table_rows (store_id, id, data, key_value, created_at, updated_at)
       WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${count})
       SELECT '${table?.storeId}', id, '{"c1":' || id || '}', NULL, 1, 1 FROM n`,
    );
  });
}

test('an upsert does not search a large table without an index', async () => {
  const name = await fixture.table({ a: 1, b: 1 });
  const upsert = (keyColumn: string) =>
    fixture.call('POST', `/${name}/rows/upsert`, { keyColumn, rows: [{ a: 7, b: 5 }] });
  await fill(name, 10_000);
  expect((await upsert('a')).body).toMatchObject({ inserted: [], updated: [{ id: 7, b: 5 }] });
  await fixture.add(name, [{ a: 10_001 }]);
  expect(await upsert('a')).toMatchObject(refusal(413, 'LimitExceeded', 'make this column its keyColumn'));
  // The remedy that the error suggests.
  expect((await fixture.call('PUT', `/${name}`, { keyColumn: 'a' })).status).toBe(200);
  expect((await upsert('a')).body.updated).toMatchObject([{ id: 7 }]);
  expect((await upsert('id')).body.errors).toHaveLength(1);
});

testOnSqlite(
  'the values of a new key column are stored at the ids of their rows, without a search for each of them',
  async () => {
    const plan = await plansOf(fixture.server.db, (tx) =>
      setKeyValues(tx, 'store', [{ id: 1, keyValue: 'a' }]),
    );
    expect(plan.filter((step) => /^\w+ table_rows/.test(step))).toEqual([
      expect.stringMatching(/^SEARCH table_rows USING .*\(store_id=\? AND id=\?\): /),
    ]);
  },
);

test('the key column of a very large table cannot be changed', async () => {
  const name = await fixture.table({ a: 1 });
  await fill(name, 100_001);
  expect(await fixture.call('PUT', `/${name}`, { keyColumn: 'a' })).toMatchObject(
    refusal(413, 'LimitExceeded', 'at most 100000 rows'),
  );
  expect((await fixture.call('GET', `/${name}`)).body.table.keyColumn).toBe(null);
  // A new column has no values to read.
  const change = { schema: { b: 'x' }, keyColumn: 'b' };
  expect((await fixture.call('PUT', `/${name}`, change)).body.table.keyColumn).toBe('b');
  expect((await fixture.add(name, [{ b: 'k' }, { b: 'k' }])).body.errors).toHaveLength(1);
  expect((await fixture.call('PUT', `/${name}`, { schema: { b: 1 } })).body.table.keyColumn).toBe('b');
  expect((await fixture.add(name, [{ b: 1 }, { b: 1 }])).body.errors).toHaveLength(1);
});

test('a row that is much too large is rejected before it is validated', async () => {
  const name = await fixture.table({
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
  });
  const { body } = await fixture.add(name, [
    { list: Array.from({ length: 3_000 }, () => 'none of the words') },
    { list: ['a', 'b'] },
    { list: ['c'] },
  ]);
  expect(body.errors).toEqual([
    'Row 0: it has 60001 bytes; a row of this table has at most 4096.',
    'Row 2: list.0 is not one of the allowed values.',
  ]);
  expect(body.rows).toHaveLength(1);
});

test('columns can have the names of inherited properties of objects', async () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const name = await fixture.table({ type: 'object', properties }, { keyColumn: 'toString' });
  const nothing = Object.fromEntries(names.map((column) => [column, null]));
  // Two rows without a key: inherited properties are not keys.
  const { body } = await fixture.add(name, [{}, {}, { constructor: 'a', toString: 'k' }]);
  expect(body.errors).toBeUndefined();
  expect(body.rows).toMatchObject([nothing, nothing, { ...nothing, constructor: 'a', toString: 'k' }]);
  const upserted = await fixture.call('POST', `/${name}/rows/upsert`, {
    keyColumn: 'toString',
    rows: [{ valueOf: 'x' }, { toString: 'k', valueOf: 'y' }],
  });
  expect(upserted.body.errors).toEqual(['Row 0: toString is missing.']);
  expect(upserted.body.updated).toMatchObject([{ id: 3, constructor: 'a', valueOf: 'y' }]);
  const other = await fixture.call('POST', `/${name}/rows/upsert`, {
    keyColumn: 'constructor',
    rows: [{ valueOf: 'x' }],
  });
  expect(other.body.errors).toEqual(['Row 0: constructor is missing.']);
});

test('the number of tables of a bot is limited', async () => {
  const { other } = fixture;
  const make = (name: string) => fixture.call('POST', '', { name, schema: { a: 1 } }, other);
  expect((await make('firstTable')).status).toBe(200);
  await fixture.server.db.write(async (tx) => {
    const first = await findTable(tx, other['x-bot-id'] ?? '', 'firstTable');
    if (!first) throw new Error('There is no table.');
    // With large schemas, so that a page of them ends early.
    const schema = JSON.stringify({ ...JSON.parse(first.schema), $schema: 'x'.repeat(50_000) });
    for (let number = 1; number < 1_000; number += 1) {
      const id = `${first.id}${String(number).padStart(4, '0')}`;
      await insertTable(tx, { ...first, id, storeId: id, name: `n${number}Table`, schema });
    }
  });
  const full = refusal(403, 'QuotaExceeded', 'at most 1000 tables');
  expect(await make('oneTable')).toMatchObject(full);
  expect(await fixture.call('POST', '/oneTable', { schema: { a: 1 } }, other)).toMatchObject(full);
  expect(await fixture.call('POST', '/firstTable/duplicate', {}, other)).toMatchObject(full);
  // An existing table is returned, and another bot has its own limit.
  expect((await fixture.call('POST', '/firstTable', { schema: {} }, other)).status).toBe(200);
  expect((await fixture.call('POST', '', { name: 'ownTable', schema: {} })).status).toBe(200);

  const names = new Set<string>();
  let pages = 0;
  for (let token: string | undefined = ''; token !== undefined; ) {
    const next = token === '' ? '' : `&nextToken=${token}`;
    const { body } = await fixture.call('GET', `?pageSize=1000${next}`, undefined, other);
    expect(JSON.stringify(body).length).toBeLessThan(6_000_000);
    for (const table of body.tables) names.add(table.name);
    pages += 1;
    token = body.meta.nextToken;
  }
  expect(names.size).toBe(1_000);
  expect(pages).toBe(11);
});

test('no more rows are loaded than a response can contain', async () => {
  const name = await fixture.table({ a: 'x' }, { factor: 30 });
  const text = 'x'.repeat(100_000);
  for (const _ of [1, 2])
    await fixture.add(
      name,
      many(300, () => ({ a: text })),
    );
  let most = 0;
  const table = await fixture.server.db.read((tx) => findTable(tx, fixture.botId, name));
  if (!table) throw new Error('There is no table.');
  for (const query of [{}, { filter: { a: { $exists: true } } }, { orderBy: 'createdAt' }]) {
    await fixture.server.db.read(async (tx) => {
      let loaded = 0;
      const counting = {
        ...tx,
        all: async (...call: Parameters<typeof tx.all>) => {
          const rows = await tx.all(...call);
          // Rows that are only read for filtering are released in batches.
          if (Object.keys(query).length === 0) loaded += rows.length;
          return rows;
        },
        get: async (...call: Parameters<typeof tx.get>) => {
          loaded += 1;
          return tx.get(...call);
        },
      } as typeof tx;
      const find = findRows(counting, openTable(table), { limit: 1_000, ...query }, async () => new Map());
      await expect(find).rejects.toMatchObject({ type: 'LimitExceeded' });
      most = Math.max(most, loaded);
    });
  }
  expect(most).toBeGreaterThanOrEqual(400);
  expect(most).toBeLessThanOrEqual(450);
});
