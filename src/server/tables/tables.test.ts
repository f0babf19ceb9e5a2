// Tests of tables in the Tables API: names, columns, changes, lists, and isolation of bots.
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { operationsOf } from '../../protocol/operations/apis.ts';
import { tableSchemas } from '../../protocol/schemas/tables.ts';
import { deleteBot } from '../storage/bots/bots.ts';
import { pollOptions } from '../testing.ts';
import { createTablesFixture, type TablesFixture } from './testing.ts';

let fixture: TablesFixture;
beforeAll(async () => {
  fixture = await createTablesFixture();
});
afterAll(() => fixture.server.close());

const refused = (status: number, type: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ code: status, type }) });

describe('a table', () => {
  test('is created from an example, returned by name and by id, and counted', async () => {
    const made = await fixture.call('POST', '', {
      name: 'peopleTable',
      schema: { name: 'Ann', age: 3 },
      tags: { team: 'a' },
      keyColumn: 'name',
    });
    expect(made.status).toBe(200);
    const { table } = made.body;
    expect(v.parse(tableSchemas.table, table)).toEqual(table);
    expect(table).toMatchObject({
      id: expect.stringMatching(/^table_/),
      name: 'peopleTable',
      factor: 1,
      frozen: false,
      keyColumn: 'name',
      tags: { team: 'a' },
      isComputeEnabled: false,
      schema: { type: 'object', additionalProperties: true },
    });
    await fixture.add('peopleTable', [{ name: 'Ann' }, { name: 'Bea' }]);
    for (const name of ['peopleTable', table.id]) {
      const { body } = await fixture.call('GET', `/${name}`);
      expect(body).toEqual({ table, rows: 2, stale: 0, indexing: 0 });
    }
  });

  test('is created once by get or create', async () => {
    const schema = { a: 1 };
    const first = await fixture.call('POST', '/onceTable', { schema });
    expect(first.body).toMatchObject({ created: true, rows: 0, table: { name: 'onceTable' } });
    const again = await fixture.call('POST', '/onceTable', { schema: { b: 'x' } });
    expect(again.body).toEqual({ ...first.body, created: false });
    const byId = await fixture.call('POST', `/${first.body.table.id}`, { schema });
    expect(byId.body.created).toBe(false);
    const both = await Promise.all([1, 2, 3].map(() => fixture.call('POST', '/raceTable', { schema })));
    expect(both.filter(({ body }) => body.created)).toHaveLength(1);
  });

  test('is created once by concurrent requests with one name', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => fixture.call('POST', '', { name: 'twinTable', schema: { a: 1 } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    // Another bot can use the name.
    const other = await fixture.call('POST', '', { name: 'twinTable', schema: { a: 1 } }, fixture.other);
    expect(other.status).toBe(200);
  });

  test.each([
    ['a name without the end', { name: 'people', schema: {} }],
    ['a name with a NUL', { name: 'a\0Table', schema: {} }],
    ['a key column that is none', { name: 'xTable', schema: { a: 1 }, keyColumn: 'b' }],
    ['a key column of Object', { name: 'xTable', schema: { a: 1 }, keyColumn: 'constructor' }],
    ['a key column of objects', { name: 'xTable', schema: { a: {} }, keyColumn: 'a' }],
  ])('is not created with %s', async (_, body) => {
    expect(await fixture.call('POST', '', body)).toEqual(refused(400, 'InvalidPayload'));
  });

  test('is not created from an invalid schema', async () => {
    const schema = { type: 'object', properties: { a: { type: 'money' } } };
    expect(await fixture.call('POST', '', { name: 'xTable', schema })).toEqual(
      refused(400, 'InvalidJsonSchema'),
    );
  });

  test('can have a name in other scripts', async () => {
    const name = 'żółwie 東京Table';
    expect((await fixture.call('POST', '', { name, schema: {} })).status).toBe(200);
    expect((await fixture.call('GET', `/${encodeURIComponent(name)}`)).body.table.name).toBe(name);
  });

  test('is deleted with all of its data, and its name can be reused', async () => {
    const name = await fixture.table({ a: 1 });
    await fixture.add(name, [{ a: 1 }, { a: 2 }]);
    expect(await fixture.call('DELETE', `/${name}`)).toEqual({ status: 200, body: {} });
    expect(await fixture.call('GET', `/${name}`)).toEqual(refused(404, 'ResourceNotFound'));
    expect(await fixture.call('DELETE', `/${name}`)).toEqual(refused(404, 'ResourceNotFound'));
    await fixture.call('POST', '', { name, schema: { a: 1 } });
    expect((await fixture.find(name)).body.rows).toEqual([]);
    await expect
      .poll(() => fixture.server.db.read((tx) => tx.all('SELECT * FROM deletions')), pollOptions)
      .toEqual([]);
  });
});

describe('a change', () => {
  test('adds, removes and clears columns; other columns are kept', async () => {
    const name = await fixture.table({ keep: 'x', gone: 'x', turned: 'x' });
    await fixture.add(name, [{ keep: 'a', gone: 'b', turned: '7' }]);
    const { status, body } = await fixture.call('PUT', `/${name}`, {
      schema: {
        type: 'object',
        properties: { gone: null, turned: { type: 'number' }, fresh: { type: 'boolean' } },
      },
    });
    expect(status).toBe(200);
    expect(Object.keys(body.table.schema.properties)).toEqual(['keep', 'turned', 'fresh']);
    expect((await fixture.find(name)).body.rows).toEqual([
      expect.objectContaining({ keep: 'a', turned: null, fresh: null }),
    ]);
    await expect
      .poll(async () => (await fixture.call('GET', `/${name}/jobs`)).body.jobs, pollOptions)
      .toEqual([expect.objectContaining({ type: 'clear_column', status: 'completed', progress: 100 })]);
    // None of its data is on disk any more.
    const stored = await fixture.server.db.read((tx) =>
      tx.get<{ data: string }>(
        'SELECT data FROM table_rows JOIN tables USING (store_id) WHERE name = ?',
        name,
      ),
    );
    expect(JSON.parse(stored?.data ?? '')).toEqual({ c1: 'a' });
    // A column of the same name has no values.
    await fixture.call('PUT', `/${name}`, { schema: { gone: 'x' } });
    expect((await fixture.find(name)).body.rows[0].gone).toBeNull();
  });

  test('to more than 20 columns is rejected, and nothing is changed', async () => {
    const columns = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 1]));
    const name = await fixture.table(columns('a', 15));
    const before = (await fixture.call('GET', `/${name}`)).body;
    expect(await fixture.call('PUT', `/${name}`, { name: 'otherTable', schema: columns('b', 6) })).toEqual(
      refused(400, 'InvalidJsonSchema'),
    );
    expect((await fixture.call('GET', `/${name}`)).body).toEqual(before);
  });

  test('of the name requires a name that is not in use', async () => {
    const [one, two] = [await fixture.table({ a: 1 }), await fixture.table({ a: 1 })];
    expect(await fixture.call('PUT', `/${one}`, { name: two })).toEqual(refused(409, 'AlreadyExists'));
    expect((await fixture.call('PUT', `/${one}`, { name: one })).status).toBe(200);
    expect((await fixture.call('PUT', `/${one}`, { name: 'movedTable' })).body.table.name).toBe('movedTable');
    expect((await fixture.call('GET', `/${one}`)).status).toBe(404);
  });

  test('of the factor can only increase it', async () => {
    const name = await fixture.table({ a: 'x' }, { factor: 2 });
    expect(await fixture.call('PUT', `/${name}`, { factor: 1 })).toEqual(refused(400, 'InvalidPayload'));
    expect((await fixture.call('PUT', `/${name}`, { factor: 3 })).body.table.factor).toBe(3);
  });

  test('of tags is merged; null removes a tag', async () => {
    const name = await fixture.table({}, { tags: { a: '1', b: '2' } });
    const { body } = await fixture.call('PUT', `/${name}`, { tags: { a: null, c: '3' } });
    expect(body.table.tags).toEqual({ b: '2', c: '3' });
  });

  test('of the name and columns of a frozen table is rejected; rows can be added', async () => {
    const name = await fixture.table({ a: 1 }, { frozen: true });
    for (const change of [
      { name: 'thawedTable' },
      { schema: { b: 1 } },
      { frozen: false },
      { keyColumn: 'a' },
    ]) {
      expect(await fixture.call('PUT', `/${name}`, change)).toEqual(refused(409, 'ResourceLockedConflict'));
    }
    expect(await fixture.call('PUT', `/${name}/column`, { name: 'a', newName: 'b' })).toEqual(
      refused(409, 'ResourceLockedConflict'),
    );
    expect((await fixture.add(name, [{ a: 1 }])).body.rows).toHaveLength(1);
    expect((await fixture.call('PUT', `/${name}`, { tags: { a: 'b' } })).status).toBe(200);
    const copy = await fixture.call('POST', `/${name}/duplicate`, { tableName: 'thawedTable' });
    expect(copy.body.table.frozen).toBe(false);
    expect((await fixture.call('DELETE', `/${name}`)).status).toBe(200);
  });

  test('a change of the key column requires distinct values', async () => {
    const name = await fixture.table({ a: 'x', b: 'x' });
    await fixture.add(name, [
      { a: '1', b: 'same' },
      { a: '2', b: 'same' },
      { a: null, b: 'x' },
    ]);
    expect(await fixture.call('PUT', `/${name}`, { keyColumn: 'b' })).toEqual(
      refused(409, 'RelationConflict'),
    );
    expect((await fixture.call('PUT', `/${name}`, { keyColumn: 'a' })).body.table.keyColumn).toBe('a');
    expect((await fixture.add(name, [{ a: '1' }, { a: '3' }])).body).toMatchObject({
      rows: [{ a: '3' }],
      errors: ['Row 0: the row 1 has this a already.'],
    });
    expect((await fixture.call('PUT', `/${name}`, { keyColumn: null })).body.table.keyColumn).toBeNull();
    expect((await fixture.add(name, [{ a: '1' }])).body.rows).toHaveLength(1);
  });

  test('removes the key with its column', async () => {
    const name = await fixture.table({ a: 'x' }, { keyColumn: 'a' });
    await fixture.add(name, [{ a: '1' }]);
    expect(
      (await fixture.call('PUT', `/${name}`, { schema: { a: null, b: 1 } })).body.table.keyColumn,
    ).toBeNull();
  });
});

