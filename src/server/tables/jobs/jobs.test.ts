// Tests of the jobs of tables: their effects occur once, also after a restart, and failures are reported.
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyText } from '../../../protocol/any-text.testing.ts';
import { openFolder } from '../../files/bytes/folder.ts';
import { deleteFile } from '../../storage/files/deletions.ts';
import { type FileRow, fileOfKey } from '../../storage/files/files.ts';
import { isPostgresTest } from '../../storage/postgres/testing.ts';
import { pollOptions } from '../../testing.ts';
import { createTableFiles, type TableFiles } from '../stored-files.ts';
import { createTablesFixture, many, type TablesFixture } from '../testing.ts';

let fixture: TablesFixture;
let files: TableFiles;
beforeAll(async () => {
  fixture = await createTablesFixture();
  files = await filesOf(fixture);
});
afterAll(() => fixture.server.close());

async function filesOf({ server }: TablesFixture): Promise<TableFiles> {
  const store = await openFolder(join(server.home, 'files'));
  return createTableFiles({ db: server.db, store, onRemoved: () => {}, now: Date.now });
}

const refused = (status: number, type: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ code: status, type }) });

async function* pieces(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let from = 0; from < bytes.length; from += 7_001) yield bytes.subarray(from, from + 7_001);
}
const upload = (content: string | Uint8Array, botId = fixture.botId) =>
  files.write(botId, 'a file', 'text/plain', pieces(content));

async function download(id: string): Promise<Buffer> {
  const file = await files.find(fixture.botId, id);
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await file?.open()) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The stored files of a fixture that this process has open. */
async function openFiles({ server } = fixture): Promise<string[]> {
  const targets = (await readdir('/proc/self/fd')).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ''),
  );
  return (await Promise.all(targets)).filter((target) => target.startsWith(join(server.home, 'files')));
}

const rowsOf = async (table: string, of = fixture) => (await of.find(table, { limit: 1000 })).body.rows;

/** Returns the newest job of a table when it has ended. Large imports take long on a busy machine. */
async function ended(table: string, of = fixture) {
  const newest = async () => (await of.call('GET', `/${table}/jobs`)).body.jobs[0];
  await expect
    .poll(async () => ['completed', 'failed'].includes((await newest())?.status), {
      ...pollOptions,
      timeout: 120_000,
    })
    .toBe(true);
  return newest();
}

async function imported(table: string, content: string | Uint8Array) {
  const fileId = await upload(content);
  const { status, body } = await fixture.call('POST', `/${table}/import`, { fileId });
  expect([status, body.job]).toEqual([
    200,
    expect.objectContaining({ type: 'import', status: 'pending', inputFileId: fileId }),
  ]);
  return ended(table);
}

async function exported(table: string, query = '') {
  const { status, body } = await fixture.call('GET', `/${table}/export${query}`);
  expect([status, body.job]).toEqual([
    200,
    expect.objectContaining({ type: 'export', status: 'pending', outputFileId: null }),
  ]);
  const job = await ended(table);
  expect(job).toMatchObject({
    status: 'completed',
    progress: 100,
    outputFileId: expect.stringMatching(/^file_/),
  });
  return download(job.outputFileId);
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    n: { type: 'number' },
    ok: { type: 'boolean' },
    list: { type: 'array' },
    map: { type: 'object' },
    at: { type: 'string', format: 'date-time' },
  },
};

