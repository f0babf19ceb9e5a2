// Tests of rows in the Tables API: valid rows are stored individually, found and deleted.
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableSchemas } from '../../protocol/schemas/tables.ts';
import { pollOptions } from '../testing.ts';
import { createTablesFixture, many, type TablesFixture } from './testing.ts';

let fixture: TablesFixture;
beforeAll(async () => {
  fixture = await createTablesFixture();
});
afterAll(() => fixture.server.close());

const refused = (status: number, type: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ code: status, type }) });
const all = async (table: string) => (await fixture.find(table, { limit: 1000 })).body.rows;

describe('new rows', () => {
  test('have ids, times and no computed values; missing columns are null', async () => {
    const name = await fixture.table({ a: 1, b: 'x' });
    const { status, body } = await fixture.add(name, [{ a: 1 }, { a: 2, b: 'y' }]);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['rows']);
    expect(body.rows).toMatchObject([
      { id: 1, a: 1, b: null, computed: {} },
      { id: 2, a: 2, b: 'y', computed: {} },
    ]);
    for (const row of body.rows) expect(v.parse(tableSchemas.row, row)).toEqual(row);
    expect((await fixture.call('GET', `/${name}/row?id=2`)).body).toEqual({ row: body.rows[1] });
  });

  test('that are invalid are reported, the others are stored; unknown fields are dropped with a warning', async () => {
    const name = await fixture.table({
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
    });
    const { status, body } = await fixture.add(name, [
      { a: 'x' },
      { a: 1, b: 2, toString: 3 },
      {},
      { a: 2, id: 77, computed: { a: 1 }, createdAt: 'x' },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      rows: [
        { id: 1, a: 1 },
        { id: 2, a: 2 },
      ],
      errors: ['Row 0: a must be a number, not a text.', 'Row 2: a is missing.'],
      warnings: ['The table has no column "b", "toString": left out.'],
    });
    expect(await all(name)).toEqual(body.rows);
  });

  test('have at most 4 KB times the factor', async () => {
    const name = await fixture.table({ a: 'x' }, { factor: 2 });
    const row = (letters: number) => ({ a: 'ż'.repeat(letters) });
    const { body } = await fixture.add(name, [row(4_091), row(4_092)]);
    expect(body.rows).toHaveLength(1);
    expect(body.errors).toEqual(['Row 1: it has 8193 bytes; a row of this table has at most 8192.']);
  });

  test('can contain any text and any names in objects', async () => {
    const name = await fixture.table({ a: 'x', b: {} });
    const odd = JSON.parse('{"a":"\\u0000\\ud800😀","b":{"__proto__":{"x":1},"$gt":1,"a.b":null}}');
    const { body } = await fixture.add(name, [odd]);
    expect(JSON.stringify(body.rows[0].b)).toBe(JSON.stringify(odd.b));
    expect(body.rows[0].a).toBe(odd.a);
    expect(await all(name)).toEqual(body.rows);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  /** Sends the same requests as the other bot each time. */
  const keyed = (key: string) => (path: string, body: unknown) =>
    fixture.call('POST', path, body, { ...fixture.other, 'idempotency-key': key });
  const remembered = async () =>
    JSON.stringify(await fixture.server.db.read((tx) => tx.all('SELECT response FROM requests')));

  test.each([
    ['by ids', { ids: [1] }],
    ['all', { deleteAllRows: true }],
    ['by a filter', { filter: { a: 'a canary' } }],
  ])(
    'that were deleted %s are removed from stored responses and not created again; their table is not affected',
    async (way, removal) => {
      const [name, send] = [`gone ${way} Table`, keyed(`gone ${way}`)];
      const table = { name, schema: { a: 'x' } };
      const path = `/${encodeURIComponent(name)}/rows`;
      const made = await send('', table);
      const rows = { rows: [{ a: 'a canary' }] };
      expect((await send(path, rows)).status).toBe(200);
      expect((await send(`${path}/upsert`, { rows: [{ a: 'a canary' }] })).status).toBe(200);
      expect(await remembered()).toContain('a canary');
      expect((await fixture.call('POST', `${path}/delete`, removal, fixture.other)).status).toBe(200);
      await expect.poll(remembered, pollOptions).not.toContain('a canary');
      expect((await send(path, rows)).status).toBe(410);
      expect((await send(`${path}/upsert`, { rows: [{ a: 'a canary' }] })).status).toBe(410);
      expect(await send('', table)).toEqual(made);
      await fixture.call('DELETE', `/${encodeURIComponent(name)}`, undefined, fixture.other);
      expect((await send('', table)).status).toBe(410);
    },
  );

  test('that are too many for the idempotency cache are stored once: the repeated request is rejected', async () => {
    const send = keyed('many');
    await send('', { name: 'manyTable', schema: { a: 'x' } });
    const rows = { rows: many(50, () => ({ a: 'canary'.repeat(500) })) };
    expect((await send('/manyTable/rows', rows)).body.rows).toHaveLength(50);
    const again = await send('/manyTable/rows', rows);
    expect(again).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
    expect(again.body.message).toContain('rows of table_');
    expect(await remembered()).not.toContain('canarycanary');
    const { body } = await fixture.call('POST', '/manyTable/rows/find', {}, fixture.other);
    expect(body.rows).toHaveLength(50);
  });
});

describe('changes', () => {
  test('keep columns that are not sent, set null, and report unknown rows', async () => {
    const name = await fixture.table({ a: 1, b: 'x' });
    await fixture.add(name, [{ a: 1, b: 'y' }]);
    const { body } = await fixture.call('PUT', `/${name}/rows`, {
      rows: [
        { id: 1, b: null },
        { id: 9, a: 1 },
        { a: 1 },
        { id: 1, a: 'x' },
        { id: '1' },
        { id: 2147483648 },
        { id: 0 },
      ],
    });
    expect(body).toMatchObject({
      rows: [{ id: 1, a: 1, b: null }],
      errors: [
        'Row 1: there is no row with the id 9.',
        expect.stringContaining('Row 2: id must be'),
        'Row 3: a must be a number, not a text.',
        expect.stringContaining('Row 4: id must be'),
        expect.stringContaining('Row 5: id must be'),
        expect.stringContaining('Row 6: id must be'),
      ],
    });
  });

  test('cannot make a row too large, nor duplicate a key; keys can move to another row', async () => {
    const name = await fixture.table({ key: 'x', b: 'x', c: 'x' }, { keyColumn: 'key' });
    await fixture.add(name, [{ key: 'a', b: 'x'.repeat(3_000) }, { key: 'b' }]);
    const update = async (rows: unknown[]) => (await fixture.call('PUT', `/${name}/rows`, { rows })).body;
    expect((await update([{ id: 1, c: 'x'.repeat(3_000) }])).errors).toEqual([
      expect.stringContaining('at most 4096'),
    ]);
    expect((await update([{ id: 2, key: 'a' }])).errors).toEqual(['Row 0: the row 1 has this key already.']);
    expect(
      (
        await update([
          { id: 1, key: 'c' },
          { id: 2, key: 'a' },
          { id: 1, key: null },
        ])
      ).rows,
    ).toHaveLength(3);
    expect((await all(name)).map(({ key }: { key: string }) => key)).toEqual([null, 'a']);
  });
});

describe('upsert', () => {
  const upsert = async (name: string, rows: unknown[], keyColumn?: string) =>
    (await fixture.call('POST', `/${name}/rows/upsert`, { rows, ...(keyColumn ? { keyColumn } : {}) })).body;

  test('by id: a row without id is new, and one with an unknown id is stored with it', async () => {
    const name = await fixture.table({ a: 1 });
    await fixture.add(name, [{ a: 1 }]);
    const body = await upsert(name, [{ id: 1, a: 10 }, { a: 2 }, { id: 7, a: 7 }, { id: -1, a: 0 }]);
    expect(body).toMatchObject({
      updated: [{ id: 1, a: 10 }],
      inserted: [
        { id: 2, a: 2 },
        { id: 7, a: 7 },
      ],
      errors: [expect.stringContaining('Row 3: id must be')],
    });
  });

  test('an id that the caller chose does not use up later ids', async () => {
    const name = await fixture.table({ a: 1 });
    await upsert(name, [
      { id: 2147483647, a: 0 },
      { id: 2, a: 0 },
      { id: 1, a: 0 },
    ]);
    const { body } = await fixture.add(name, [{ a: 1 }, { a: 2 }]);
    expect(body.rows.map(({ id }: { id: number }) => id)).toEqual([3, 4]);
  });

  test.each([true, false])('rows are matched by a column, indexed: %s', async (indexed) => {
    const name = await fixture.table({ mail: 'x', n: 1 }, indexed ? { keyColumn: 'mail' } : {});
    await fixture.add(name, [
      { mail: 'a', n: 1 },
      { mail: 'b', n: 1 },
    ]);
    const body = await upsert(
      name,
      [{ mail: 'a', n: 2 }, { mail: 'c', n: 3 }, { mail: 'c', n: 4 }, { n: 5 }, { mail: 'd', n: 'x' }],
      'mail',
    );
    expect(body).toMatchObject({
      updated: [
        { id: 1, mail: 'a', n: 2 },
        { id: 3, mail: 'c', n: 4 },
      ],
      inserted: [{ id: 3, mail: 'c', n: 3 }],
      errors: ['Row 3: mail is missing.', 'Row 4: n must be a number, not a text.'],
    });
    expect(await all(name)).toHaveLength(3);
  });

  test('a value of several rows is an error', async () => {
    const name = await fixture.table({ mail: 'x', n: 1 });
    await fixture.add(name, [{ mail: 'a' }, { mail: 'a' }, { mail: 'b' }]);
    expect(
      await upsert(
        name,
        [
          { mail: 'a', n: 1 },
          { mail: 'b', n: 1 },
        ],
        'mail',
      ),
    ).toMatchObject({
      updated: [{ id: 3 }],
      inserted: [],
      errors: ['Row 0: several rows have this mail.'],
    });
  });

  test('rows are matched by instants in two notations', async () => {
    const name = await fixture.table({
      type: 'object',
      properties: { at: { type: 'string', format: 'date-time' } },
    });
    await fixture.add(name, [{ at: '2025-01-01T00:00:00Z' }]);
    expect((await upsert(name, [{ at: '2025-01-01T01:00:00+01:00' }], 'at')).updated).toHaveLength(1);
  });

  test('by a column that does not exist', async () => {
    const name = await fixture.table({ a: 1 });
    for (const keyColumn of ['none', 'constructor', 'createdAt']) {
      const response = await fixture.call('POST', `/${name}/rows/upsert`, { rows: [{}], keyColumn });
      expect(response).toEqual(refused(400, 'InvalidPayload'));
    }
  });

  test('concurrent requests add each key once', async () => {
    const name = await fixture.table({ key: 1, n: 1 }, { keyColumn: 'key' });
    const rows = many(20, (key) => ({ key, n: 1 }));
    await Promise.all([1, 2, 3, 4].map(() => upsert(name, rows, 'key')));
    expect(await all(name)).toHaveLength(20);
  });
});

describe('deleting', () => {
  const remove = (name: string, body: unknown) => fixture.call('POST', `/${name}/rows/delete`, body);
  const numbers = (count: number) => many(count, (n) => ({ n }));

  test('a deletion by ids returns the number of existing ones', async () => {
    const name = await fixture.table({ n: 1 });
    await fixture.add(name, numbers(4));
    expect((await remove(name, { ids: [1, 3, 3, 99] })).body).toEqual({ deletedRows: 2 });
    expect((await all(name)).map(({ id }: { id: number }) => id)).toEqual([2, 4]);
    // An id is not reused.
    expect((await fixture.add(name, [{ n: 1 }])).body.rows[0].id).toBe(5);
  });

  test('all rows are deleted', async () => {
    const name = await fixture.table({ n: 1 });
    await fixture.add(name, numbers(1000));
    expect((await remove(name, { deleteAllRows: true })).body).toEqual({ deletedRows: 1000 });
    expect(await all(name)).toEqual([]);
    expect((await fixture.add(name, [{ n: 1 }])).body.rows[0].id).toBe(1001);
    expect(await all(name)).toHaveLength(1);
  });

  test('a job deletes the existing rows that match a filter', async () => {
    const name = await fixture.table({ n: 1 });
    await fixture.add(name, numbers(900));
    const { body } = await remove(name, { filter: { n: { $gte: 5 } } });
    expect(body).toEqual({ deletedRows: 0, job: { id: expect.stringMatching(/^job_/), status: 'pending' } });
    await expect
      .poll(async () => (await fixture.call('GET', `/${name}/jobs`)).body.jobs, pollOptions)
      .toEqual([
        expect.objectContaining({ id: body.job.id, type: 'delete_rows', status: 'completed', progress: 100 }),
      ]);
    expect(await all(name)).toHaveLength(5);
  });

  test.each([{}, { ids: [1], deleteAllRows: true }, { deleteAllRows: false }, { filter: { none: 1 } }])(
    'refuses %j',
    async (body) => {
      const name = await fixture.table({ n: 1 });
      await fixture.add(name, [{ n: 1 }]);
      expect(await remove(name, body)).toEqual(refused(400, 'InvalidPayload'));
      expect(await all(name)).toHaveLength(1);
    },
  );
});

describe('finding', () => {
  let name: string;
  const people = [
    { who: 'Ann', age: 30, place: { city: 'Köln', zip: 1 }, bio: 'Ann likes red foxes' },
    { who: 'Bea', age: 20, place: { city: 'Łódź', zip: 2 }, bio: 'Bea likes blue dogs' },
    { who: 'Cem', age: null, place: null, bio: null },
    { who: 'Dan', age: 20, place: { city: 'Köln', zip: 3 }, bio: 'red red red' },
  ];
  beforeAll(async () => {
    name = await fixture.table({
      type: 'object',
      properties: {
        who: { type: 'string' },
        age: { type: 'number' },
        place: { type: 'object' },
        bio: { type: 'string', 'x-zui': { searchable: true } },
      },
    });
    await fixture.add(name, people);
  });
  const names = async (query: unknown) =>
    (await fixture.find(name, query)).body.rows.map(({ who }: { who: string }) => who);

  test.each<[unknown, string[]]>([
    [{}, ['Ann', 'Bea', 'Cem', 'Dan']],
    [{ orderDirection: 'desc' }, ['Dan', 'Cem', 'Bea', 'Ann']],
    [{ filter: { 'place.city': 'Köln' } }, ['Ann', 'Dan']],
    [{ filter: { age: { $lte: 30 } }, orderBy: 'age' }, ['Bea', 'Dan', 'Ann']],
    [{ orderBy: 'age' }, ['Cem', 'Bea', 'Dan', 'Ann']],
    [{ orderBy: 'age', orderDirection: 'desc' }, ['Ann', 'Bea', 'Dan', 'Cem']],
    [{ orderBy: 'place.zip', offset: 1, limit: 2 }, ['Ann', 'Bea']],
    [{ filter: { id: { $in: [2, 3] } } }, ['Bea', 'Cem']],
    [{ filter: { createdAt: { $gt: '2020-01-01' } }, limit: 1 }, ['Ann']],
    [{ search: 'RED' }, ['Dan', 'Ann']],
    [{ search: 'likes', filter: { age: 20 } }, ['Bea']],
    [{ search: 'likes', orderBy: 'who', orderDirection: 'desc' }, ['Bea', 'Ann']],
    [{ search: '   ', limit: 1 }, ['Ann']],
  ])('%j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('pages indicate whether there are more rows', async () => {
    const page = async (query: unknown) => {
      const { rows, ...rest } = (await fixture.find(name, query)).body;
      return { ...rest, count: rows.length };
    };
    expect(await page({})).toEqual({ hasMore: false, offset: 0, limit: 100, count: 4 });
    expect(await page({ limit: 3 })).toEqual({ hasMore: true, offset: 0, limit: 3, count: 3 });
    expect(await page({ limit: 3, offset: 3 })).toEqual({ hasMore: false, offset: 3, limit: 3, count: 1 });
    expect(await page({ limit: 1, offset: 2, orderBy: 'who' })).toMatchObject({ hasMore: true, count: 1 });
    expect(await page({ limit: 1, offset: 3, orderBy: 'who' })).toMatchObject({ hasMore: false, count: 1 });
    expect(await page({ offset: 2147483647, filter: { age: 20 } })).toMatchObject({
      hasMore: false,
      count: 0,
    });
  });

  test('similarity is between 0 and 1, and only present with a search', async () => {
    const { rows } = (await fixture.find(name, { search: 'red fox' })).body;
    for (const { similarity } of rows) {
      expect(similarity).toBeGreaterThan(0);
      expect(similarity).toBeLessThanOrEqual(1);
    }
    expect((await fixture.find(name)).body.rows[0]).not.toHaveProperty('similarity');
    const without = await fixture.table({ a: 'x' });
    await fixture.add(without, [{ a: 'red' }]);
    expect((await fixture.find(without, { search: 'red' })).body).toMatchObject({
      rows: [],
      warnings: [expect.stringContaining('x-zui.searchable')],
    });
  });

  test('select omits columns, and parts of their values', async () => {
    const { rows } = (await fixture.find(name, { select: ['who', 'place.city', 'place.none'], limit: 1 }))
      .body;
    expect(rows).toEqual([
      {
        id: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        computed: {},
        who: 'Ann',
        place: { city: 'Köln' },
      },
    ]);
  });

  test('rows are found in groups', async () => {
    const group = { 'place.city': 'key', age: ['sum', 'avg'], id: 'count' };
    const { body } = await fixture.find(name, { group });
    expect(body).toEqual({
      rows: [
        { 'place.city': null, ageSum: 0, ageAvg: null, idCount: 1 },
        { 'place.city': 'Köln', ageSum: 50, ageAvg: 25, idCount: 2 },
        { 'place.city': 'Łódź', ageSum: 20, ageAvg: 20, idCount: 1 },
      ],
      hasMore: false,
      offset: 0,
      limit: 100,
    });
    const top = await fixture.find(name, {
      group,
      orderBy: 'ageSum',
      orderDirection: 'desc',
      limit: 1,
      offset: 1,
    });
    expect(top.body).toMatchObject({ rows: [{ 'place.city': 'Łódź' }], hasMore: true });
    const found = await fixture.find(name, { group: { id: 'count' }, search: 'red', filter: { age: 20 } });
    expect(found.body.rows).toEqual([{ idCount: 1 }]);
  });

  test.each([
    { select: ['none'] },
    { orderBy: 'none' },
    { orderBy: '__proto__' },
    { orderBy: 'who', group: { age: 'sum' } },
    { filter: { who: { $where: 'x' } } },
    { group: {} },
    { group: { age: 'median' } },
  ])('refuses %j', async (query) => {
    expect(await fixture.find(name, query)).toEqual(refused(400, 'InvalidPayload'));
  });

  test('an unknown row is not found', async () => {
    expect(await fixture.call('GET', `/${name}/row?id=99`)).toEqual(refused(404, 'ResourceNotFound'));
  });

  test('a response above 40 MB is rejected', async () => {
    const large = await fixture.table({ a: 'x' }, { factor: 30 });
    const rows = many(200, () => ({ a: 'x'.repeat(120_000) }));
    for (const _ of [1, 2]) expect((await fixture.add(large, rows)).body.rows).toHaveLength(200);
    expect(await fixture.find(large, { limit: 400 })).toEqual(refused(413, 'LimitExceeded'));
    expect((await fixture.find(large, { limit: 300 })).body.rows).toHaveLength(300);
  });
});

