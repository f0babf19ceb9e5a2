// Contract tests of the Tables API: the official client of the hosted product calls a real server.
import { Client, errorFrom, isApiError } from '@botpress/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import { type ModelServer, startModelServer } from '../server/tables/computed/model.testing.ts';
import { pollOptions } from '../server/testing.ts';
import { differences, refuses } from './hosted-client.testing.ts';

let relayed: RelayedServer;
let model: ModelServer;
let client: Client;

beforeAll(async () => {
  model = await startModelServer();
  model.answer(({ data }) => ({ value: /refund|broken/.test(String(data.text)) ? 'complaint' : 'question' }));
  relayed = await startRelayedServer({ model: { url: model.url, model: 'test-model' } });
  const { token = '', workspaceId } = relayed.server.admin;
  const operator = new Client({ apiUrl: relayed.directUrl, token, workspaceId });
  const { bots } = await operator.listBots({});
  client = new Client({ apiUrl: relayed.directUrl, token, workspaceId, botId: bots[0]?.id ?? '' });
});
afterAll(async () => {
  await relayed.close();
  await model.close();
});

const columns = (labelPrompt = 'Label the text') => ({
  type: 'object' as const,
  properties: {
    text: { type: 'string' as const },
    size: {
      type: 'number' as const,
      'x-zui': { index: 1, computed: { action: 'code' as const, code: 'length(row.text)' } },
    },
    label: {
      type: 'string' as const,
      enum: ['complaint', 'question'],
      'x-zui': { index: 2, computed: { action: 'ai' as const, prompt: labelPrompt, dependencies: ['text'] } },
    },
  },
});

test('createTableRows, updateTableRows and upsertTableRows with waitComputed return computed values', async () => {
  const table = 'ticketsTable';
  const created = await client.createTable({ name: table, schema: columns(), keyColumn: 'text' });
  expect(created.table.isComputeEnabled).toBe(true);
  const { rows } = await client.createTableRows({
    table,
    rows: [{ text: 'It is broken' }],
    waitComputed: true,
  });
  expect(rows[0]).toMatchObject({
    size: 12,
    label: 'complaint',
    computed: {
      size: { status: 'completed', updatedBy: 'code' },
      label: { status: 'completed', updatedBy: 'ai' },
    },
  });
  const id = rows[0]?.id ?? 0;
  const updated = await client.updateTableRows({
    table,
    rows: [{ id, text: 'When do you open?' }],
    waitComputed: true,
  });
  expect(updated.rows[0]).toMatchObject({ size: 17, label: 'question' });
  const upserted = await client.upsertTableRows({
    table,
    keyColumn: 'text',
    rows: [{ text: 'When do you open?' }, { text: 'I want a refund' }],
    waitComputed: true,
  });
  expect(upserted.updated[0]).toMatchObject({ id, label: 'question' });
  expect(upserted.inserted[0]).toMatchObject({ label: 'complaint' });
  const response = await client.findTableRows({
    table,
    filter: { label: 'complaint' },
    group: { label: 'key', size: 'max' },
  });
  expect(response.rows).toEqual([expect.objectContaining({ label: 'complaint', sizeMax: 15 })]);
});

test('updateTable names the stale columns, getTable counts stale rows, and getTableRow has their states', async () => {
  const table = 'lettersTable';
  await client.getOrCreateTable({ table, schema: columns(), isComputeEnabled: false });
  const written = await client.createTableRows({ table, rows: [{ text: 'a' }, { text: 'b' }] });
  expect(written.rows[0]?.computed.label).toEqual({ status: 'disabled', error: expect.any(String) });
  expect(written.rows[0]?.stale).toEqual(['size', 'label']);
  expect((await client.getTable({ table })).stale).toBe(2);
  await client.updateTable({ table, isComputeEnabled: true });
  await expect.poll(async () => (await client.getTable({ table })).stale, pollOptions).toBe(0);
  const changed = await client.updateTable({ table, schema: columns('Label it again') });
  expect(changed.staleColumns).toEqual(['label']);
  await expect.poll(async () => (await client.getTable({ table })).stale, pollOptions).toBe(0);
  const { row } = await client.getTableRow({ table, id: 1 });
  expect(row).toMatchObject({ label: 'question', computed: { label: { status: 'completed' } } });
  expect(row).not.toHaveProperty('stale');
});

