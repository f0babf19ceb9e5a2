// A new secret of the server: what the previous one signed is accepted as long as that is named, and no longer.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadOrCreateSecrets } from '../data-folder.ts';
import { createFileTokens } from '../files/bytes/tokens.ts';
import { createId } from '../storage/ids.ts';
import { secret as old, startTestServer, type TestServer } from '../testing.ts';
import { createKeyRing } from './user-keys.ts';

const fresh = 'the secret after the rotation';
const wrong = 'a secret that never signed anything';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotation-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a user key and a file address of before work after the rotation, until the previous secret is taken away', async () => {
  let server: TestServer = await startTestServer();
  const { id, key } = await server.user();
  const announced = await server.call('POST', '/files', { key, body: { key: 'a.bin', size: 4 } });
  const { uploadUrl, url } = announced.body.file as { uploadUrl: string; url: string };
  const pathOf = (address: string) => new URL(address).pathname;
  await server.fetch(pathOf(uploadUrl), {
    method: 'PATCH',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: new TextEncoder().encode('kept'),
  });
  const outcome = async () => [
    (await server.call('GET', '/users/me', { key })).status,
    (await server.fetch(pathOf(url))).status,
  ];
  expect(await outcome()).toEqual([200, 200]);

  server = await server.restart({ secret: fresh, previousSecrets: [old] });
  expect(await outcome()).toEqual([200, 200]);
  // What is signed now is signed with the current secret: it outlives the previous one.
  const made = await server.user();
  expect(createKeyRing(fresh).keysOf({ id: 'bot', ownKeys: 0 }).verify(made.key)).toBe(made.id);
  expect(createKeyRing(old).keysOf({ id: 'bot', ownKeys: 0 }).verify(made.key)).toBeUndefined();

  server = await server.restart({ secret: fresh, previousSecrets: [wrong] });
  expect((await outcome())[0]).toBe(401);
  expect((await outcome())[1]).toBeGreaterThanOrEqual(400);
  server = await server.restart({ secret: fresh, previousSecrets: [] });
  expect((await outcome())[0]).toBe(401);
  expect((await outcome())[1]).toBeGreaterThanOrEqual(400);
  expect((await server.call('GET', '/users/me', { key: made.key })).status).toBe(200);
  expect(id).not.toBe(made.id);
  await server.close();
});

test('the secret made for a bot with keys of its own rotates with it', () => {
  const bot = { id: 'bot_1', ownKeys: 2 };
  const key = createKeyRing(old).keysOf(bot).sign('ann');
  const during = createKeyRing(fresh, Date.now, [wrong, old]);
  expect(during.keysOf(bot).verify(key)).toBe('ann');
  expect(during.secretOf(bot)).toBe(createKeyRing(fresh).secretOf(bot));
  // Another bot, another generation of this bot, and the server itself do not take it.
  for (const other of [
    { id: 'bot_2', ownKeys: 2 },
    { id: 'bot_1', ownKeys: 1 },
    { id: 'bot_1', ownKeys: 3 },
    { id: 'bot_1', ownKeys: 0 },
  ]) {
    expect(during.keysOf(other).verify(key)).toBeUndefined();
  }
  expect(createKeyRing(fresh, Date.now, [wrong]).keysOf(bot).verify(key)).toBeUndefined();
  expect(createKeyRing(fresh).keysOf(bot).verify(key)).toBeUndefined();
});

test('addresses of files keep their purpose and their end, whichever secret signed them', () => {
  const id = createId('file');
  const during = createFileTokens(fresh, [old]);
  const token = createFileTokens(old).sign('link', id, 1_000);
  expect(during.verify('link', token, 999)).toBe(id);
  expect(during.verify('link', token, 1_000)).toBeUndefined();
  expect(during.verify('public', token, 999)).toBeUndefined();
  expect(during.sign('download', id)).toBe(createFileTokens(fresh).sign('download', id));
  expect(createFileTokens(fresh, [wrong]).verify('link', token, 999)).toBeUndefined();
});

test('the file of secrets: one line as before, further lines are previous secrets', async () => {
  const path = join(folder, 'user-key-secret');
  const { current } = await loadOrCreateSecrets(folder);
  expect((await readFile(path, 'utf8')).split('\n')).toEqual([current, '']);
  expect(await loadOrCreateSecrets(folder)).toEqual({ current, previous: [] });
  const next = '5d41402abc4b2a76b9719d911017c592';
  await writeFile(path, `${next}\n\n${current}\r\npasswordpassword`, { mode: 0o644 });
  expect(await loadOrCreateSecrets(folder)).toEqual({
    current: next,
    previous: [current, 'passwordpassword'],
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.each([
  ['', 'contains no valid secret'],
  ['short\n', 'contains no valid secret'],
  ['5d41402abc4b2a76b9719d911017c592\nshort\n', 'contains no valid secret'],
  ['passwordpassword\n', 'openssl rand -hex 32'],
  ['passwordpassword\n5d41402abc4b2a76b9719d911017c592\n', 'openssl rand -hex 32'],
])('a file of secrets that is %j is refused', async (text, words) => {
  await writeFile(join(folder, 'user-key-secret'), text);
  await expect(loadOrCreateSecrets(folder)).rejects.toThrow(words);
});