describe('a column', () => {
  test('can be renamed with its data, its position among the required columns, and the key', async () => {
    const name = await fixture.table(
      { type: 'object', properties: { old: { type: 'string' } }, required: ['old'] },
      { keyColumn: 'old' },
    );
    await fixture.add(name, [{ old: 'x' }]);
    const { body } = await fixture.call('PUT', `/${name}/column`, { name: 'old', newName: 'new' });
    expect(body.table).toMatchObject({ keyColumn: 'new', schema: { required: ['new'] } });
    expect((await fixture.find(name)).body.rows).toEqual([expect.objectContaining({ new: 'x' })]);
    expect((await fixture.add(name, [{ new: 'x' }])).body.errors).toHaveLength(1);
  });

  test.each([
    [{ name: 'none', newName: 'b' }, 404, 'ResourceNotFound'],
    [{ name: 'a', newName: 'taken' }, 409, 'AlreadyExists'],
    [{ name: 'a', newName: 'x'.repeat(31) }, 400, 'InvalidJsonSchema'],
    [{ name: 'a', newName: 'createdAt' }, 400, 'InvalidJsonSchema'],
  ])('cannot be renamed with %j', async (body, status, type) => {
    const name = await fixture.table({ a: 1, taken: 1 });
    expect(await fixture.call('PUT', `/${name}/column`, body)).toEqual(refused(status, type));
  });
});