describe('export and import', () => {
  test('rows are exported as CSV, with formulas marked', async () => {
    const name = await fixture.table({ name: 'x', n: 1 });
    const made = await fixture.add(name, [
      { name: '=1+1', n: -1 },
      { name: 'a,"b"\n', n: null },
      { name: '', n: 0 },
    ]);
    const [first, second, third] = made.body.rows;
    const times = ({ createdAt, updatedAt }: Record<string, string>) => `${createdAt},${updatedAt}`;
    expect((await exported(name)).toString()).toBe(
      '\ufeffid,name,n,createdAt,updatedAt\r\n' +
        `1,'=1+1,-1,${times(first)}\r\n` +
        `2,"a,""b""\n",,${times(second)}\r\n` +
        `3,"",0,${times(third)}\r\n`,
    );
  });

  test.each([
    '',
    '?format=csv&compress=true',
    '?format=json',
    '?format=json&compress=true',
    '?compress=false',
  ])('an export and import of any values, %s, returns the same rows', async (query) => {
    const row = fc.record(
      {
        name: fc.option(anyText({ maxLength: 20 })),
        n: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)),
        ok: fc.option(fc.boolean()),
        list: fc.option(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 })),
        map: fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })),
        at: fc.option(
          fc
            .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
            .map((date) => date.toISOString()),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const [from, to] = [await fixture.table(schema), await fixture.table(schema)];
        const { body } = await fixture.add(from, rows);
        expect(body.errors).toBeUndefined();
        const file = await exported(from, query);
        expect(await imported(to, file)).toMatchObject({ status: 'completed', progress: 100 });
        const content = async (table: string) =>
          (await rowsOf(table)).map(({ id, createdAt, updatedAt, ...rest }: Record<string, unknown>) =>
            JSON.stringify(rest),
          );
        expect(await content(to)).toEqual(await content(from));
      }),
      { numRuns: 4 },
    );
  });

  test('an empty table is exported with its columns', async () => {
    const name = await fixture.table({ a: 1 });
    expect((await exported(name)).toString()).toBe('\ufeffid,a,createdAt,updatedAt\r\n');
    expect(JSON.parse((await exported(name, '?format=json')).toString())).toEqual([]);
    expect(gunzipSync(await exported(name, '?compress=true')).toString()).toMatch(/^\ufeffid,a/);
    expect(await fixture.call('GET', `/${name}/export?format=xml`)).toEqual(refused(400, 'InvalidQuery'));
  });

  test('a file from other software: byte order mark, semicolons, unknown columns, rows that do not match the schema', async () => {
    const name = await fixture.table(schema);
    const file =
      '\ufeffname;n;ok;other\r\n"Ann; A";1,5;true;x\r\nBea;2;FALSE;y\r\nCem;;maybe;\r\n\r\nDan;3;;z\r\n';
    const job = await imported(name, file);
    expect(await rowsOf(name)).toMatchObject([
      { name: 'Bea', n: 2, ok: false },
      { name: 'Dan', n: 3, ok: null },
    ]);
    expect(job).toMatchObject({
      status: 'completed',
      warnings: [
        'The table has no column "other": left out.',
        'Row 1: n must be a number, not a text.',
        'Row 3: ok must be true or false, not a text.',
      ],
    });
  });

  test('compressed JSON Lines are imported', async () => {
    const name = await fixture.table(schema);
    await imported(name, gzipSync('{"name":"a","map":{"b":[1]}}\n{"name":1}\n{"n":2}\n'));
    expect(await rowsOf(name)).toMatchObject([{ name: 'a', map: { b: [1] } }, { n: 2 }]);
  });

  test.each<[string, string | Uint8Array, string, number]>([
    ['nothing', ' \n ', 'The file is empty.', 0],
    ['blank characters', gzipSync(' '.repeat(30_000_000)), 'begins with too many blank characters', 0],
    ['unpacked blank characters', ' '.repeat(3_000_000), 'begins with too many blank characters', 0],
    ['no column of the table', 'NAME,N\na,1\n', 'names no column of the table', 0],
    ['no JSON', '{"name":"a"} nope', 'After 1 objects', 1],
    ['JSON that ends in the middle', '[{"name":"a"},', 'the file ends in the middle', 1],
    ['a quote that is not closed', 'name,n\na,1\n"b,2\n', 'a quote is not closed', 1],
    [
      'half a packed file',
      gzipSync('name\na\n'.repeat(10_000)).subarray(0, 40),
      'The gzip data is incomplete.',
      10_000,
    ],
    ['a row without end', `{"name":"${'x'.repeat(1_100_000)}`, 'is longer than 1000000', 0],
  ])('fails for %s, with the reason', async (_, content, reason, rows) => {
    const name = await fixture.table(schema);
    const job = await imported(name, content);
    expect(job).toMatchObject({ status: 'failed', failedStatusReason: expect.stringContaining(reason) });
    // Rows before the error may exist.
    expect((await rowsOf(name)).length).toBeLessThanOrEqual(rows);
    await expect.poll(openFiles, pollOptions).toEqual([]);
  });

  test('a file of arbitrary bytes is rejected or imported without a fault', async () => {
    const name = await fixture.table(schema);
    const noise = Buffer.from(Array.from({ length: 50_000 }, (_, n) => (n * 7919) % 256));
    expect(['completed', 'failed']).toContain((await imported(name, noise)).status);
    expect((await fixture.find(name)).status).toBe(200);
  });

  test('a file of another bot and an unknown file are rejected', async () => {
    const name = await fixture.table(schema);
    const foreign = await upload('name\na\n', fixture.other['x-bot-id']);
    for (const fileId of [foreign, 'file_none', '../../etc/passwd']) {
      expect(await fixture.call('POST', `/${name}/import`, { fileId })).toEqual(
        refused(404, 'ResourceNotFound'),
      );
    }
    expect(await fixture.call('POST', `/${name}/import`, { fileId: '' })).toEqual(
      refused(400, 'InvalidPayload'),
    );
    expect((await fixture.call('GET', `/${name}/jobs`)).body).toEqual({ jobs: [], meta: {} });
  });

  test('keeps the key column unique', async () => {
    const name = await fixture.table({ mail: 'x' }, { keyColumn: 'mail' });
    await fixture.add(name, [{ mail: 'a' }]);
    const job = await imported(name, 'mail\nb\na\nb\n');
    expect(job.warnings).toEqual([
      'Row 2: the row 1 has this mail already.',
      'Row 3: the row 2 has this mail already.',
    ]);
  });
});

