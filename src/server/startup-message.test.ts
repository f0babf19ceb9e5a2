// Tests of the startup message with and without a terminal, and of the file with the administrator's token.
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startupMessage } from './startup-message.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greeting-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const server = (token?: string, link?: string) => ({
  url: 'http://127.0.0.1:3000/',
  admin: { workspaceId: 'ws_1', token, issueSetupLink: async () => link },
});

test('startup message: a terminal shows the token, and no file is written', async () => {
  const text = await startupMessage(server('pat_secret'), { DATA_DIR: folder }, true);
  expect(text).toContain('\nToken       pat_secret\n');
  expect(text).toContain('Shown only once');
  expect(await readdir(folder)).toEqual([]);
});

test('startup message: a terminal shows the link of the owner at each start, other output its file at the first one', async () => {
  const link = 'http://127.0.0.1:3000/console/#setup=secret';
  const start = (token: string | undefined, isTerminal: boolean) =>
    startupMessage(server(token, link), { DATA_DIR: folder }, isTerminal);
  expect(await start('pat_secret', true)).toContain(`\nSet up      ${link}\n`);
  expect(await start(undefined, true)).toContain(`\nSet up      ${link}\n`);
  expect(await start(undefined, false)).not.toMatch(/Set up|Link file/);
  expect(await readdir(folder)).toEqual([]);
  const text = await start('pat_secret', false);
  expect(text).not.toContain('secret');
  expect(text).toContain(`\nLink file   ${join(folder, 'setup-link')}\n`);
  expect(await readFile(join(folder, 'setup-link'), 'utf8')).toBe(`${link}\n`);
  expect((await stat(join(folder, 'setup-link'))).mode & 0o777).toBe(0o600);
});

test('startup message: the addresses are those of PUBLIC_URL, also below a path', async () => {
  const settings = { DATA_DIR: folder, PUBLIC_URL: 'https://www.example.com/chat' };
  const text = await startupMessage(server(), settings, true);
  expect(text).toContain('Demo page   https://www.example.com/chat/\n');
  expect(text).toContain('Console     https://www.example.com/chat/console/\n');
  expect(text).not.toContain('127.0.0.1');
  expect(await startupMessage(server(), { DATA_DIR: folder }, true)).toContain(
    'Demo page   http://127.0.0.1:3000/\n',
  );
});

test('startup message: without a terminal the token is in a private file that the message names', async () => {
  const text = await startupMessage(server('pat_secret'), { DATA_DIR: folder }, false);
  const path = join(folder, 'admin-token');
  expect(text).not.toContain('pat_secret');
  expect(text).toContain(`\nToken file  ${path}\n`);
  expect(await readFile(path, 'utf8')).toBe('pat_secret\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['admin-token']);
});

test('startup message: a new token replaces an existing file, a partial file and a symbolic link', async () => {
  const elsewhere = join(folder, 'elsewhere');
  await writeFile(elsewhere, 'untouched', { mode: 0o644 });
  await symlink(elsewhere, join(folder, 'admin-token'));
  await symlink(elsewhere, join(folder, 'admin-token.new'));
  await startupMessage(server('pat_first'), { DATA_DIR: folder }, false);
  await startupMessage(server('pat_second'), { DATA_DIR: folder }, false);
  expect(await readFile(join(folder, 'admin-token'), 'utf8')).toBe('pat_second\n');
  expect((await stat(join(folder, 'admin-token'))).mode & 0o777).toBe(0o600);
  expect(await readFile(elsewhere, 'utf8')).toBe('untouched');
});

test('startup message: a start without a new token neither prints nor writes one', async () => {
  for (const isTerminal of [true, false]) {
    expect(await startupMessage(server(), { DATA_DIR: folder }, isTerminal)).not.toContain('Token');
  }
  expect(await readdir(folder)).toEqual([]);
});

test('startup message: an unwritable folder is reported in one line without the token', async () => {
  await expect(
    startupMessage(server('pat_secret'), { DATA_DIR: join(folder, 'none') }, false),
  ).rejects.toThrow(
    /^The administrator's token cannot be written to \S+admin-token \(ENOENT\); start with ADMIN_TOKEN[^\n]*$/,
  );
});