describe('the list', () => {
  test('is paginated, newest first, and stable while tables are added and deleted', async () => {
    const own = await createTablesFixture();
    const names: string[] = [];
    for (let n = 0; n < 7; n += 1) names.unshift(await own.table({ a: 1 }, { tags: { odd: String(n % 2) } }));
    const page = async (query: string) => (await own.call('GET', query)).body;
    const first = await page('?pageSize=3');
    expect(first.tables.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 3));
    await own.call('DELETE', `/${names[2]}`);
    await own.call('DELETE', `/${names[4]}`);
    await own.table({ a: 1 });
    const second = await page(`?pageSize=3&nextToken=${encodeURIComponent(first.meta.nextToken)}`);
    expect(second.tables.map(({ name }: { name: string }) => name)).toEqual([names[3], names[5], names[6]]);
    expect(second.meta).toEqual({});

    const odd = await page('?pageSize=1&tags.odd=1');
    expect(odd.tables.map(({ tags }: { tags: unknown }) => tags)).toEqual([{ odd: '1' }]);
    expect(odd.meta.nextToken).toEqual(expect.any(String));
    expect((await page('?tags[odd]=1&tags[none]=')).tables).toEqual([]);
    expect(await own.call('GET', '?nextToken=garbage')).toEqual(refused(400, 'InvalidQuery'));
    expect(await own.call('GET', '?pageSize=0')).toEqual(refused(400, 'InvalidQuery'));
    expect((await own.call('GET', '', undefined, own.other)).body).toEqual({ tables: [], meta: {} });
    await own.server.close();
  });

  test('is complete without a page size, because some clients do not request further pages', async () => {
    const own = await createTablesFixture();
    for (let n = 0; n <= limits.pageSize; n += 1) await own.table({ a: 1 });
    const { tables, meta } = (await own.call('GET', '')).body;
    expect([tables.length, meta]).toEqual([limits.pageSize + 1, {}]);
    await own.server.close();
  });
});

