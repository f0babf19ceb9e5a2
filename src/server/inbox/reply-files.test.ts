// Tests of files in replies: who can announce them, which are refused, who reads them, and that nothing of them remains.
import { expect, test } from 'vitest';
import { useInbox } from './testing.ts';

const start = useInbox();

const png = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
const announcedPng = { key: 'map.png', size: png.length, contentType: 'image/png' };

test('a file of a reply is read by the visitor, is in no list of files, and is deleted with the conversation', async () => {
  const inbox = await start();
  const { server } = inbox;
  const ada = await inbox.member('Ada');
  await inbox.runtime('POST', '/handoff', { reason: 'refund' });
  const { status, body } = await ada.act('POST', '/files', announcedPng);
  expect(status).toBe(201);
  const { url, uploadUrl, id } = body.file;
  const at = (address: string) => address.slice(new URL(address).origin.length);
  expect((await server.fetch(at(url))).status).toBe(404);
  expect((await server.fetch(at(uploadUrl), { method: 'PUT', body: png })).status).toBe(204);
  const payload = { type: 'image', imageUrl: url, title: 'map.png', fileId: id };
  expect((await ada.act('POST', '/replies', { payload, seenSeq: 1_000, take: true })).status).toBe(201);
  expect((await inbox.messages()).at(-1)).toMatchObject({ payload, author: { kind: 'person', name: 'Ada' } });
  const seen = await server.fetch(at(url));
  expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(new Uint8Array(await seen.arrayBuffer())).toEqual(png);
  // Neither the bot nor the Files API lists or reads it, and the visitor's quota is as before.
  expect((await inbox.request('GET', '/v1/files', inbox.ofBot)).body.files).toEqual([]);
  expect((await inbox.request('GET', `/v1/files/${id}`, inbox.ofBot)).status).toBe(404);
  expect((await inbox.rows('usage')).reduce((sum, { files }) => sum + Number(files), 0)).toBe(0);
  expect((await inbox.chat('DELETE', '')).status).toBe(200);
  // At once, before its bytes are removed.
  expect((await server.fetch(at(url))).status).toBe(404);
  await server.composition.cleanUp();
  for (const table of ['files', 'deletions']) expect(await inbox.rows(table), table).toEqual([]);
  expect((await server.fetch(at(url))).status).toBe(404);
});

test('lists and searches have the names of files and never their addresses, also in rows of earlier versions', async () => {
  const inbox = await start();
  const { server } = inbox;
  const ada = await inbox.member('Ada');
  await inbox.runtime('POST', '/handoff', { reason: 'refund' });
  const made = await server.call('POST', '/files', {
    key: inbox.key,
    body: { key: 'mein paket.png', size: 1 },
  });
  const { url } = made.body.file as { url: string };
  const post = (payload: object) =>
    server.call('POST', '/messages', {
      key: inbox.key,
      body: { conversationId: inbox.conversationId, payload },
    });
  const previews = async (query = '') => {
    const { status, body } = await ada.call('GET', `/conversations?list=all${query}`);
    expect(status).toBe(200);
    return (body.conversations as { preview: string }[]).map(({ preview }) => preview);
  };
  expect((await post({ type: 'image', imageUrl: url, title: 'mein paket.png' })).status).toBe(201);
  expect(await previews()).toEqual(['mein paket.png']);
  expect(await previews('&q=paket')).toEqual(['mein paket.png']);
  expect((await post({ type: 'image', imageUrl: url })).status).toBe(201);
  expect(await previews()).toEqual(['[image]']);
  expect((await post({ type: 'text', text: `See ${url} please` })).status).toBe(201);
  expect(await previews()).toEqual(['See mein paket.png please']);
  const own = await server.call('GET', '/conversations', { key: inbox.key });
  expect(JSON.stringify(own.body)).not.toContain(url);
  for (const length of [url.length, url.length - 20]) {
    await server.db.write((tx) => tx.run('UPDATE handlings SET last_preview = ?', url.slice(0, length)));
    for (const preview of await previews()) expect(preview).not.toContain('/files/');
  }
});

test('a file of a reply is refused by the limits of the server, by content, for viewers and in other conversations', async () => {
  let time = Date.now();
  const inbox = await start(undefined, {
    now: () => time,
    MAX_FILE_BYTES: 1_000,
    FILE_TYPES: ['image/*'],
  });
  const ada = await inbox.member('Ada');
  const post = (fields: object, who = ada) => who.act('POST', '/files', fields);
  expect(await post({ ...announcedPng, size: 1_001 })).toMatchObject({
    status: 413,
    body: { type: 'LimitExceeded', metadata: { limit: 1_000 } },
  });
  expect(await post({ key: 'a.pdf', size: 10 })).toMatchObject({
    status: 415,
    body: { type: 'UnsupportedMediaType', metadata: { allowed: ['image/*'] } },
  });
  expect((await post(announcedPng, await inbox.member('Vera', 'viewer'))).status).toBe(403);
  expect((await ada.call('POST', '/conversations/none/files', announcedPng)).status).toBe(404);
  // The name says picture, the content does not.
  const { file } = (await post({ key: 'a.png', size: 8 })).body;
  const path = file.uploadUrl.slice(new URL(file.uploadUrl).origin.length);
  const sent = await inbox.server.fetch(path, { method: 'PUT', body: 'just txt' });
  expect(sent.status).toBe(415);
  expect(await inbox.rows('files')).toEqual([]);
  // One whose bytes do not come is forgotten after a day.
  await post(announcedPng);
  expect(await inbox.rows('files')).toHaveLength(1);
  time += 25 * 60 * 60 * 1_000;
  await inbox.server.composition.cleanUp();
  expect(await inbox.rows('files')).toEqual([]);
});
