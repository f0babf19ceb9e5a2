// The cases of the Tables API, for platform.contract.ts: every operation, the lifecycle of a table, and refusals.
import { describe, expect, test } from 'vitest';
import { pollOptions } from '../../polling.testing.ts';
import { type PlatformContractFixture, refusal } from './fixture.contract.ts';

export function tablesContract({ client, fresh }: PlatformContractFixture): void {
  const table = () => `${fresh('things')}Table`;
  const schema = { name: 'Ann', age: 3 };

  test('a table is created once, read, changed, listed and deleted', async () => {
    const api = client();
    const name = table();
    const made = await api.createTable({ name, schema, tags: { kind: name } });
    expect(made.table).toMatchObject({ name, factor: 1, frozen: false, tags: { kind: name } });
    expect(Object.keys(made.table.schema.properties)).toEqual(['name', 'age']);
    expect(await api.getOrCreateTable({ table: name, schema: { other: 1 } })).toEqual({
      ...made,
      created: false,
      rows: 0,
      stale: 0,
      indexing: 0,
    });
    expect(await refusal(api.createTable({ name, schema }))).toBe('409 AlreadyExists');
    const changed = await api.updateTable({
      table: made.table.id,
      factor: 2,
      schema: { age: null, note: 'x' },
    });
    expect(changed.table).toMatchObject({ id: made.table.id, factor: 2 });
    const { table: renamed } = await api.renameTableColumn({ table: name, name: 'note', newName: 'remark' });
    expect(Object.keys(renamed.schema.properties)).toEqual(['name', 'remark']);
    expect(await api.list.tables({ tags: { kind: name } }).collect()).toEqual([renamed]);
    expect(await api.getTable({ table: name })).toEqual({ table: renamed, rows: 0, stale: 0, indexing: 0 });
    expect(await api.deleteTable({ table: name })).toEqual({});
    expect(await refusal(api.getTable({ table: name }))).toBe('404 ResourceNotFound');
  });

  test('lists are paginated, and their tables keep their order', async () => {
    const api = client();
    const kind = fresh('page');
    const names = [table(), table(), table()];
    for (const name of names) await api.createTable({ name, schema, tags: { kind } });
    const listed: string[] = [];
    for await (const { name } of api.list.tables({ pageSize: 1, tags: { kind } })) {
      listed.push(name);
      // A table that is created meanwhile is not on a later page.
      if (listed.length === 1) await api.createTable({ name: table(), schema, tags: { kind } });
    }
    expect(listed).toEqual([...names].reverse());
  });

  test('valid rows are written, found, and deleted', async () => {
    const api = client();
    const name = table();
    await api.createTable({ name, schema, keyColumn: 'name' });
    const made = await api.createTableRows({
      table: name,
      rows: [{ name: 'Ann', age: 1 }, { name: 'Ann' }, { name: 'Bea', age: 'x' }, { name: 'Cem', size: 3 }],
    });
    expect(made).toMatchObject({
      rows: [
        { id: 1, name: 'Ann', age: 1, computed: {} },
        { id: 2, name: 'Cem', age: null },
      ],
      errors: [expect.stringContaining('Row 1'), expect.stringContaining('Row 2')],
      warnings: [expect.stringContaining('size')],
    });
    expect(await api.getTableRow({ table: name, id: 1 })).toEqual({ row: made.rows[0] });
    expect((await api.updateTableRows({ table: name, rows: [{ id: 2, age: 5 }] })).rows).toMatchObject([
      { id: 2, name: 'Cem', age: 5 },
    ]);
    const upserted = await api.upsertTableRows({
      table: name,
      keyColumn: 'name',
      rows: [
        { name: 'Cem', age: 6 },
        { name: 'Dan', age: 7 },
      ],
    });
    expect(upserted).toMatchObject({ updated: [{ id: 2, age: 6 }], inserted: [{ id: 3, age: 7 }] });
    const found = await api.findTableRows({
      table: name,
      filter: { age: { $gt: 1 } },
      orderBy: 'age',
      orderDirection: 'desc',
      limit: 1,
    });
    expect(found).toMatchObject({ rows: [{ id: 3, name: 'Dan' }], hasMore: true, offset: 0, limit: 1 });
    const groups = await api.findTableRows({ table: name, group: { age: ['sum', 'count'] } });
    expect(groups.rows).toEqual([{ ageSum: 14, ageCount: 3 }]);
    expect(await api.deleteTableRows({ table: name, ids: [1, 9] })).toEqual({ deletedRows: 1 });
    expect(await api.deleteTableRows({ table: name, deleteAllRows: true })).toEqual({ deletedRows: 2 });
    expect((await api.findTableRows({ table: name })).rows).toEqual([]);
  });

  test('jobs continue after the response: export, import, duplicate, delete by a filter', async () => {
    const api = client();
    const name = table();
    await api.createTable({ name, schema });
    const names = Array.from({ length: 250 }, (_, age) => ({ name: `=${age}`, age }));
    await api.createTableRows({ table: name, rows: names });
    const ended = async (of: string, id: string) => {
      const job = async () => (await api.getTableJobs({ table: of })).jobs.find((one) => one.id === id);
      await expect.poll(async () => (await job())?.status, pollOptions).toBe('completed');
      return job();
    };
    const started = await api.exportTable({ table: name, format: 'csv', compress: true });
    const exported = await ended(name, started.job.id);
    expect(exported).toMatchObject({ type: 'export', progress: 100, outputFileId: expect.any(String) });

    const other = table();
    await api.createTable({ name: other, schema });
    const { job } = await api.importTable({ table: other, fileId: exported?.outputFileId ?? '' });
    expect(await ended(other, job.id)).toMatchObject({ type: 'import', inputFileId: exported?.outputFileId });
    const rowsOf = async (of: string) =>
      (await api.findTableRows({ table: of, limit: 1000, select: ['name', 'age'] })).rows.map((row) => [
        row.name,
        row.age,
      ]);
    expect(await rowsOf(other)).toEqual(names.map((row) => [row.name, row.age]));

    const copied = await api.duplicateTable({ table: name, tableName: table() });
    expect(copied.rows).toBe(250);
    await ended(copied.table.name, copied.job?.id ?? '');
    expect(await rowsOf(copied.table.name)).toEqual(await rowsOf(name));

    const deleted = await api.deleteTableRows({ table: name, filter: { age: { $gte: 3 } } });
    expect(deleted.deletedRows).toBe(0);
    await ended(name, deleted.job?.id ?? '');
    expect(await rowsOf(name)).toHaveLength(3);
  });

  describe('refuses', () => {
    test('missing resources and invalid values', async () => {
      const api = client();
      const name = table();
      await api.createTable({ name, schema });
      expect(await refusal(api.findTableRows({ table: table() }))).toBe('404 ResourceNotFound');
      expect(await refusal(api.getTableRow({ table: name, id: 1 }))).toBe('404 ResourceNotFound');
      expect(await refusal(api.importTable({ table: name, fileId: 'none' }))).toBe('404 ResourceNotFound');
      expect(await refusal(api.findTableRows({ table: name, filter: { none: 1 } }))).toBe(
        '400 InvalidPayload',
      );
      expect(await refusal(api.createTableRows({ table: name, rows: [] }))).toBe('400 InvalidPayload');
      expect(await refusal(api.createTable({ name: 'things', schema }))).toBe('400 InvalidPayload');
      const wrong = { type: 'object', properties: { a: { type: 'money' } } };
      expect(await refusal(api.createTable({ name: table(), schema: wrong }))).toBe('400 InvalidJsonSchema');
    });
  });
}