test('another bot gets 404 for every operation, by name and by id, and changes nothing', async () => {
  const name = await fixture.table({ a: 1 });
  await fixture.add(name, [{ a: 1 }]);
  const { table } = (await fixture.call('GET', `/${name}`)).body;
  const bodies: Record<string, unknown> = {
    updateTable: { factor: 2 },
    renameTableColumn: { name: 'a', newName: 'b' },
    duplicateTable: {},
    importTable: { fileId: 'file_none' },
    findTableRows: {},
    createTableRows: { rows: [{ a: 2 }] },
    updateTableRows: { rows: [{ id: 1, a: 2 }] },
    upsertTableRows: { rows: [{ a: 2 }] },
    deleteTableRows: { deleteAllRows: true },
  };
  const listed = operationsOf('tables').filter(
    ({ path, id }) => path.includes('{table}') && id !== 'getOrCreateTable',
  );
  expect(listed.length).toBeGreaterThan(10);
  for (const { id, method, path } of listed) {
    for (const spelling of [name, table.id]) {
      const query = id === 'getTableRow' ? '?id=1' : '';
      const response = await fixture.call(
        method,
        path.replace('{table}', spelling) + query,
        bodies[id],
        fixture.other,
      );
      expect([id, response.status]).toEqual([id, 404]);
    }
  }
  expect((await fixture.call('GET', `/${name}`)).body).toEqual({ table, rows: 1, stale: 0, indexing: 0 });
});

test('the tables of a deleted bot are removed with their rows', async () => {
  const own = await createTablesFixture();
  const remaining = await own.table({ a: 1 });
  const as = own.other;
  await own.call('POST', '', { name: 'goneTable', schema: { a: 1 } }, as);
  await own.call('POST', '/goneTable/rows', { rows: [{ a: 1 }] }, as);
  await own.server.db.write((tx) => deleteBot(tx, as['x-bot-id'] ?? '', 1));
  const again = await own.restart();
  const remainingTables = () =>
    again.server.db.read(async (tx) => [
      ...(await tx.all('SELECT name FROM tables')),
      ...(await tx.all('SELECT id FROM table_rows')),
      ...(await tx.all('SELECT * FROM deletions')),
    ]);
  await expect.poll(remainingTables, pollOptions).toEqual([{ name: remaining }]);
  await again.server.close();
});
