// Tests of `files push` against the real server over HTTP: uploads, skipped files, deletions, lost connections, errors, Ctrl-C.
import { link, mkdir, mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../client/index.ts';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import { pollOptions } from '../server/testing.ts';
import { type Ran, run, type Terminal } from './testing.ts';

let relayed: RelayedServer;
let client: Client;
let env: Record<string, string>;
let folder = '';
beforeAll(async () => {
  relayed = await startRelayedServer();
  const { token = '', workspaceId } = relayed.server.admin;
  const [bot] = await new Client({ apiUrl: relayed.directUrl, token, workspaceId }).list.bots().collect();
  const botId = bot?.id ?? '';
  client = new Client({ apiUrl: relayed.directUrl, token, botId });
  env = { PLATFORM_API_URL: relayed.relayUrl, PLATFORM_TOKEN: token, PLATFORM_BOT_ID: botId };
});
afterAll(() => relayed.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-push-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  for await (const { id } of client.list.files()) await client.deleteFile({ id });
});

const push = (args = '', terminal: Terminal = {}): Promise<Ran> =>
  run(['files', 'push', folder, ...args.split(' ').filter(Boolean)], {
    ...terminal,
    env: { ...env, ...terminal.env },
  });
const put = async (name: string, content: string | Buffer = name) => {
  await mkdir(join(folder, name, '..'), { recursive: true });
  await writeFile(join(folder, name), content);
};
const keys = async () => (await client.list.files().collect()).map(({ key }) => key).toSorted();
const fileOf = async (key: string) => (await client.getFile({ id: key })).file;
const textOf = async (key: string) => (await client.downloadFile({ id: key })).text();

test('a folder is uploaded byte for byte; the second push sends nothing, the third only what has changed', async () => {
  await put('a.txt', 'first');
  await put('deep/er/ü b.md', '# Words');
  await put('empty.txt', '');
  await put('big.bin', Buffer.alloc(300_000, 7));
  expect(await push()).toMatchObject({ code: 0, stdout: '4 sent (300.0 KB), 0 unchanged\n' });
  expect(await keys()).toEqual(['a.txt', 'big.bin', 'deep/er/ü b.md', 'empty.txt']);
  expect([await textOf('a.txt'), await textOf('deep/er/ü b.md'), await textOf('empty.txt')]).toEqual([
    'first',
    '# Words',
    '',
  ]);
  expect((await textOf('big.bin')).length).toBe(300_000);
  relayed.requests.length = 0;
  expect(await push()).toMatchObject({ code: 0, stdout: '0 sent (0 bytes), 4 unchanged\n', stderr: '' });
  expect(relayed.requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
  // Of the same size, so only the hash differs.
  await put('a.txt', 'FIRST');
  expect(await push()).toMatchObject({
    stdout: '1 sent (5 bytes), 3 unchanged\n',
    stderr: 'sent a.txt (5 bytes)\n',
  });
  expect(await textOf('a.txt')).toBe('FIRST');
});

test('the files of a push are in the knowledge base of the option, which is created once', async () => {
  await put('a.txt', 'one');
  const dry = await push('--knowledge Help --dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('1 to send') });
  expect(await client.list.knowledgeBases().collect()).toEqual([]);
  expect(await push('--knowledge Help')).toMatchObject({ code: 0, stderr: 'sent a.txt (3 bytes)\n' });
  const [base, ...others] = await client.list.knowledgeBases().collect();
  expect([base?.name, others]).toEqual(['Help', []]);
  const { id = '' } = base ?? {};
  expect(await fileOf('a.txt')).toMatchObject({ index: true, tags: { kbId: id } });
  // By its id, and together with files of an earlier push outside of it.
  await push('--prefix old/ --index');
  expect(await push(`--prefix old/ --knowledge ${id}`)).toMatchObject({
    stdout: '0 sent (0 bytes), 0 unchanged, 1 changed without sending\n',
  });
  expect(await fileOf('old/a.txt')).toMatchObject({ tags: { kbId: id } });
  expect(await push('--knowledge Help')).toMatchObject({ stdout: '0 sent (0 bytes), 1 unchanged\n' });
  await client.createKnowledgeBase({ name: 'Help' });
  expect(await push('--knowledge Help')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Error: 2 knowledge bases have this name\. Pass one of their ids: \w+, \w+\.\n$/,
    ),
  });
  expect(await push('--knowledge=')).toMatchObject({ code: 2 });
  for await (const { id: each } of client.list.knowledgeBases())
    await client.deleteKnowledgeBase({ id: each });
});

