// Starts a whole server in this process for tests, with its own database and without a port; and builds the real one.
import { randomUUID } from 'node:crypto';
import { copyFile, cp, link, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCacheFolder } from '../../scripts/cache-folder.mjs';
import type { BotHandler } from '../protocol/bot.ts';
import type { Signal } from '../protocol/signal.ts';
import { createUserKeys } from './auth/user-keys.ts';
import { inProcess } from './bots/index.ts';
import { createMemoryRelayHub, type MemoryRelayHub } from './cluster/relay/memory-relay.testing.ts';
import type { Composition, Wiring } from './composition/options.ts';
import { composeServer } from './composition/server.ts';
import type { Settings } from './composition/settings.ts';
import { unlimitedSettings } from './composition/unlimited.ts';
import { passagesInProcess } from './files/indexing/in-process.testing.ts';
import { createLogger } from './startup/log.ts';
import type { Database, Tx } from './storage/database.ts';
import { temporaryTables } from './storage/move.ts';
import { openDatabase } from './storage/open.ts';
import { noteCovered } from './storage/postgres/covered-files.testing.ts';
import { isPostgresTest, releaseTestDatabase, testDatabaseOf } from './storage/postgres/testing.ts';
import { repeatWrites } from './storage/repeated-writes.testing.ts';
import { checkBotsOfRows } from './storage/rows-of-bots.testing.ts';
import { columnOf } from './storage/table.ts';

/** The secret of the user keys of every test server. */
export const secret = 'a secret for tests only';
export const base = '/chat/demo';

export { pollOptions } from '../polling.testing.ts';

export interface TestResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