describe('duplicate', () => {
  test('has the same columns, rows and ids; the ids of new rows follow', async () => {
    const name = await fixture.table(schema, { keyColumn: 'name', tags: { a: 'b' } });
    await fixture.add(name, [{ name: 'a', n: 1 }, { name: 'b', list: [1] }, { name: 'c' }]);
    await fixture.call('POST', `/${name}/rows/delete`, { ids: [1] });
    const { body } = await fixture.call('POST', `/${name}/duplicate`, {});
    expect(body).toMatchObject({
      table: { name: name.replace('Table', 'CopyTable'), keyColumn: 'name', tags: { a: 'b' } },
      rows: 2,
      job: { status: 'pending' },
    });
    const copy = body.table.name;
    expect(await ended(copy)).toMatchObject({
      id: body.job.id,
      type: 'duplicate_table',
      status: 'completed',
    });
    expect(await rowsOf(copy)).toEqual(await rowsOf(name));
    expect((await fixture.add(copy, [{ name: 'd' }, { name: 'b' }])).body).toMatchObject({
      rows: [{ id: 4 }],
      errors: [expect.stringContaining('row 2 has this name')],
    });
    const again = await fixture.call('POST', `/${name}/duplicate`, { schemaOnly: true, factor: 3 });
    expect(again.body).toMatchObject({
      table: { name: name.replace('Table', 'Copy2Table'), factor: 3 },
      rows: 0,
    });
    expect(again.body.job).toBeUndefined();
  });

  test('is rejected for a name that is in use, or a factor that is too small', async () => {
    const name = await fixture.table({ a: 1 }, { factor: 2 });
    const duplicate = (body: unknown) => fixture.call('POST', `/${name}/duplicate`, body);
    expect(await duplicate({ tableName: name })).toEqual(refused(409, 'AlreadyExists'));
    expect(await duplicate({ tableName: 'x' })).toEqual(refused(400, 'InvalidPayload'));
    expect(await duplicate({ factor: 1 })).toEqual(refused(400, 'InvalidPayload'));
  });

  test('of a table that is deleted meanwhile copies all rows, or fails with the reason', async () => {
    const copied: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const name = await fixture.table({ a: 'x' });
      for (let n = 0; n < 2; n += 1)
        await fixture.add(
          name,
          many(1000, () => ({ a: 'a' })),
        );
      const { body } = await fixture.call('POST', `/${name}/duplicate`, {});
      expect((await fixture.call('DELETE', `/${name}`)).status).toBe(200);
      const job = await ended(body.table.name);
      const { rows } = (await fixture.call('GET', `/${body.table.name}`)).body;
      if (rows < 2000)
        expect(job).toMatchObject({
          status: 'failed',
          failedStatusReason: 'The table to be copied was deleted.',
        });
      copied.push(rows);
      // The job is deleted with the copy.
      expect((await fixture.call('DELETE', `/${body.table.name}`)).status).toBe(200);
      expect(
        await fixture.server.db.read((tx) => tx.all('SELECT id FROM table_jobs WHERE id = ?', body.job.id)),
      ).toEqual([]);
    }
    expect(copied.some((rows) => rows < 2000)).toBe(true);
  });

  test('leaves no job if first the copy is deleted, then the copied table', async () => {
    const name = await fixture.table({ a: 'x' });
    await fixture.add(
      name,
      many(1000, () => ({ a: 'a' })),
    );
    const { body } = await fixture.call('POST', `/${name}/duplicate`, {});
    await ended(body.table.name);
    // As one that waits for an earlier job of the table.
    await fixture.server.db.write((tx) =>
      tx.run("UPDATE table_jobs SET status = 'pending' WHERE id = ?", body.job.id),
    );
    for (const table of [body.table.name, name])
      expect((await fixture.call('DELETE', `/${table}`)).status).toBe(200);
    expect(
      await fixture.server.db.read((tx) => tx.all('SELECT id FROM table_jobs WHERE id = ?', body.job.id)),
    ).toEqual([]);
  });

  test('of a table whose columns change meanwhile has the columns that existed before and after', async () => {
    const name = await fixture.table({ a: 'x', b: 'x' });
    await fixture.add(
      name,
      many(1000, () => ({ a: 'a', b: 'b' })),
    );
    const [answer] = await Promise.all([
      fixture.call('POST', `/${name}/duplicate`, {}),
      fixture.call('PUT', `/${name}`, { schema: { type: 'object', properties: { b: { type: 'number' } } } }),
    ]);
    const copy = answer.body.table;
    await ended(copy.name);
    const rows = await rowsOf(copy.name);
    expect(rows).toHaveLength(1000);
    const type = copy.schema.properties.b.type;
    for (const row of rows) {
      expect(row.a).toBe('a');
      expect(row.b === null || typeof row.b === type).toBe(true);
    }
  });
});

