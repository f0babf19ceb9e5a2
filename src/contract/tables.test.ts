// Computed columns of tables, called with the official client of the hosted product.
import { Client, errorFrom, isApiError } from '@botpress/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWiredServer, type WiredServer } from '../client/testing.ts';
import { type ModelServer, startModelServer } from '../server/tables/computed/model.testing.ts';
import { pollOptions } from '../server/testing.ts';

let wired: WiredServer;
let model: ModelServer;
let client: Client;

beforeAll(async () => {
  model = await startModelServer();
  model.answer(({ data }) => ({ value: /refund|broken/.test(String(data.text)) ? 'complaint' : 'question' }));
  wired = await startWiredServer({ model: { url: model.url, model: 'test-model' } });
  const { token = '', workspaceId } = wired.server.admin;
  const operator = new Client({ apiUrl: wired.directUrl, token, workspaceId });
  const { bots } = await operator.listBots({});
  client = new Client({ apiUrl: wired.directUrl, token, workspaceId, botId: bots[0]?.id ?? '' });
});
afterAll(async () => {
  await wired.close();
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
  const found = await client.findTableRows({
    table,
    filter: { label: 'complaint' },
    group: { label: 'key', size: 'max' },
  });
  expect(found.rows).toEqual([expect.objectContaining({ label: 'complaint', sizeMax: 15 })]);
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
  const known = errorFrom(error);
  expect([known.type, known.code]).toEqual(['InvalidJsonSchema', 400]);
  expect(known.message).toContain('"b"');
});