interface RequestOptions {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** `handler`: the code of the default bot, which runs in this process. */
export type TestOptions = Partial<Settings> & Partial<Wiring> & { handler?: BotHandler };

export interface TestServer {
  composition: Composition;
  db: Database;
  /** The data folder. */
  home: string;
  /** The workspace, and the administrator's token if this start generated it. */
  admin: { workspaceId: string; token: string | undefined };
  /** The parsed lines of the log. */
  log: Record<string, unknown>[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Calls the Chat API and parses the response. */
  call(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Creates a user with a key; with an `id`, by a key that an application has signed. */
  user(fields?: Record<string, unknown>): Promise<{ id: string; key: string }>;
  conversation(key: string, id?: string): Promise<string>;
  /** Invites a user to a conversation and accepts the invitation. */
  join(ownerKey: string, conversationId: string, guest: { id: string; key: string }): Promise<void>;
  sendMessage(
    key: string,
    conversationId: string,
    text: string,
    headers?: Record<string, string>,
  ): Promise<string>;
  listen(key: string, conversationId: string, after?: string | number): Promise<TestStream>;
  /** Signs a key as an application does, with additional claims. */
  sign(id: string, claims?: object): string;
  /** Restarts the server on the same folder. */
  restart(options?: TestOptions): Promise<TestServer>;
  close(): Promise<void>;
}

/** A frame of a stream as a client receives it. */
interface SeenFrame {
  id: string | undefined;
  data: string;
  signal: Signal | undefined;
}

export interface TestStream {
  response: Response;
  frames: SeenFrame[];
  /** Resolves with the first received or future frame that matches; rejects when the stream ends before. */
  until(matches: (frame: SeenFrame) => boolean): Promise<SeenFrame>;
  untilType<T extends Signal['type']>(type: T): Promise<Extract<Signal, { type: T }>>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  cancel(): Promise<void>;
}

/** A module loader for worker threads that strips types. Their bundles are kept for a run of the tests (scripts/vitest/folders.ts). */
export const stripTypes = String(
  Object.assign(new URL('../../scripts/strip-types.mjs', import.meta.url), {
    search: process.env.TEST_BUILD_FOLDER
      ? `?folder=${encodeURIComponent(process.env.TEST_BUILD_FOLDER)}`
      : '',
  }),
);

/** The folder of the repository. */
const projectFolder = join(import.meta.dirname, '../..');

const silentBot: BotHandler = () => {};

/** A build of the server without the widget, for tests that start it as a process before `dist` exists. */
export interface BuiltServer {
  /** The entry point. */
  main: string;
  /** The folder for the built widget, playground and demo page; it is empty. */
  dist: string;
  dispose(): Promise<void>;
}

/** Kept by the process, because each test file with a DOM evaluates the modules again (scripts/vitest/setup.ts). */
const processState = globalThis as {
  webchatServerBuild?: Promise<string>;
  webchatEmptyDatabase?: Promise<string>;
  /** Whether the present test file has opened a database whose writes are repeated. */
  webchatRepeatsWrites?: boolean;
};

/**
 * Builds the server as `npm run build` does, without checking types: `npm run check` does that. The tests of one process build
 * it once (scripts/vitest/folders.ts); each call returns a folder of its own.
 */
export async function buildServer(): Promise<BuiltServer> {
  const dist = await createCacheFolder('server-');
  const runFolder = process.env.TEST_BUILD_FOLDER;
  if (runFolder) {
    processState.webchatServerBuild ??= bundle(join(runFolder, String(process.pid)));
    await cp(await processState.webchatServerBuild, join(dist, 'node'), { recursive: true });
  } else await bundle(dist);
  return {
    main: join(dist, 'node', 'src', 'server', 'main.js'),
    dist,
    dispose: () => rm(dist, { recursive: true, force: true }),
  };
}

/** Writes the server into `node` in a folder, and returns that path. */
async function bundle(folder: string): Promise<string> {
  const dir = join(folder, 'node');
  const { bundleServer } = await import('../../scripts/build/server-bundle.mjs');
  await bundleServer(dir, { root: projectFolder });
  return dir;
}

export async function startTestServer(
  { handler = silentBot, ...options }: TestOptions = {},
  folder?: string,
): Promise<TestServer> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'webchat-test-')));
  const log: Record<string, unknown>[] = [];
  const db = options.db ?? (await openTestDatabase(home));
  const settings = { ...unlimitedSettings(), DATA_DIR: home, ...options };
  const composition = await composeServer(settings, {
    bot: inProcess(handler),
    secret,
    dist: join(home, 'dist'),
    // Worker threads of the server run its TypeScript sources; a thread for each file would cost more than all else of most tests.
    extraction: { execArgv: ['--import', stripTypes], passages: passagesInProcess },
    logger: createLogger('info', { write: (line) => log.push(JSON.parse(line)) }),
    // As if other processes used the same database (vitest.config.ts).
    relay: process.env.TEST_RELAY === 'on' ? createMemoryRelayHub().connect() : undefined,
    ...options,
    db,
  });
  const token = await composition.start();
  const keys = createUserKeys(secret);
  const fetch = async (path: string, init?: RequestInit) => composition.app.request(path, init);

  /** The server that was started on its data when it was restarted. */
  let successor: TestServer | undefined;
  const server: TestServer = {
    composition: composition,
    db,
    home,
    admin: { workspaceId: composition.workspaceId, token },
    log,
    fetch,
    sign: keys.sign,
    async call(method, path, { key, body, headers = {} } = {}) {
      const response = await fetch(base + path, {
        method,
        headers: {
          ...(key === undefined ? {} : { 'x-user-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
    },
    async user({ id, ...fields } = {}) {
      if (typeof id === 'string') {
        // Later than the deletion of a previous user with this id, also within a millisecond.
        const key = keys.sign(id, { iat: ((options.now ?? Date.now)() + 1) / 1000 });
        await server.call('POST', '/users/get-or-create', { key, body: fields });
        return { id, key };
      }
      const { body } = await server.call('POST', '/users', { body: fields });
      const { user, key } = body as { user: { id: string }; key: string };
      return { id: user.id, key };
    },
    async conversation(key, id) {
      const { body } = await server.call('POST', '/conversations', { key, body: id ? { id } : {} });
      return (body as { conversation: { id: string } }).conversation.id;
    },
    async join(ownerKey, conversationId, guest) {
      const conversationPart = encodeURIComponent(conversationId);
      const invited = { key: ownerKey, body: { userId: guest.id } };
      await server.call('POST', `/conversations/${conversationPart}/participants`, invited);
      const { status } = await server.call('POST', `/invitations/${conversationPart}`, {
        key: guest.key,
        body: {},
      });
      if (status !== 200) throw new Error(`The invitation was not accepted: ${status}`);
    },
    async sendMessage(key, conversationId, text, headers) {
      const { body } = await server.call('POST', '/messages', {
        key,
        body: { conversationId, payload: { type: 'text', text } },
        ...(headers ? { headers } : {}),
      });
      return (body as { message: { id: string } }).message.id;
    },
    async listen(key, conversationId, after) {
      const response = await fetch(`${base}/conversations/${encodeURIComponent(conversationId)}/listen`, {
        headers: { 'x-user-key': key, ...(after === undefined ? {} : { 'last-event-id': String(after) }) },
      });
      return readStream(response);
    },
    async restart(changed) {
      await composition.close();
      await db.close();
      successor = await startTestServer({ handler, ...options, ...changed }, home);
      return successor;
    },
    async close() {
      // The next test gets the database: the server that uses it now must have ended.
      if (successor) return successor.close();
      await composition.close();
      await checkBotsOfRows(db).finally(() => db.close());
      await releaseTestDatabase(home);
      await rm(home, { recursive: true, force: true });
    },
  };
  return server;
}

/** A clock that begins with a full hour: in a test of what is counted in a clock hour, no hour ends. */
export function clockFromFullHour(): () => number {
  const hour = 3_600_000;
  // Later than the time, so that keys that were signed with the time are valid.
  const ahead = hour - (Date.now() % hour);
  return () => Date.now() + ahead;
}

/** Servers that are the processes of one: the same data, and a relay between them. */
export interface TestCluster {
  servers: TestServer[];
  hub: MemoryRelayHub;
  close(): Promise<void>;
}

/**
 * Starts several servers on one data folder. On SQLite they share its connection, on PostgreSQL each has its own. `options`:
 * of all, or of the server with this number.
 */
export async function startTestCluster(
  count: number,
  options: TestOptions | ((n: number) => TestOptions) = {},
): Promise<TestCluster> {
  const home = await mkdtemp(join(tmpdir(), 'webchat-test-'));
  const hub = createMemoryRelayHub();
  const servers: TestServer[] = [];
  // The first one creates what others find.
  for (let n = 0; n < count; n += 1) {
    const own = typeof options === 'function' ? options(n) : options;
    const db = isPostgresTest() ? undefined : servers[0]?.db;
    servers.push(await startTestServer({ relay: hub.connect(), ...(db ? { db } : {}), ...own }, home));
  }
  return {
    servers,
    hub,
    async close() {
      for (const { composition } of servers) await composition.close();
      for (const db of new Set(servers.map((server) => server.db))) await db.close();
      await releaseTestDatabase(home);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/**
 * Opens the database in a data folder; an empty one is created. Tests of features open databases only here. With
 * REPEATED_WRITES (scripts/vitest/setup.ts), a seed, works run as if other processes wrote to the database.
 */
export async function openTestDatabase(folder: string): Promise<Database> {
  const file = join(folder, 'platform.db');
  if (!isPostgresTest()) await copyEmptyDatabase(file);
  const opened = await openDatabase(isPostgresTest() ? await testDatabaseOf(folder) : file);
  const coveredFolder = process.env.TEST_COVERED_FOLDER;
  const db = coveredFolder && isPostgresTest() ? noteCovered(opened, coveredFolder) : opened;
  const seed = Number(process.env.REPEATED_WRITES);
  processState.webchatRepeatsWrites = Number.isInteger(seed);
  return processState.webchatRepeatsWrites ? repeatWrites(db, seed) : db;
}

/** Makes a SQLite database with the schema and nothing else, unless the file exists. A copy is faster than all migrations. */
export async function copyEmptyDatabase(file: string): Promise<void> {
  const runFolder = process.env.TEST_BUILD_FOLDER;
  if (!runFolder) return;
  processState.webchatEmptyDatabase ??= createEmptyDatabase(join(runFolder, String(process.pid)));
  // Several processes of a test open it at once: it appears as a whole. An existing one is that of a server that starts again.
  const copy = `${file}.${randomUUID()}`;
  await copyFile(await processState.webchatEmptyDatabase, copy);
  await link(copy, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(copy);
}

/** Creates a database with the schema and nothing else, and returns the path of its file. */
async function createEmptyDatabase(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'empty.db');
  await (await openDatabase(file)).close();
  return file;
}

/** The names of all tables except those of the full-text indexes, in order. `column`: only tables with this column. */
export async function tableNames(db: Database, column?: string): Promise<string[]> {
  const tables = await db.read((tx) =>
    tx.all<{ name: string }>(
      tx.dialect === 'postgres'
        ? `SELECT DISTINCT table_name AS name FROM information_schema.columns
           WHERE table_schema = 'public' AND table_name NOT IN ('passage_words', 'schema_version', 'text_words')
             AND column_name = COALESCE(?, column_name) ORDER BY table_name`
        : // The columns of all tables take longer to read than their rows in most tests.
          `SELECT t.name FROM sqlite_master t
       WHERE t.type = 'table' AND t.name NOT LIKE 'passage!_%' ESCAPE '!' AND t.name NOT LIKE 'text!_words%' ESCAPE '!'
         AND (?1 IS NULL OR EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = ?1))
       ORDER BY t.name`,
      column ?? null,
    ),
  );
  return tables.map(({ name }) => name);
}

/** Records the text of every SQL statement from now on. For a write that runs twice, those of the last run. */
export function recordStatements(db: Database): string[] {
  const statements: string[] = [];
  const { read, write } = db;
  const recording = (tx: Tx, noted: string[]): Tx => ({
    dialect: tx.dialect,
    get(sql, ...values) {
      noted.push(sql);
      return tx.get(sql, ...values);
    },
    all(sql, ...values) {
      noted.push(sql);
      return tx.all(sql, ...values);
    },
  });
  db.read = (work) => read((tx) => work(recording(tx, statements)));
  db.write = async (work) => {
    let noted: string[] = [];
    try {
      return await write((tx) => {
        noted = [];
        return work({
          ...tx,
          ...recording(tx, noted),
          run(sql, ...values) {
            noted.push(sql);
            return tx.run(sql, ...values);
          },
        });
      });
    } finally {
      statements.push(...noted);
    }
  };
  return statements;
}

/** A row of a whole table, by the names of its columns. */
export const byColumn = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [columnOf(field), value]));

/** The tables of the search, to which a worker adds rows of others at any time (inbox/text-index.ts). */
const indexTables = ['search_progress', 'searched_texts'];

/**
 * Every row of every table except the full-text indexes and what only matters while processes run, to compare before and after. `without`: tables that are left out,
 * such as `audit_log`, which records rejected writes.
 */
export async function allRows(db: Database, without: string[] = []): Promise<Record<string, unknown[]>> {
  const left = [...without, ...temporaryTables, ...indexTables];
  const names = (await tableNames(db)).filter((name) => !left.includes(name));
  return db.read(async (tx) => {
    const rows: Record<string, unknown[]> = {};
    for (const name of names) {
      const all = await tx.all<Record<string, unknown>>(`SELECT * FROM ${name}`);
      // Generated by PostgreSQL from another column.
      rows[name] = all.map(byColumn).map(({ updated_period: _, ...row }) => row);
    }
    return rows;
  });
}

/** Reads an event stream. */
export function readStream(response: Response): TestStream {
  const frames: SeenFrame[] = [];
  const waiting = new Set<() => void>();
  const reader = response.body?.getReader();
  let over = false;
  const ended = (async () => {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const chunk = await reader?.read().catch(() => undefined);
      if (!chunk || chunk.done) break;
      text += decoder.decode(chunk.value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const frame = readFrame(block);
        if (frame) frames.push(frame);
      }
      for (const wake of waiting) wake();
    }
    over = true;
    for (const wake of waiting) wake();
  })();
  const stream: TestStream = {
    response,
    frames,
    ended,
    until: (matches) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const frame = frames.find(matches);
          if (frame) resolve(frame);
          else if (over) reject(new Error(`The stream ended: ${JSON.stringify(frames)}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    async untilType(type) {
      const { signal } = await stream.until((frame) => frame.signal?.type === type);
      return signal as never;
    },
    async cancel() {
      await reader?.cancel();
      await ended;
    },
  };
  return stream;
}

function readFrame(block: string): SeenFrame | undefined {
  const lines = block.split('\n');
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = field('data');
  if (data === undefined) return undefined;
  const signal = data === 'ping' ? undefined : (JSON.parse(data) as Signal);
  return { id: field('id'), data, signal };
}