test('prefix, index and public are applied; tags and metadata are kept when a file is sent again', async () => {
  await put('a.txt', 'one');
  await push('--prefix docs/ --index --public');
  await client.updateFileMetadata({ id: 'docs/a.txt', tags: { lang: 'en' }, metadata: { by: 'hand' } });
  expect(await fileOf('docs/a.txt')).toMatchObject({ index: true, accessPolicies: ['public_content'] });
  await put('a.txt', 'two');
  await push('--prefix docs/ --index --public');
  expect(await fileOf('docs/a.txt')).toMatchObject({
    tags: { lang: 'en' },
    metadata: { by: 'hand' },
    size: 3,
  });
  await expect.poll(async () => (await fileOf('docs/a.txt')).status, pollOptions).toBe('indexing_completed');
  relayed.requests.length = 0;
  const dry = await push('--prefix docs/ --dry-run');
  expect(dry.stdout).toBe('would change docs/a.txt\n0 to send, 1 to change, 0 unchanged, 0 to delete\n');
  // Without the options the file becomes private and is not indexed. Its bytes are not sent again.
  expect(await push('--prefix docs/')).toMatchObject({
    stdout: '0 sent (0 bytes), 0 unchanged, 1 changed without sending\n',
  });
  expect(await fileOf('docs/a.txt')).toMatchObject({
    index: false,
    accessPolicies: [],
    tags: { lang: 'en' },
    status: 'upload_completed',
  });
  expect((await client.searchFiles({ query: 'two' })).passages).toEqual([]);
  const { stdout } = await push('--prefix docs/ --index --json');
  expect(JSON.parse(stdout)).toMatchObject({ sent: [], changed: ['docs/a.txt'], unchanged: 0 });
  const found = async () => (await client.searchFiles({ query: 'two' })).passages.length;
  await expect.poll(found, pollOptions).toBe(1);
  expect(relayed.requests.filter((line) => line.includes('/uploads/'))).toEqual([]);
  expect((await push('--prefix docs/ --index')).stdout).toBe('0 sent (0 bytes), 1 unchanged\n');
});

test('hidden files, links out of the folder and sockets are skipped', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'webchat-outside-'));
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await put('a.txt');
  await put('.env', 'hidden');
  await put('.git/config', 'hidden');
  await symlink(join(folder, 'a.txt'), join(folder, 'inside.txt'));
  await symlink(join(outside, 'secret.txt'), join(folder, 'out.txt'));
  await symlink(outside, join(folder, 'outfolder'));
  await symlink(folder, join(folder, 'circle'));
  await symlink(join(folder, 'nothing'), join(folder, 'broken.txt'));
  await link(join(folder, 'a.txt'), join(folder, 'hard.txt'));
  const socket = createServer().listen(join(folder, 'socket'));
  const { code, stderr } = await push();
  expect([code, await keys()]).toEqual([0, ['a.txt', 'hard.txt', 'inside.txt']]);
  for (const line of [
    'skipped out.txt: link out of the folder',
    'skipped outfolder: link out of the folder',
    'skipped circle: link out of the folder',
    'skipped broken.txt: cannot be read (ENOENT)',
    'skipped socket: not a file',
  ]) {
    expect(stderr).toContain(`${line}\n`);
  }
  await push('--all');
  expect(await keys()).toEqual(['.env', '.git/config', 'a.txt', 'hard.txt', 'inside.txt']);
  await new Promise((resolve) => socket.close(resolve));
  await rm(outside, { recursive: true });
});

describe('--delete', () => {
  beforeEach(async () => {
    await put('keep.txt');
    await put('gone.txt');
    await put('.hidden');
    await push('--prefix docs/ --all');
    await push('--prefix other/');
    await client.uploadFile({ key: 'docs/by-hand.txt', content: 'not pushed' });
    await unlink(join(folder, 'gone.txt'));
  });
  const everything = [
    'docs/.hidden',
    'docs/by-hand.txt',
    'docs/gone.txt',
    'docs/keep.txt',
    'other/gone.txt',
    'other/keep.txt',
  ];

  test('deletes what an earlier push has sent below the prefix, and nothing else', async () => {
    expect(await push('--prefix docs/ --delete --yes')).toMatchObject({
      code: 0,
      stdout: '0 sent (0 bytes), 1 unchanged, 1 deleted\n',
    });
    expect(await keys()).toEqual(everything.filter((key) => key !== 'docs/gone.txt'));
  });

  test('is refused without --yes and without a terminal; on a terminal it asks, and Enter means no', async () => {
    expect(await push('--prefix docs/ --delete')).toMatchObject({
      code: 2,
      stderr: 'Error: 1 file would be deleted. Pass --yes to confirm, or check with --dry-run first.\n',
    });
    const no = await push('--prefix docs/ --delete', { isTTY: true, input: '\n', env: { NO_COLOR: '1' } });
    expect([no.code, no.stderr]).toEqual([
      1,
      '  docs/gone.txt\nDelete 1 file? [y/N] Error: Not confirmed. Nothing was done.\n',
    ]);
    // Ctrl-D ends the input without a line.
    const ended = await push('--prefix docs/ --delete', { isTTY: true, input: '' });
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('Not confirmed.')]);
    expect(await keys()).toEqual(everything);
    expect((await push('--prefix docs/ --delete', { isTTY: true, input: 'y\n' })).code).toBe(0);
    expect(await keys()).not.toContain('docs/gone.txt');
  });

  test('--dry-run prints the plan and does nothing', async () => {
    await put('new.txt');
    expect(await push('--prefix docs/ --delete --dry-run')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'would send docs/new.txt (7 bytes)\nwould delete docs/gone.txt\n1 to send, 1 unchanged, 1 to delete\n',
    });
    const { stdout } = await push('--prefix docs/ --delete --dry-run --json');
    expect(JSON.parse(stdout)).toEqual({
      send: [{ key: 'docs/new.txt', size: 7 }],
      change: [],
      delete: ['docs/gone.txt'],
      unchanged: 1,
    });
    expect(await keys()).toEqual(everything);
  });

  test('deletes nothing when a part of the folder cannot be read', async () => {
    await symlink(join(folder, 'nothing'), join(folder, 'broken.txt'));
    const { code, stderr } = await push('--prefix docs/ --delete --yes');
    expect([code, stderr]).toEqual([
      0,
      'skipped broken.txt: cannot be read (ENOENT)\nNothing is deleted, because a part of the folder could not be read.\n',
    ]);
    expect(await keys()).toEqual(everything);
  });
});

