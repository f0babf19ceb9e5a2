// Tests of backups: of a running server under load, interrupted, damaged, of other versions, and restored.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run as runCommand } from '../../../cli/testing.ts';
import { readVersion } from '../../startup/version.ts';
import { migrations } from '../../storage/migrations.ts';
import { lockFolder } from '../../storage/open.ts';
import { sqlite } from '../../storage/sqlite.ts';
import { useServerProcess } from '../../testing/process.testing.ts';
import { enter } from '../../testing/visitor.testing.ts';
import { pollOptions } from '../../testing.ts';

const serverProcess = useServerProcess();
const { run, cli } = serverProcess;
const path = (name: string) => join(serverProcess.folder(), name);

const contentOf = (name: string) => Buffer.from(name.repeat(20_000));

test('backup: of a server under load it has every message and file that was acknowledged before, and no half one', async () => {
  const silent = await serverProcess.bot('export default () => {};');
  const server = await run({ BOT: silent });
  const visitor = await enter(() => server.url);
  const sent: string[] = [];
  const uploaded: { name: string; path: string }[] = [];
  let isOver = false;
  const post = async () => {
    for (let n = 0; !isOver; n += 1)
      if ((await visitor.send(`message ${n}`)).status === 201) sent.push(`message ${n}`);
  };
  const upload = async () => {
    for (let n = 0; !isOver; n += 1) {
      const name = `file ${n}`;
      const address = await visitor.upload(name, contentOf(name));
      if (address) uploaded.push({ name, path: address });
    }
  };
  // Files whose rows and bytes are deleted while they are copied.
  const remove = async () => {
    while (!isOver) {
      const other = await enter(() => server.url);
      await other.upload('deleted', contentOf('deleted'));
      await other.leave();
    }
  };
  const load = Promise.all([post(), upload(), remove()]);
  await expect.poll(() => Math.min(sent.length, uploaded.length * 5), pollOptions).toBeGreaterThan(50);

  const before = { sent: [...sent], uploaded: [...uploaded] };
  const backup = await cli(['backup', path('copy'), '--data-dir', path('data')]).done;
  expect(backup).toMatchObject({ code: 0 });
  expect(backup.text).toMatch(/copy: \d+ files, and a database of \d+ bytes\.\n$/);
  // Posts and uploads went on meanwhile, and go on while the backup is restored.
  const restoring = await cli(['restore', path('copy'), '--data-dir', path('restored')]).done;
  expect(restoring).toMatchObject({ code: 0 });
  expect(sent.length).toBeGreaterThan(before.sent.length);
  isOver = true;
  await load;
  // Before the first one stops, so that it cannot get the same port.
  const again = await run({ BOT: silent, DATA_DIR: path('restored') });
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);

  const { url } = server;
  server.url = again.url;
  const texts = await visitor.texts();
  // A snapshot: what was acknowledged before, then the following messages without a gap.
  expect(texts.length).toBeGreaterThanOrEqual(before.sent.length);
  expect(texts).toEqual(sent.slice(0, texts.length));
  expect(url).not.toBe(again.url);
  for (const { name, path: address } of before.uploaded) {
    const response = await fetch(again.url + address);
    expect([name, response.status]).toEqual([name, 200]);
    expect(Buffer.from(await response.arrayBuffer()).equals(contentOf(name))).toBe(true);
  }
  // Every other file is there completely or not at all.
  for (const { name, path: address } of uploaded.slice(before.uploaded.length)) {
    const response = await fetch(again.url + address);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) expect(bytes.equals(contentOf(name))).toBe(true);
    else expect(response.status).toBe(404);
  }
  expect(again.stderr()).not.toContain('"level":50');
  // The server goes on with the restored data.
  expect((await visitor.send('after')).status).toBe(201);
  expect((await visitor.texts()).at(-1)).toBe('after');
  const modes = await Promise.all(
    ['copy', 'copy/platform.db', 'copy/user-key-secret', 'restored'].map(
      async (name) => (await stat(path(name))).mode & 0o077,
    ),
  );
  expect(modes).toEqual([0, 0, 0, 0]);
  expect(await readdir(path('copy'))).not.toContain('admin-token');
});

test('backup: one that was killed is not restored, and its folder is not used again', async () => {
  const server = await run();
  await (await enter(() => server.url)).send('hello');
  server.child.kill('SIGTERM');
  await server.exit;
  // A file whose copy never ends.
  await rm(path('data/user-key-secret'));
  execFileSync('mkfifo', [path('data/user-key-secret')]);
  const { child, done } = cli(['backup', path('copy'), '--data-dir', path('data')]);
  await expect
    .poll(
      () =>
        stat(path('copy/platform.db')).then(
          () => true,
          () => false,
        ),
      pollOptions,
    )
    .toBe(true);
  child.kill('SIGKILL');
  await done;
  expect(await readdir(path('copy'))).toContain('platform.db');
  expect(await runCommand(['restore', path('copy'), '--data-dir', path('other')])).toEqual({
    code: 1,
    stdout: '',
    stderr: `Error: The folder ${path('copy')} has no complete backup: backup.json is missing, which is written at the end.\n`,
  });
  expect(await runCommand(['backup', path('copy'), '--data-dir', path('data')])).toMatchObject({
    code: 1,
    stderr: `Error: The folder ${path('copy')} is not empty: name another one.\n`,
  });
  expect(await stat(path('other')).catch(() => undefined)).toBe(undefined);
});

/** The folder with what `small` has made at its first call. */
let made: string | undefined;
afterAll(async () => {
  if (made) await rm(made, { recursive: true });
});