describe('after a restart', () => {
  /** Restarts the server during the newest job of a table. */
  async function restartWithin(
    own: TablesFixture,
    table: string,
    meanwhile?: () => Promise<void>,
  ): Promise<TablesFixture> {
    const begun = async () => {
      const row = await own.server.db.read((tx) =>
        tx.get<{ status: string; done: string }>(
          'SELECT status, done FROM table_jobs ORDER BY id DESC LIMIT 1',
        ),
      );
      return row?.status === 'in_progress' && row.done !== '{}';
    };
    await expect.poll(begun, { ...pollOptions, interval: 1 }).toBe(true);
    await meanwhile?.();
    const again = await own.restart();
    const status = async () => (await again.call('GET', `/${table}/jobs`)).body.jobs[0].status;
    if (!meanwhile) expect(await status()).toBe('in_progress');
    return again;
  }
  const count = async (of: TablesFixture, table: string) => (await of.call('GET', `/${table}`)).body.rows;

  test('an import adds every row once', async () => {
    const own = await createTablesFixture();
    const name = await own.table({ n: 1 });
    // Rows that take some seconds: on PostgreSQL each statement is a round trip.
    const rows = isPostgresTest() ? 5_000 : 30_000;
    const text = `n\n${Array.from({ length: rows }, (_, n) => n).join('\n')}\n`;
    const fileId = await (await filesOf(own)).write(own.botId, 'numbers', 'text/csv', pieces(text));
    await own.call('POST', `/${name}/import`, { fileId });
    const again = await restartWithin(own, name);
    expect(await ended(name, again)).toMatchObject({ status: 'completed', progress: 100 });
    expect(await count(again, name)).toBe(rows);
    const { body } = await again.find(name, { group: { n: ['unique', 'max'] } });
    expect(body.rows).toEqual([{ nUnique: rows, nMax: rows - 1 }]);

    // A deletion continues where it stopped; an export starts again.
    await again.call('POST', `/${name}/rows/delete`, { filter: { n: { $lt: rows - 1_000 } } });
    const third = await restartWithin(again, name);
    expect(await ended(name, third)).toMatchObject({ type: 'delete_rows', status: 'completed' });
    expect(await count(third, name)).toBe(1_000);
    await third.server.close();
  });

  test('an import whose file was replaced meanwhile fails, and does not mix the two', async () => {
    const own = await createTablesFixture();
    const name = await own.table({ n: 1 });
    const rows = isPostgresTest() ? 5_000 : 30_000;
    const replace = async (first: number) => {
      const text = `n\n${Array.from({ length: rows }, (_, n) => first + n).join('\n')}\n`;
      return (await filesOf(own)).write(own.botId, 'numbers', 'text/csv', pieces(text));
    };
    await own.call('POST', `/${name}/import`, { fileId: await replace(0) });
    const again = await restartWithin(own, name, async () => void (await replace(rows)));
    expect(await ended(name, again)).toMatchObject({
      status: 'failed',
      failedStatusReason: 'The file was replaced while it was imported.',
    });
    const { body } = await again.find(name, { group: { n: ['max'] } });
    expect(body.rows[0].nMax).toBeLessThan(rows);
    await expect.poll(() => openFiles(again), pollOptions).toEqual([]);
    await again.server.close();
  });

  test('a pending job runs after the next start', async () => {
    const own = await createTablesFixture();
    const name = await own.table({ n: 1 });
    await own.add(name, [{ n: 1 }, { n: 2 }]);
    await own.call('GET', `/${name}/export`);
    const again = await own.restart();
    expect(await ended(name, again)).toMatchObject({ type: 'export', status: 'completed' });
    await again.server.close();
  });
});

