// The cases of the Tables API, for platform.contract.ts.
import { expect, test, vi } from 'vitest';
import { refusal, type Scene } from './scene.contract.ts';

export function tablesContract({ server, client, fresh }: Scene): void {
  /** A table of its own, with people in it. */
  async function people() {
    const name = `${fresh('people').replace('-', '')}Table`;
    const { table } = await client().createTable({ name, schema: { name: 'Ann', age: 7 } });
    const rows = ['Ann', 'Bob', 'Cid'].map((person, index) => ({ name: person, age: 20 + index }));
    const created = await client().createTableRows({ table: name, rows });
    expect(created.errors ?? []).toEqual([]);
    return { table, name, rows: created.rows };
  }

  test('a table is made, found by name and id, changed, copied and deleted', async () => {
    const { table, name } = await people();
    for (const one of [name, table.id]) {
      expect(await client().getTable({ table: one })).toMatchObject({
        table: { id: table.id, name },
        rows: 3,
      });
    }
    const again = await client().getOrCreateTable({ table: name, schema: { name: 'Ann' } });
    expect(again).toMatchObject({ created: false, table: { id: table.id } });
    expect((await client().list.tables().collect()).map(({ id }) => id)).toContain(table.id);
    const { table: changed } = await client().updateTable({ table: name, tags: { kind: 'a' } });
    expect(changed.tags).toEqual({ kind: 'a' });
    expect(
      await client()
        .list.tables({ tags: { kind: 'a' } })
        .collect(),
    ).toEqual([changed]);
    await client().renameTableColumn({ table: name, name: 'age', newName: 'years' });
    const { rows } = await client().findTableRows({ table: name, orderBy: 'years', orderDirection: 'desc' });
    expect(rows.map(({ years }) => years)).toEqual([22, 21, 20]);
    const copy = await client().duplicateTable({ table: name, tableName: `Copy${name}` });
    expect(copy.table.name).toBe(`Copy${name}`);
    expect(await client().deleteTable({ table: name })).toEqual({});
    expect(await refusal(client().getTable({ table: name }))).toBe('404 ResourceNotFound');
    expect(await refusal(client().deleteTable({ table: name }))).toBe('404 ResourceNotFound');
  });

  test('rows are found, changed, upserted and deleted; a wrong one is refused by itself', async () => {
    const { name, rows } = await people();
    const [ann, bob] = rows;
    const found = await client().findTableRows({ table: name, filter: { age: { $gte: 21 } }, limit: 1 });
    expect(found).toMatchObject({ rows: [{ name: 'Bob' }], hasMore: true, limit: 1, offset: 0 });
    expect((await client().getTableRow({ table: name, id: ann?.id ?? 0 })).row).toEqual(ann);
    const changed = await client().updateTableRows({ table: name, rows: [{ id: bob?.id ?? 0, age: 33 }] });
    expect(changed.rows).toMatchObject([{ id: bob?.id, name: 'Bob', age: 33 }]);
    const partial = await client().createTableRows({
      table: name,
      rows: [{ name: 7 }, { name: 'Dan', age: 1 }],
    });
    expect(partial.rows.map((row) => row.name)).toEqual(['Dan']);
    expect(partial.errors).toHaveLength(1);
    const upserted = await client().upsertTableRows({
      table: name,
      keyColumn: 'name',
      rows: [
        { name: 'Ann', age: 1 },
        { name: 'Eve', age: 2 },
      ],
    });
    expect(upserted).toMatchObject({ inserted: [{ name: 'Eve' }], updated: [{ id: ann?.id, age: 1 }] });
    expect(await client().deleteTableRows({ table: name, ids: [ann?.id ?? 0] })).toMatchObject({
      deletedRows: 1,
    });
    expect(await refusal(client().getTableRow({ table: name, id: ann?.id ?? 0 }))).toBe(
      '404 ResourceNotFound',
    );
  });

  test('a table is exported to a file, which is read, and imported again', async () => {
    const { name } = await people();
    const { job } = await client().exportTable({ table: name, format: 'csv' });
    const jobOf = async (id: string) =>
      (await client().getTableJobs({ table: name })).jobs.find((one) => one.id === id);
    const done = (id: string) =>
      vi.waitFor(
        async () => {
          const one = await jobOf(id);
          expect(one?.status).toBe('completed');
          return one;
        },
        { timeout: 30_000, interval: 20 },
      );
    const fileId = (await done(job.id))?.outputFileId ?? '';
    expect(await (await client().downloadFile({ id: fileId })).text()).toContain('Ann');
    const imported = await client().importTable({ table: name, fileId });
    await done(imported.job.id);
  });

  test('rows that are sent again after a cut are there once', async () => {
    const { name } = await people();
    let requests = 0;
    const cutting = client({
      retry: { attempts: 1, delayMs: () => 0 },
      async fetch(url, init) {
        const response = await server().fetch(url, init);
        // The server has done it; the answer does not come.
        if (requests++ === 0) throw new TypeError('cut');
        return response;
      },
    });
    await cutting.createTableRows({ table: name, rows: [{ name: 'Once', age: 1 }] });
    const { rows } = await client().findTableRows({ table: name, filter: { name: 'Once' } });
    expect([requests, rows.length]).toEqual([2, 1]);
  });

  test.each(['../xTable', 'a/b?c#dTable', 'ÜTable', '..\\xTable'])(
    'the name %j is of no table',
    async (table) => {
      expect(await refusal(client().getTable({ table }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().findTableRows({ table }))).toBe('404 ResourceNotFound');
    },
  );

  test.each(['', '.', '..'])('the name %j is refused before it reaches another address', async (table) => {
    await expect(client().deleteTable({ table })).rejects.toThrow(TypeError);
    await expect(client().deleteTableRows({ table, deleteAllRows: true })).rejects.toThrow(TypeError);
  });
}
