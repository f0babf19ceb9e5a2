// Tests of a secret rotation: keys of the previous secret are accepted as long as it is configured.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings } from '../composition/settings.ts';
import { loadOrCreateSecrets, readSecrets } from '../data-folder.ts';
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

test('secret rotation: existing user keys and file addresses are valid until the previous secret is removed', async () => {
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
  const outcome = async () => {
    const file = await server.fetch(pathOf(url));
    await file.arrayBuffer();
    return [(await server.call('GET', '/users/me', { key })).status, file.status];
  };
  expect(await outcome()).toEqual([200, 200]);

  server = await server.restart({ secret: fresh, previousSecrets: [old] });
  expect(await outcome()).toEqual([200, 200]);
  // New keys are signed with the current secret, so they stay valid without the previous one.
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

test('secret rotation: the derived secret of a bot with its own keys rotates as well', () => {
  const bot = { id: 'bot_1', ownKeys: 2 };
  const key = createKeyRing(old).keysOf(bot).sign('ann');
  const during = createKeyRing(fresh, Date.now, [wrong, old]);
  expect(during.keysOf(bot).verify(key)).toBe('ann');
  expect(during.secretOf(bot)).toBe(createKeyRing(fresh).secretOf(bot));
  // Another bot, another generation of this bot, and the server itself reject it.
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

test('secret rotation: file addresses keep their purpose and expiry, whichever secret signed them', () => {
  const id = createId('file');
  const during = createFileTokens(fresh, [old]);
  const token = createFileTokens(old).sign('link', id, 1_000);
  expect(during.verify('link', token, 999)).toBe(id);
  expect(during.verify('link', token, 1_000)).toBeUndefined();
  expect(during.verify('public', token, 999)).toBeUndefined();
  expect(during.sign('download', id)).toBe(createFileTokens(fresh).sign('download', id));
  expect(createFileTokens(fresh, [wrong]).verify('link', token, 999)).toBeUndefined();
});

test('secret file: the first line is the current secret, further lines are previous secrets', async () => {
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
])('secret file: the content %j is rejected', async (text, message) => {
  await writeFile(join(folder, 'user-key-secret'), text);
  await expect(loadOrCreateSecrets(folder)).rejects.toThrow(message);
});

test('secret rotation by a list: the first secret signs, all verify, and a removed one is refused', async () => {
  const [first, second, third] = [
    '5d41402abc4b2a76b9719d911017c592',
    '7d793037a0760186574b0282f2f435e7',
    '9e107d9d372bb6826bd81d3542a419d6',
  ];
  const startWith = async (...list: string[]): Promise<TestServer> => {
    const settings = readSettings({ USER_KEY_SECRETS: list.join(','), DATA_DIR: folder });
    const { current, previous } = await readSecrets(settings);
    const options = { secret: current, previousSecrets: previous };
    server = server ? await server.restart(options) : await startTestServer(options);
    return server;
  };
  let server: TestServer | undefined;
  const keys: string[] = [];
  const statuses = async ({ call }: TestServer) =>
    Promise.all(keys.map(async (key) => (await call('GET', '/users/me', { key })).status));

  for (const list of [[first], [second, first], [third, second, first]]) {
    const running = await startWith(...list);
    // `user` without an id: the server issues the key, with the first secret of the list.
    keys.push((await running.user()).key);
    const [newest = ''] = list;
    expect(
      createKeyRing(newest)
        .keysOf({ id: 'bot', ownKeys: 0 })
        .verify(keys.at(-1) ?? ''),
    ).toBeDefined();
    expect(await statuses(running)).toEqual(keys.map(() => 200));
  }
  expect(await statuses(await startWith(third, second))).toEqual([401, 200, 200]);
  expect(await statuses(await startWith(third))).toEqual([401, 401, 200]);
  await server?.close();
});

test.each(['USER_KEY_SECRET', 'USER_KEY_SECRET_PREVIOUS'])(
  'the list of secrets beside %s is refused, because it would be unclear which of them signs',
  async (name) => {
    const secret = '5d41402abc4b2a76b9719d911017c592';
    const settings = readSettings({ USER_KEY_SECRETS: secret, [name]: secret, DATA_DIR: folder });
    await expect(readSecrets(settings)).rejects.toThrow(/^USER_KEY_SECRETS replaces /);
  },
);

test('the earlier settings work as before: one secret, a previous one, and those of the data folder', async () => {
  const [one, other] = ['5d41402abc4b2a76b9719d911017c592', 'passwordpassword'];
  const read = (env: Record<string, string>) => readSecrets(readSettings({ ...env, DATA_DIR: folder }));
  expect(await read({ USER_KEY_SECRET: one })).toEqual({ current: one, previous: [] });
  expect(await read({ USER_KEY_SECRET: one, USER_KEY_SECRET_PREVIOUS: other })).toEqual({
    current: one,
    previous: [other],
  });
  const { current } = await read({});
  expect(await read({ USER_KEY_SECRET_PREVIOUS: other })).toEqual({ current, previous: [other] });
  // A comma is a character of a single secret.
  const withComma = `${one},${one}`;
  expect(await read({ USER_KEY_SECRET: withComma })).toEqual({ current: withComma, previous: [] });
});