test('pages of any size and order contain each row once', async () => {
  const name = await fixture.table({ a: 1, b: 'x' });
  const rows = Array.from({ length: 60 }, (_, n) => ({
    a: n % 7 === 0 ? null : n % 5,
    b: String.fromCharCode(97 + (n % 3)),
  }));
  await fixture.add(name, rows);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom(undefined, 'id', 'a', 'b', 'updatedAt'),
      fc.constantFrom('asc', 'desc'),
      fc.constantFrom(undefined, { a: { $ne: 2 } }, { b: { $in: ['a', 'c'] } }),
      async (limit, orderBy, orderDirection, filter) => {
        const query = { orderDirection, ...(orderBy ? { orderBy } : {}), ...(filter ? { filter } : {}) };
        const whole = (await fixture.find(name, { ...query, limit: 1000 })).body.rows;
        const pages: unknown[] = [];
        for (let hasMore = true; hasMore; ) {
          const { body } = await fixture.find(name, { ...query, limit, offset: pages.length });
          pages.push(...body.rows);
          hasMore = body.hasMore;
        }
        expect(pages).toEqual(whole);
      },
    ),
    { numRuns: 30 },
  );
});

test('a long search in one table does not block other requests', async () => {
  const name = await fixture.table({ a: 'x' });
  const rows = many(1000, () => ({ a: 'a'.repeat(3_000) }));
  for (const _ of [1, 2, 3]) await fixture.add(name, rows);
  let isDone = false;
  const long = fixture.find(name, { filter: { a: { $regex: '(a|aa)+$.' } } }).then((answer) => {
    isDone = true;
    return answer;
  });
  let turns = 0;
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect((await long).body.rows).toEqual([]);
  expect(turns).toBeGreaterThan(10);
});