/** Makes a backup of a small server with a file, and stops the server. Each test has a copy of both folders. */
async function small(): Promise<{ file: string }> {
  if (made) await cp(made, serverProcess.folder(), { recursive: true });
  else {
    const server = await run();
    const visitor = await enter(() => server.url);
    await visitor.send('hello');
    await visitor.upload('a', contentOf('a'));
    await cli(['backup', path('copy'), '--data-dir', path('data')]).done;
    server.child.kill('SIGTERM');
    await server.exit;
    const folder = await mkdtemp(join(tmpdir(), 'webchat-backup-'));
    await cp(serverProcess.folder(), folder, { recursive: true });
    made = folder;
  }
  const [file = ''] = await readdir(path('copy/files'));
  return { file };
}

const restore = (from: string, to: string) => runCommand(['restore', path(from), '--data-dir', path(to)]);

test('restore: refuses folders in use and with content, damaged backups, and those of newer versions', async () => {
  const { file } = await small();
  const refused = async (from: string, to: string, line: string) =>
    expect(await restore(from, to)).toEqual({ code: 1, stdout: '', stderr: `Error: ${line}\n` });

  await refused('copy', 'data', `The folder ${path('data')} is not empty: name another one.`);
  const unlock = await lockFolder(path('data'));
  await refused('copy', 'data', `The data folder ${path('data')} is in use by another process.`);
  unlock();
  await refused(
    'nowhere',
    'new',
    `The folder ${path('nowhere')} has no complete backup: backup.json is missing, which is written at the end.`,
  );

  const manifest = JSON.parse(await readFile(path('copy/backup.json'), 'utf8')) as object;
  const change = async (name: string, changes: object) => {
    await cp(path('copy'), path(name), { recursive: true });
    await writeFile(path(`${name}/backup.json`), JSON.stringify({ ...manifest, ...changes }));
  };
  await change('newer', { schema: migrations.length + 1, version: '9.8.7' });
  await change('later-form', { format: 2, version: '9.8.7' });
  for (const name of ['newer', 'later-form']) {
    await refused(
      name,
      'new',
      `The backup ${path(name)} was made by version 9.8.7, which is newer than this one (${readVersion()}): restore it with that version.`,
    );
  }
  await change('cut', {});
  await truncate(path('cut/platform.db'), 8_192);
  const damaged = (name: string) =>
    `The backup ${path(name)} is damaged: platform.db is not the file that was written.`;
  await refused('cut', 'new', damaged('cut'));
  await change('lost', {});
  await truncate(path(`lost/files/${file}`), 10);
  await refused(
    'lost',
    'new',
    `The backup ${path('lost')} is damaged: 1 of its files are missing or have another size.`,
  );
  await change('garbled', {});
  await writeFile(path('garbled/backup.json'), '{"format": 1');
  await refused('garbled', 'new', `The file ${path('garbled/backup.json')} is damaged.`);
  expect(await stat(path('new')).catch(() => undefined)).toBe(undefined);

  // An empty folder is used.
  await mkdir(path('empty'));
  expect(await restore('copy', 'empty')).toMatchObject({ code: 0, stderr: '' });
  expect((await readFile(path(`empty/files/${file}`))).equals(contentOf('a'))).toBe(true);
});

test('backup: of files in an object store only the database is copied, and both commands say what else is needed', async () => {
  const { file } = await small();
  const DatabaseSync = await sqlite();
  const db = new DatabaseSync(path('data/platform.db'));
  db.exec(`INSERT INTO uploads (content_id, fence, object, next_part, parts, pieces, garbage, size, is_whole)
    VALUES ('${file}', 'f', 'object', 1, '[]', '[]', '[]', 20000, 1)`);
  db.close();
  await rm(path(`data/files/${file}`));
  const backup = await runCommand(['backup', path('stored'), '--data-dir', path('data')]);
  expect(backup).toEqual({
    code: 0,
    stdout: expect.stringContaining('stored: 0 files, and a database'),
    stderr:
      '1 files are in the object store, and not in this backup: keep all versions of its objects as long as this backup.\n',
  });
  expect(await restore('stored', 'new')).toMatchObject({
    code: 0,
    stderr:
      '1 files are in the object store: start the server with the same S3_URL, and only after the earlier server has stopped for good.\n',
  });
});

test('restore: says when the secret is not in the backup', async () => {
  await small();
  await rm(path('copy/user-key-secret'));
  expect(await restore('copy', 'new')).toMatchObject({
    code: 0,
    stderr: 'The backup has no user-key-secret: start the server with the same USER_KEY_SECRET.\n',
  });
});

test('backup: a folder without a database, a lost file, and a database of another version are named', async () => {
  const backUp = (from: string, to: string) => runCommand(['backup', path(to), '--data-dir', path(from)]);
  expect(await backUp('none', 'copy')).toEqual({
    code: 1,
    stdout: '',
    stderr: `Error: The folder ${path('none')} has no database. Name it with --data-dir.\n`,
  });
  const { file } = await small();
  await rm(path(`data/files/${file}`));
  expect(await backUp('data', 'lost')).toMatchObject({
    code: 0,
    stderr: 'Warning: the bytes of 1 files were already missing.\n',
  });
  // Bytes that were lost before the backup do not make it a damaged one.
  expect(await restore('lost', 'new')).toMatchObject({ code: 0 });

  const DatabaseSync = await sqlite();
  const db = new DatabaseSync(path('data/platform.db'));
  for (const [version, name] of [
    [migrations.length + 1, 'a newer'],
    [migrations.length - 1, 'an earlier'],
  ] as const) {
    db.exec(`PRAGMA user_version = ${version}`);
    expect(await backUp('data', name)).toMatchObject({
      code: 1,
      stderr: `Error: The database ${path('data/platform.db')} was written by ${name} version of this server: use the program of that version.\n`,
    });
  }
  db.close();
});