test('an upload resumes after a lost connection, and the file is complete', async () => {
  const content = Buffer.from(Array.from({ length: 900_000 }, (_, index) => index % 251));
  await put('long.bin', content);
  // Each number counts the bytes since the previous cut.
  relayed.relay.cuts.push(300_000, 300_000);
  expect(await push()).toMatchObject({ code: 0, stdout: '1 sent (900.0 KB), 0 unchanged\n' });
  expect(relayed.requests.some((line) => line.startsWith('PATCH '))).toBe(true);
  const arrived = await (await client.downloadFile({ id: 'long.bin' })).arrayBuffer();
  expect(Buffer.from(arrived).equals(content)).toBe(true);
});

test('a file that is refused is reported with the reason; nothing is deleted, and the exit code is 1', async () => {
  await put('old.txt');
  await push();
  await unlink(join(folder, 'old.txt'));
  const long = `${'x'.repeat(200)}/`.repeat(12);
  await put('good.txt');
  const { code, stdout, stderr } = await push(`--prefix ${long} --json`);
  expect(code).toBe(1);
  const { failed } = JSON.parse(stdout) as { failed: { key: string; reason: string }[] };
  expect(failed.map(({ key }) => key)).toEqual([`${long}good.txt`]);
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    'Error: 1 file failed. Push again: files that were sent are skipped.',
  );
});

test('on a terminal a bar is drawn and removed; elsewhere each file has a line', async () => {
  for (let n = 0; n < 6; n++) await put(`${n}.txt`);
  const drawn = await push('', { isTTY: true, columns: 60 });
  expect(drawn.stderr).toMatch(/█.* 100% {2}6\/6 files/);
  expect(drawn.stderr.endsWith('\r\u001b[K')).toBe(true);
  expect(drawn.stderr).not.toContain('\n');
  await put('7.txt');
  expect((await push()).stderr).toBe('sent 7.txt (5 bytes)\n');
});

test('Ctrl-C during a push keeps the sent files, and the next push sends the rest', async () => {
  for (let n = 0; n < 12; n++) await put(`${n}.txt`, Buffer.alloc(50_000, n));
  const controller = new AbortController();
  const stopped = await push('', {
    signal: controller.signal,
    onError: (text) => /sent/.test(text) && controller.abort(),
  });
  expect([stopped.code, stopped.stderr.trimEnd().split('\n').at(-1)]).toEqual([130, 'Stopped.']);
  const { code, stdout } = await push();
  expect(code).toBe(0);
  expect(stdout).not.toContain('12 sent');
  expect((await keys()).length).toBe(12);
  const sizes = (await client.list.files().collect()).map(({ size }) => size);
  expect(new Set(sizes)).toEqual(new Set([50_000]));
});

describe('a push that cannot start is refused in one line', () => {
  test.each([
    ['/nowhere', 1, '/nowhere: the folder does not exist.'],
    ['/dev/null', 1, '/dev/null: not a folder.'],
  ])('%s is refused', async (path, code, line) => {
    expect(await run(['files', 'push', path], { env })).toEqual({
      code,
      stdout: '',
      stderr: `Error: ${line}\n`,
    });
  });

  test('a wrong bot or a wrong token is refused', async () => {
    await put('a.txt');
    expect(await push('', { env: { PLATFORM_BOT_ID: 'bot_nothing' } })).toMatchObject({
      code: 1,
      stdout: '',
    });
    expect(await push('', { env: { PLATFORM_TOKEN: 'x'.repeat(40) } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: .* Set PLATFORM_TOKEN and .*\n$/),
    });
  });
});

test('an empty folder is not a failure', async () => {
  expect(await push()).toEqual({ code: 0, stdout: '0 sent (0 bytes), 0 unchanged\n', stderr: '' });
});
