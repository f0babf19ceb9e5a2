// Tests of `platform-webchat move` (../../maintenance/backup/move/): from SQLite to PostgreSQL and back, interrupted at any point, with
// files in a folder and in an object store, and what it refuses.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, run as runCommand } from '../../../cli/testing.ts';
import { type S3Server, startS3rver } from '../../files/s3/servers.testing.ts';
import { useServerProcess } from '../../testing/process.testing.ts';
import { allRows, pollOptions, startTestServer, type TestServer } from '../../testing.ts';
import { releasedVersions, unpackDataFolder } from '../data-folders.testing.ts';
import type { Database, Parameter } from '../database.ts';
import { migrations } from '../migrations.ts';
import { insertRows, listTables, type Table } from '../move.ts';
import { openDatabase } from '../open.ts';
import { sqlite } from '../sqlite.ts';
import { testDatabaseOf } from './testing.ts';

const serverProcess = useServerProcess();
const path = (name: string) => join(serverProcess.folder(), name);

let url: string;
let env: Record<string, string>;
beforeEach(async () => {
  // `useServerProcess` releases the database of this folder.
  url = await testDatabaseOf(path('data'));
  env = { DATABASE_URL: url };
});
afterEach(async () => {
  // A move that did not end leaves its table.
  await query(`DROP TABLE IF EXISTS unfinished_move`);
});