test('jobs of one table run in order, and those of a deleted table are deleted', async () => {
  const name = await fixture.table({ n: 1 });
  await fixture.add(
    name,
    many(500, (n) => ({ n })),
  );
  const fileId = await upload('n\n1\n2\n3\n');
  await fixture.call('POST', `/${name}/rows/delete`, { filter: { n: { $gt: 0 } } });
  await fixture.call('POST', `/${name}/import`, { fileId });
  // Rows that were added later are not deleted.
  await fixture.call('POST', `/${name}/rows/delete`, { filter: {} });
  const text = (await exported(name, '?format=json')).toString();
  expect(JSON.parse(text).map(({ n }: { n: number }) => n)).toEqual([1, 2, 3]);
  await fixture.call('POST', `/${name}/import`, { fileId });
  await fixture.call('DELETE', `/${name}`);
  const remaining = await fixture.server.db.read((tx) =>
    tx.all("SELECT * FROM table_jobs WHERE status <> 'completed'"),
  );
  expect(remaining.filter((job) => (job as { status: string }).status !== 'failed')).toEqual([]);
});

describe('a file that changes while it is written', () => {
  /** Writes a file with this key and calls a function between its first byte and its last. */
  const written = (key: string, between: (file: FileRow) => Promise<void>) =>
    files.write(
      fixture.botId,
      key,
      'text/plain',
      (async function* () {
        yield Buffer.from('one');
        const file = await fixture.server.db.read((tx) => fileOfKey(tx, fixture.botId, 'bot', key));
        if (!file) throw new Error('There is no file.');
        await between(file);
        yield Buffer.from('two');
      })(),
    );
  const gone = { type: 'ResourceGone' };

  test('is not restored when it was deleted', async () => {
    await expect(
      written('deleted', ({ id }) => fixture.server.db.write((tx) => deleteFile(tx, id))),
    ).rejects.toMatchObject(gone);
    expect(await files.find(fixture.botId, 'deleted')).toBe(undefined);
  });

  test('is gone when it was deleted, also if its bytes fail afterwards', async () => {
    const failing = written('failing', async ({ id }) => {
      await fixture.server.db.write((tx) => deleteFile(tx, id));
      throw new Error('The bytes were removed.');
    });
    await expect(failing).rejects.toMatchObject(gone);
  });

  test('does not replace another file that was written under its key', async () => {
    let id = '';
    const write = written('replaced', async (file) => {
      id = await files.write(fixture.botId, 'replaced', 'text/plain', pieces('other'));
      expect(id).toBe(file.id);
    });
    await expect(write).rejects.toMatchObject(gone);
    expect(String(await download(id))).toBe('other');
  });
});
