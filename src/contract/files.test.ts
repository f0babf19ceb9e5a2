// Contract tests of the Files API: the official client of the hosted product calls a real server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pollOptions } from '../server/testing.ts';
import {
  differences,
  failure,
  type HostedBot,
  type HostedServer,
  refuses,
  startHostedServer,
} from './hosted-client.testing.ts';

let hosted: HostedServer;
let bot: HostedBot;
beforeAll(async () => {
  hosted = await startHostedServer();
  bot = await hosted.addBot('files');
});
afterAll(() => hosted.close());

test('a file is uploaded, read by its id and its key, changed, copied and deleted', async () => {
  const { client } = bot;
  const key = 'ü/ä b%+?#.txt';
  const { file } = await client.uploadFile({
    key,
    content: 'Hello',
    tags: { a: '1', b: '2' },
    accessPolicies: ['public_content'],
  });
  expect(await (await fetch(file.url)).text()).toBe('Hello');
  const byKey = await client.getFile({ id: key });
  expect(differences('getFile', byKey)).toEqual([]);
  expect(byKey).toEqual(await client.getFile({ id: file.id }));
  const changed = await client.updateFileMetadata({
    id: key,
    tags: { a: null, c: '3' },
    metadata: { n: [1] },
  });
  expect(differences('updateFileMetadata', changed)).toEqual([]);
  expect(changed.file).toMatchObject({ tags: { b: '2', c: '3' }, metadata: { n: [1] } });
  const copied = await client.copyFile({ idOrKey: key, destinationKey: 'copy/é.txt' });
  expect(differences('copyFile', copied)).toEqual([]);
  const copy = { idOrKey: file.id, destinationKey: 'copy/é.txt' };
  await refuses(client.copyFile(copy), /^409 AlreadyExists/);
  expect((await client.copyFile({ ...copy, overwrite: true })).file.id).toBe(copied.file.id);
  expect(differences('listFileTags', await client.listFileTags({}))).toEqual([]);
  expect(await client.listFileTagValues({ tag: 'c' })).toEqual({ values: ['3'], meta: {} });
  expect(await client.deleteFile({ id: key })).toEqual({});
  await refuses(client.getFile({ id: file.id }), /^404 ResourceNotFound/);
  await refuses(client.deleteFile({ id: key }), /^404 ResourceNotFound/);
});

test('wrong calls are errors of the client that name the field', async () => {
  const { client } = bot;
  await refuses(client.upsertFile({ key: '', size: 1 }), /^400 InvalidPayload: key: /);
  expect(await failure(client.upsertFile({} as never))).toBe('400 InvalidPayload: key: Required.');
  await refuses(client.upsertFile({ key: 'x', size: 2 ** 30 + 1 }), /^413 LimitExceeded/);
  await refuses(client.searchFiles({ query: 'é'.repeat(513) }), /^400 InvalidQuery: query: /);
  await refuses(client.searchFiles({ query: 'x', limit: 51 }), /^400 InvalidQuery: limit: /);
});

test('an indexed file is found by its words, and its passages are listed and replaced', async () => {
  const { client } = bot;
  const { file } = await client.uploadFile({
    key: 'refunds.md',
    content: '# Refunds\n\nWe give your money back within thirty days.\n',
    index: true,
  });
  const status = async () => (await client.getFile({ id: file.id })).file.status;
  await expect.poll(status, pollOptions).toBe('indexing_completed');
  const query = 'money back';
  const response = await client.searchFiles({ query, withContext: true });
  expect(differences('searchFiles', response)).toEqual([]);
  expect(response.passages.map(({ file: { key } }) => key)).toContain('refunds.md');
  const all = await client.searchFiles({ query, withContext: true, includeBreadcrumb: true });
  expect(differences('searchFiles', all)).toEqual([]);
  expect(all.passages[0]?.context).toMatchObject([
    { text: 'Refunds', type: 'breadcrumb' },
    { text: all.passages[0]?.content, offset: 0, type: 'current' },
  ]);
  const listed = await client.listFilePassages({ id: file.id });
  expect(differences('listFilePassages', listed)).toEqual([]);
  await client.setFilePassages({
    id: file.id,
    passages: [{ content: 'Zebra', type: 'title', pageNumber: 3 }],
  });
  const { passages } = await client.listFilePassages({ id: file.id });
  expect(passages).toMatchObject([{ content: 'Zebra', meta: { subtype: 'title', pageNumber: 3 } }]);
});