test('a wrong definition is an error of the client that names the column', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'number', 'x-zui': { computed: { action: 'code', code: 'b + 1' } } } },
  };
  const error: unknown = await client
    .createTable({ name: 'wrongTable', schema })
    .catch((reason: unknown) => reason);
  expect(isApiError(error)).toBe(true);
  const clientError = errorFrom(error);
  expect([clientError.type, clientError.code]).toEqual(['InvalidJsonSchema', 400]);
  expect(clientError.message).toContain('"b"');
});

/** The newest job of a table, when it has ended. */
async function jobOf(table: string) {
  const newest = async () => {
    const listed = await client.getTableJobs({ table });
    expect(differences('getTableJobs', listed)).toEqual([]);
    return listed.jobs[0];
  };
  await expect.poll(async () => (await newest())?.status, pollOptions).toMatch(/completed|failed/);
  return newest();
}

test.each(['csv', 'json'] as const)(
  'the rows of a table are exported as %s, and imported into another table',
  async (format) => {
    const [from, into] = [`from_${format}Table`, `into_${format}Table`];
    const schema = {
      type: 'object' as const,
      properties: { name: { type: 'string' as const }, size: { type: 'number' as const } },
    };
    for (const name of [from, into]) {
      const created = await client.createTable({ name, schema });
      expect(differences('createTable', created)).toEqual([]);
    }
    const rows = [
      { name: 'a "quoted", text\nof two lines', size: 1 },
      { name: 'é', size: -2.5 },
    ];
    expect(differences('createTableRows', await client.createTableRows({ table: from, rows }))).toEqual([]);
    const exported = await client.exportTable({ table: from, format });
    expect(differences('exportTable', exported)).toEqual([]);
    const { outputFileId } = (await jobOf(from)) ?? {};
    const { file } = await client.getFile({ id: outputFileId ?? '' });
    expect(await (await fetch(file.url)).text()).toContain('é');
    const imported = await client.importTable({ table: into, fileId: file.id });
    expect(differences('importTable', imported)).toEqual([]);
    expect(await jobOf(into)).toMatchObject({ status: 'completed', inputFileId: file.id });
    const response = await client.findTableRows({ table: into, orderBy: 'size', orderDirection: 'desc' });
    expect(differences('findTableRows', response)).toEqual([]);
    expect(response.rows).toMatchObject(rows);
  },
);

test('a table is duplicated, renamed, emptied and deleted', async () => {
  const schema = { type: 'object' as const, properties: { a: { type: 'string' as const } } };
  await client.createTable({ name: 'originalTable', schema, tags: { t: '1' } });
  await client.createTableRows({ table: 'originalTable', rows: [{ a: '1' }, { a: '2' }] });
  const copied = await client.duplicateTable({ sourceTableId: 'originalTable', tableName: 'copyTable' });
  expect(differences('duplicateTable', copied)).toEqual([]);
  await expect
    .poll(
      async () => (await client.findTableRows({ table: 'copyTable' })).rows.map((row) => row.a),
      pollOptions,
    )
    .toEqual(['1', '2']);
  const renamed = await client.renameTableColumn({ table: 'copyTable', name: 'a', newName: 'b' });
  expect(differences('renameTableColumn', renamed)).toEqual([]);
  const deleted = await client.deleteTableRows({ table: 'copyTable', filter: { b: '1' } });
  expect(differences('deleteTableRows', deleted)).toEqual([]);
  expect(deleted.job?.id).toMatch(/^job_/);
  expect(await jobOf('copyTable')).toMatchObject({
    id: deleted.job?.id,
    type: 'delete_rows',
    status: 'completed',
  });
  const { rows: remaining } = await client.findTableRows({ table: 'copyTable' });
  expect(remaining).toMatchObject([{ b: '2' }]);
  const byId = await client.deleteTableRows({ table: 'copyTable', ids: [remaining[0]?.id ?? 0] });
  expect(byId).toEqual({ deletedRows: 1 });
  expect(differences('listTables', await client.listTables({ tags: { t: '1' } }))).toEqual([]);
  expect(await client.deleteTable({ table: 'copyTable' })).toEqual({});
  await refuses(client.getTable({ table: 'copyTable' }), /^404 ResourceNotFound/);
  expect((await client.findTableRows({ table: 'originalTable' })).rows).toHaveLength(2);
});