async function query(sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

const move = (from: string, to: string, ...more: string[]): Promise<Ran> =>
  runCommand(['move', '--from', from, '--to', to, ...more], { env });
const there = (...more: string[]) => move(path('data'), 'DATABASE_URL', ...more);
const back = (...more: string[]) => move('DATABASE_URL', path('back'), '--data-dir', path('data'), ...more);

/** Texts that a careless copy would change. */
const hostile = [
  '',
  "'",
  '"',
  '\\',
  '\\N',
  '\\x41',
  '{"a":null}',
  'NULL',
  'a,b',
  'é\u0301😀',
  '\n\t\r',
  '日本',
];

/** Adds rows to a table, with each kind of value that its columns allow. */
async function fill(db: Database, table: Table, count: number): Promise<void> {
  const optional = new Set(
    (
      await db.read((tx) =>
        tx.all<{ name: string }>(
          `SELECT name FROM pragma_table_info('${table.name}') WHERE "notnull" = 0 AND pk = 0`,
        ),
      )
    ).map(({ name }) => name),
  );
  const valueFor = ({ name, type }: Table['columns'][number], n: number): Parameter => {
    if (optional.has(name) && n % 3 === 0) return null;
    if (type === 'bytea') return Uint8Array.from({ length: n % 50 }, (_, i) => (i * 37 + n) % 256);
    if (type === 'bigint') return name === 'number' || name === 'is_first' ? n + 1 : n * 1_000_003 - 17;
    return `${hostile[n % hostile.length]}${n}${hostile[(n * 7) % hostile.length]}`;
  };
  await db.write((tx) =>
    insertRows(
      tx,
      table,
      Array.from({ length: count }, (_, n) => table.columns.map((column) => valueFor(column, n))),
    ),
  );
}

/** Opens the database in a folder, calls `work`, and closes it. */
async function withDatabase<T>(location: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(location);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Every row of every table, in an order that both engines have. */
async function contentOf(location: string): Promise<Record<string, string[]>> {
  const rows = await withDatabase(location, (db) => allRows(db, ['sqlite_sequence']));
  const sorted = (row: unknown) =>
    JSON.stringify(Object.entries(row as object).sort(([one], [other]) => (one < other ? -1 : 1)));
  return Object.fromEntries(Object.entries(rows).map(([name, all]) => [name, all.map(sorted).sort()]));
}

/** A data folder with rows in every table. */
async function fillFolder(rows = 40): Promise<void> {
  await mkdir(path('data/files'), { recursive: true, mode: 0o700 });
  await withDatabase(path('data/platform.db'), async (db) => {
    for (const table of await db.read(listTables)) {
      // Their rows would be files and objects that do not exist.
      const isStore = ['uploads', 'file_store'].includes(table.name);
      if (!isStore)
        await fill(db, table, table.name === 'files' ? 1 : table.name === 'messages' ? rows * 200 : rows);
    }
    await db.write((tx) => tx.run("UPDATE files SET content_id = ''"));
    await db.write((tx) => tx.run('DELETE FROM configuration_files'));
  });
}

test('move: rows of every table are the same in PostgreSQL, and the same again back in a folder', async () => {
  await fillFolder();
  const before = await contentOf(path('data/platform.db'));
  const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
  expect(empty.map(([name]) => name)).toEqual(['configuration_files', 'file_store', 'uploads']);
  expect(before.messages?.length).toBeGreaterThan(5_000);

  expect(await there()).toMatchObject({ code: 0 });
  expect(await contentOf(url)).toEqual(before);
  expect(await back()).toMatchObject({ code: 0 });
  expect(await contentOf(path('back/platform.db'))).toEqual(before);
  expect(await contentOf(path('data/platform.db'))).toEqual(before);
  expect((await readdir(path('back'))).join()).not.toContain('moving');

  // Generated numbers go on after the moved ones.
  const next = (location: string) =>
    withDatabase(location, (db) =>
      db.write((tx) =>
        tx.get<{ id: number }>(
          "INSERT INTO embedding_models (name, dimensions) VALUES ('new', 1) RETURNING id",
        ),
      ),
    );
  expect(await next(url)).toEqual(await next(path('data/platform.db')));
});

describe('a server', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  interface Recorded {
    at: number;
    userKeySecret: string;
    adminToken: string;
    visitors: { ada: string };
    headers: { platform: Record<string, string> };
    recorded: { method: string; path: string; headers: Record<string, string>; body?: unknown }[];
  }

  /** The responses of a server on a database to the requests that the fixture recorded. */
  async function answersOf(location: string, folder: string): Promise<string[]> {
    const recorded: Recorded = JSON.parse(await readFile(path('data/recorded.json'), 'utf8'));
    const db = await openDatabase(location);
    server = await startTestServer(
      {
        db,
        // Due times by the clock of the fixture, so that no event becomes due.
        relay: undefined,
        secret: recorded.userKeySecret,
        ADMIN_TOKEN: recorded.adminToken,
        now: () => recorded.at,
        handler: () => new Promise(() => {}),
      },
      folder,
    );
    const answers: string[] = [];
    for (const { method, path: address, headers, body } of recorded.recorded) {
      const response = await server.fetch(address, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      answers.push(`${address}: ${response.status} ${await response.text()}`);
    }
    expect(await server.sendMessage(recorded.visitors.ada, 'support-1', 'after the move')).toMatch(/^msg_/);
    await server.composition.close();
    await db.close();
    server = undefined;
    return answers.map((answer) =>
      answer
        .replaceAll(/\/content\/[^/"]+\//g, '/content/TOKEN/')
        .replaceAll(/"(?:deployedAt|updatedAt)":"[^"]*"/g, ''),
    );
  }

  test.each(releasedVersions)(
    'move: a server with a folder of version %s answers the same in PostgreSQL and back in a folder, with its files, its index and its links',
    async (version) => {
      const unpack = async (name: string) => {
        await mkdir(path(name), { recursive: true });
        unpackDataFolder(version, path(name));
        // The schema of this version.
        await (await openDatabase(path(`${name}/platform.db`))).close();
      };
      await unpack('data');
      await unpack('other');
      expect(await there()).toMatchObject({ code: 0 });
      expect(await back()).toMatchObject({ code: 0 });
      const expected = await answersOf(path('other/platform.db'), path('other'));
      expect(expected.length).toBeGreaterThan(45);
      expect(expected.join()).toMatch(/passages/);
      expect(await answersOf(url, path('data'))).toEqual(expected);
      expect(await answersOf(path('back/platform.db'), path('back'))).toEqual(expected);
    },
  );
});

test.each([
  ['to PostgreSQL', 11],
  ['back to a folder', 12],
])(
  'move: one %s that is killed at any point is not served, and goes on when it is repeated',
  async (direction, first) => {
    await fillFolder(60);
    const before = await contentOf(path('data/platform.db'));
    const isBack = direction === 'back to a folder';
    if (isBack) expect(await there()).toMatchObject({ code: 0 });
    const [from, to] = isBack ? ['DATABASE_URL', path('back')] : [path('data'), 'DATABASE_URL'];
    const args = ['move', '--from', from, '--to', to, '--data-dir', path('data')];
    const killedAfter = new Set<string>();
    let seed = first;
    const random = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let kills = 0; ; kills += 1) {
      const { child, done } = serverProcess.cli(args, env);
      let text = '';
      child.stderr?.on('data', (part) => {
        text += part;
      });
      if (kills < 5) {
        // After a random line of progress; the pause determines the point, and waits for nothing.
        const lines = random(35);
        await Promise.race([
          done,
          expect.poll(() => text.split('\n').length, { ...pollOptions, interval: 1 }).toBeGreaterThan(lines),
        ]);
        await pause(random(40));
        child.kill('SIGKILL');
      }
      const { code } = await done;
      killedAfter.add(text.trim().split('\n').at(-1) ?? '');
      if (code === 0) break;
      expect([code, kills < 5]).toEqual([null, true]);
      if (isBack) {
        expect(await readdir(path('back')).catch(() => [])).not.toContain('platform.db');
      } else {
        const { rows } = await query("SELECT to_regclass('unfinished_move')::text AS found");
        if (rows[0].found) {
          await expect(openDatabase(url)).rejects.toThrow('a move to this database has not ended');
        }
      }
    }
    expect(await contentOf(isBack ? path('back/platform.db') : url)).toEqual(before);
    expect(killedAfter.size).toBeGreaterThan(2);
  },
);

describe('files', () => {
  let store: S3Server;
  beforeAll(async () => {
    store = await startS3rver();
  });
  afterAll(() => store.close());

  const contentOfFile = (name: string) => Buffer.from(name.repeat(300_000));

  /** Announces a file. */
  async function announce(server: TestServer, key: string, name: string) {
    const content = contentOfFile(name);
    const { body } = await server.call('POST', '/files', { key, body: { key: name, size: content.length } });
    const { uploadUrl, url: address } = body.file as { uploadUrl: string; url: string };
    return { content, path: new URL(uploadUrl).pathname, address: new URL(address).pathname };
  }

  async function sendPart(
    server: TestServer,
    address: string,
    offset: number,
    part: Buffer,
  ): Promise<number> {
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
    return (await server.fetch(address, { method: 'PATCH', headers, body: new Uint8Array(part) })).status;
  }

  async function upload(server: TestServer, key: string, name: string): Promise<string> {
    const { content, path: target, address } = await announce(server, key, name);
    expect((await server.fetch(target, { method: 'PUT', body: new Uint8Array(content) })).status).toBe(204);
    return address;
  }

  test('move: files are sent to an object store and come back, and an upload under way goes on', async () => {
    await mkdir(path('data'), { recursive: true });
    let server = await startTestServer({ db: await openDatabase(path('data/platform.db')) }, path('data'));
    const { key } = await server.user();
    const addresses = [await upload(server, key, 'a'), await upload(server, key, 'b')];
    const half = await announce(server, key, 'd');
    expect(await sendPart(server, half.path, 0, half.content.subarray(0, 100_000))).toBe(204);
    await server.composition.close();
    await server.db.close();

    const { url: address, ...keys } = await store.bucket();
    const storeEnv = {
      S3_REGION: keys.region,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    };
    Object.assign(env, storeEnv);
    expect(await there('--files', address)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Copied 2 files.'),
    });
    server = await startTestServer(
      { db: await openDatabase(url), S3_URL: address, ...storeEnv },
      path('elsewhere'),
    );
    const read = async (at: TestServer) =>
      Promise.all(addresses.map(async (one) => Buffer.from(await (await at.fetch(one)).arrayBuffer())));
    const contents = [contentOfFile('a'), contentOfFile('b')];
    expect((await read(server)).map((bytes, n) => bytes.equals(contents[n] as Buffer))).toEqual([true, true]);
    addresses.push(await upload(server, key, 'c'));
    contents.push(contentOfFile('c'));
    // The upload under way goes on where it was.
    const head = await server.fetch(half.path, { method: 'HEAD' });
    expect([head.status, head.headers.get('upload-offset')]).toEqual([204, '100000']);
    expect(await sendPart(server, half.path, 100_000, half.content.subarray(100_000))).toBe(204);
    addresses.push(half.address);
    contents.push(half.content);
    await server.composition.close();
    await server.db.close();

    // Without --files they stay in the store, and the folder does not have them.
    env = { DATABASE_URL: url };
    expect(await move('DATABASE_URL', path('stay'))).toMatchObject({ code: 0 });
    expect(await readdir(path('stay/files'))).toEqual([]);
    expect(await back('--files', 'folder')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: S3_URL is missing: files of this database are in an object store.\n',
    });
    Object.assign(env, storeEnv, { S3_URL: address });
    expect(await back('--files', 'folder')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Copied 4 files.'),
    });
    server = await startTestServer({ db: await openDatabase(path('back/platform.db')) }, path('back'));
    expect((await read(server)).map((bytes, n) => bytes.equals(contents[n] as Buffer))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    await server.composition.close();
    await server.db.close();
  });
});

describe('refusals', () => {
  const refused = async (ran: Promise<Ran>, line: string) => {
    const { code, stdout, stderr } = await ran;
    expect([code, stdout, stderr.trim().split('\n').at(-1)]).toEqual([1, '', `Error: ${line}`]);
  };

  beforeEach(() => fillFolder(3));

  test('move: a source in use, or without a database, is refused', async () => {
    await refused(move(path('none'), 'DATABASE_URL'), `The folder ${path('none')} has no database.`);
    const child = await serverProcess.run({ DATA_DIR: path('running'), DATABASE_URL: '' });
    await refused(
      move(path('running'), 'DATABASE_URL'),
      `The data folder ${path('running')} is in use by another process.`,
    );
    child.child.kill('SIGKILL');
    await query('DROP TABLE schema_version');
    await refused(back(), 'DATABASE_URL: the database has no data of a server.');
  });

  test('move: a target in use, or with anything in it, is refused and not changed', async () => {
    const server = await serverProcess.run({ DATA_DIR: path('running'), DATABASE_URL: url });
    expect((await there()).stderr).toMatch(/^Error: DATABASE_URL: the database is in use by another process/);
    server.child.kill('SIGTERM');
    await server.exit;
    // Created by this start.
    const before = await contentOf(url);
    await refused(there(), 'The target is not empty: name another one, or empty it.');
    expect(await contentOf(url)).toEqual(before);
    await mkdir(path('back'));
    await writeFile(path('back/notes.txt'), 'mine');
    await refused(back(), `The folder ${path('back')} is not empty: name another one.`);
    expect(await readdir(path('back'))).toEqual(['notes.txt']);
  });

  test('move: a source of another version is refused', async () => {
    const DatabaseSync = await sqlite();
    for (const [version, name] of [
      [migrations.length + 1, 'a newer'],
      [migrations.length - 1, 'an earlier'],
    ] as const) {
      const db = new DatabaseSync(path('data/platform.db'));
      db.exec(`PRAGMA user_version = ${version}`);
      db.close();
      await refused(
        there(),
        `The database ${path('data/platform.db')} was written by ${name} version of this server: use the program of that version.`,
      );
    }
    await query(`UPDATE schema_version SET version = ${migrations.length + 1}`);
    await refused(
      back(),
      'DATABASE_URL: the database was written by a newer version of this server: use the program of that version.',
    );
    await query(`UPDATE schema_version SET version = ${migrations.length}`);
  });

  test('move: a database that does not answer, and an address with a password in the command line, are refused', async () => {
    env.DATABASE_URL = 'postgres://user:hidden@127.0.0.1:1/chat';
    const { code, stdout, stderr } = await there();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Error: DATABASE_URL: the database cannot be opened: [^\n]*\n$/);
    expect(stderr).not.toContain('hidden');
    await refused(
      move(path('data'), 'postgres://user:hidden@127.0.0.1:1/chat'),
      '--to: this address has a password, which other users of the machine can read in a command line: set DATABASE_URL, and write `--to DATABASE_URL`.',
    );
    await refused(
      move(path('data'), path('other')),
      '--from and --to are data folders: copy one with `backup` and `restore`.',
    );
  });

  test('move: a source that has changed since the move was cut is refused', async () => {
    // The same as a cut after the first table.
    await (await openDatabase(url)).close();
    await query(
      "CREATE TABLE unfinished_move (source TEXT, files TEXT); INSERT INTO unfinished_move VALUES ('other', 'stay')",
    );
    await refused(
      there(),
      'A move to this target has not ended, and it was from another source, or the source has changed since: empty the target and begin again.',
    );
  });

  test('move: rows that differ at the end are noticed, and the target is not served', async () => {
    await (await openDatabase(url)).close();
    // A fault of the other database: it changes what it stores.
    await query(
      `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.payload := 'other'; RETURN NEW; END$$`,
    );
    await query('CREATE TRIGGER spoil BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION spoil()');
    const { code, stderr } = await there();
    expect(code).toBe(1);
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^Error: The table messages differs after the move \(600 and 600 rows\)/,
    );
    await expect(openDatabase(url)).rejects.toThrow('a move to this database has not ended');
    await query('DROP TABLE unfinished_move; DROP TRIGGER spoil ON messages; DROP FUNCTION spoil');
  });

  test('move: a full disk of the target is named, and the move goes on when there is space', async () => {
    expect(await there()).toMatchObject({ code: 0 });
    const args = ['move', '--from', 'DATABASE_URL', '--to', path('back'), '--data-dir', path('data')];
    // A file system of its own, which grows after the first attempt.
    const script = `mkdir "$0" && mount -t tmpfs -o mode=700,size=400k tmpfs "$0" && { "$@"; echo "code $?"; } &&
      mount -o remount,size=50m "$0" && "$@"`;
    const wrapper = ['unshare', process.getuid?.() === 0 ? '-m' : '-Urm', 'sh', '-c', script, path('back')];
    const { code, text } = await serverProcess.cli(args, env, wrapper).done;
    expect(text).toContain(
      'Error: The target has no space left: free some. Repeat the command, and it goes on.\ncode 1\n',
    );
    expect([code, text]).toEqual([0, expect.stringMatching(/Moved \d+ rows of \d+ tables/)]);
  });
});
