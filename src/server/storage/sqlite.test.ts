// Tests of SQLite as storage: the conformance suite, failing commits and full disks, migrations, and queries that use
// an index.
import { mkdtemp, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyEmptyDatabase } from '../testing.ts';
import * as tokens from './admin/tokens.ts';
import * as userKeys from './admin/user-keys.ts';
import * as workspaces from './admin/workspaces.ts';
import * as botLogs from './bots/bot-logs.ts';
import * as bots from './bots/bots.ts';
import * as configurations from './bots/configurations.ts';
import * as deliveries from './bots/deliveries.ts';
import { deleteConversationRows, deleteConversations } from './chat/conversation-deletion.ts';
import * as conversations from './chat/conversations.ts';
import * as events from './chat/events.ts';
import * as invitations from './chat/invitations.ts';
import * as messageConditions from './chat/message-conditions.ts';
import * as messages from './chat/messages.ts';
import * as newMessages from './chat/new-messages.ts';
import * as participants from './chat/participants.ts';
import * as signals from './chat/signals.ts';
import * as users from './chat/users.ts';
import { testDatabase } from './database.contract.ts';
import { type Database, StorageFull, type WriteTx } from './database.ts';
import * as deletions from './deletions.ts';
import { enqueueDeletion } from './deletions.ts';
import * as fileDeletions from './files/deletions.ts';
import * as files from './files/files.ts';
import * as indexing from './files/indexing.ts';
import * as knowledgeBases from './files/knowledge-bases.ts';
import * as passages from './files/passages.ts';
import * as requests from './idempotency.ts';
import { migrations } from './migrations.ts';
import { lockFolder } from './open.ts';
import { repeatWrites } from './repeated-writes.testing.ts';
import * as runtime from './runtime/lists.ts';
import * as searches from './runtime/lists.ts';
import * as states from './runtime/states.ts';
import * as tags from './runtime/tags.ts';
import { openSqlite, sqlite } from './sqlite.ts';
import * as usage from './usage.ts';

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-db-'));
  const file = join(folder, 'platform.db');
  await copyEmptyDatabase(file);
  db = await openSqlite(file);
});
afterEach(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const put = (id: string) => (tx: WriteTx) => enqueueDeletion(tx, 'user', id);
const ids = async () =>
  (await db.read((tx) => tx.all<{ id: string }>('SELECT id FROM deletions ORDER BY id'))).map(({ id }) => id);

const contractDatabase = async (open: (file: string) => Promise<Database>) => {
  const file = join(await mkdtemp(join(tmpdir(), 'webchat-contract-')), 'platform.db');
  await copyEmptyDatabase(file);
  let opened = await open(file);
  return {
    db: opened,
    async reopen() {
      opened = await open(file);
      return opened;
    },
    async dispose() {
      await opened.close();
      await rm(dirname(file), { recursive: true });
    },
  };
};

test('SQLite: the module that Node contains is used where there is one, otherwise the package', async () => {
  const module = isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite';
  expect(await sqlite()).toBe((await import(module)).DatabaseSync);
});

testDatabase('SQLite', () => contractDatabase(openSqlite));
testDatabase('SQLite with works that run twice', () =>
  contractDatabase(async (file) => repeatWrites(await openSqlite(file), 1)),
);

describe('SQLite writes', () => {
  test('a failing commit rejects all of its writes and runs none of their effects', async () => {
    await db.write(async (tx) => {
      await tx.run('CREATE TABLE child (parent TEXT REFERENCES usage (id) DEFERRABLE INITIALLY DEFERRED)');
    });
    const effects: string[] = [];
    const good = db.write(async (tx) => {
      tx.afterCommit(() => effects.push('good'));
      await put('good')(tx);
    });
    const bad = db.write((tx) => tx.run('INSERT INTO child VALUES (?)', 'nobody'));
    const results = await Promise.allSettled([good, bad]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([await ids(), effects]).toEqual([[], []]);
    await db.write(put('later'));
    expect(await ids()).toEqual(['later']);
  });

  test('a full disk rejects writes that do not fit, and later writes work', async () => {
    const pages = await db.read((tx) => tx.get<{ pageCount: number }>('PRAGMA page_count'));
    await db.write((tx) => tx.all(`PRAGMA max_page_count = ${(pages?.pageCount ?? 0) + 4}`));
    const huge = db.write(put('x'.repeat(1_000_000)));
    const small = db.write(put('small'));
    const results = await Promise.allSettled([huge, small]);
    expect(results[0]).toMatchObject({ status: 'rejected', reason: expect.any(StorageFull) });
    if (results[1].status === 'rejected') expect(results[1].reason).toBeInstanceOf(StorageFull);
    await db.write((tx) => tx.all('PRAGMA max_page_count = 1000000'));
    await db.write(put('after'));
    expect(await ids()).toEqual(results[1].status === 'fulfilled' ? ['after', 'small'] : ['after']);
  });
});

test('every commit is synced to disk', async () => {
  const settings = await db.write(async (tx) => [
    await tx.get('PRAGMA synchronous'),
    await tx.get('PRAGMA journal_mode'),
  ]);
  expect(settings).toEqual([{ synchronous: 2 }, { journalMode: 'wal' }]);
});

test('a database of a newer version is rejected', async () => {
  const file = join(folder, 'newer.db');
  const DatabaseSync = await sqlite();
  const newer = new DatabaseSync(file);
  newer.exec(`PRAGMA user_version = ${migrations.length + 1}`);
  newer.close();
  await expect(openSqlite(file)).rejects.toThrow('newer version');
});

test('the deletion queue contains the entries of the tables of an earlier version', async () => {
  const file = join(folder, 'older.db');
  const DatabaseSync = await sqlite();
  const older = new DatabaseSync(file);
  older.exec(`${migrations.slice(0, 17).join(';')}; PRAGMA user_version = 17`);
  older.exec(`
    INSERT INTO graves VALUES ('conv');
    INSERT INTO table_graves VALUES ('rows');
    INSERT INTO user_deletions VALUES ('named', 'bot', 'foreign', 5), ('anonymous', 'bot', NULL, 5);
    INSERT INTO bot_graves VALUES ('dead');
    INSERT INTO bots (webhook_id, id, user_id, deleted_at) VALUES ('w', 'bot', 'u', NULL), ('v', 'tables', 'u', 7), ('d', 'dead', 'u', 7);
    INSERT INTO tables (id, bot_id, store_id, name, factor, frozen, schema, layout, tags, compute_enabled, created_at, updated_at)
      VALUES ('t', 'tables', 's', 'n', 1, 0, '{}', '{}', '{}', 0, 1, 1), ('t2', 'dead', 's2', 'n', 1, 0, '{}', '{}', '{}', 0, 1, 1);
    INSERT INTO file_graves VALUES ('content', 'bytes'), ('passages', 'old'), ('index', 'begun');
    INSERT INTO usage (id, bytes, files) VALUES ('visitor', 30, 3), ('bot', 130, 13);
  `);
  const insert = older.prepare(
    `INSERT INTO files (id, bot_id, owner_type, owner_id, key, size, content_id, declared_type, content_type, status,
       edition, building, announced_at, created_at, updated_at)
     VALUES (?, 'bot', ?, ?, ?, 10, ?, 't', 't', ?, ?, ?, 1, 1, 1)`,
  );
  insert.run('f1', 'visitor', 'visitor', 'a', 'bytes', 'deleted', null, null);
  insert.run('f2', 'visitor', 'visitor', 'b', 'b2', 'deleted', null, null);
  insert.run('f3', 'visitor', 'visitor', 'c', 'b3', 'upload_completed', null, null);
  insert.run('f4', 'bot', 'bot', 'd', 'b4', 'deleted', 'searched', 'made');
  insert.run('f5', 'bot', 'bot', 'e', '', 'deleted', null, null);
  older.exec("INSERT INTO file_tags VALUES ('f4', 'bot', 'n', 'v'), ('f3', 'bot', 'n', 'v')");
  older.close();
  const newer = await openSqlite(file);
  const rows = await newer.read((tx) => tx.all('SELECT kind, id, data FROM deletions ORDER BY kind, id'));
  expect(rows).toEqual([
    { kind: 'bot', id: 'dead', data: null },
    { kind: 'bot', id: 'tables', data: null },
    { kind: 'conversation', id: 'conv', data: null },
    { kind: 'file_content', id: 'b2', data: null },
    { kind: 'file_content', id: 'b4', data: null },
    { kind: 'file_content', id: 'bytes', data: null },
    { kind: 'index_version', id: 'made', data: null },
    { kind: 'index_version', id: 'old', data: null },
    { kind: 'index_version', id: 'searched', data: null },
    { kind: 'search_index', id: 'passages', data: '"started"' },
    { kind: 'table_rows', id: 'rows', data: null },
    { kind: 'user', id: 'anonymous', data: '{"botId":"bot","foreignId":null}' },
    { kind: 'user', id: 'named', data: '{"botId":"bot","foreignId":"foreign"}' },
  ]);
  expect(await newer.read((tx) => tx.all('SELECT id FROM files'))).toEqual([{ id: 'f3' }]);
  expect(await newer.read((tx) => tx.all('SELECT file_id FROM file_tags'))).toEqual([{ fileId: 'f3' }]);
  expect(await newer.read((tx) => tx.all('SELECT id, bytes, files FROM usage ORDER BY id'))).toEqual([
    { id: 'bot', bytes: 110, files: 11 },
    { id: 'visitor', bytes: 10, files: 1 },
  ]);
  await newer.close();
});

test('an upgrade that fails leaves the database as it was', async () => {
  const file = join(folder, 'half.db');
  const DatabaseSync = await sqlite();
  const older = new DatabaseSync(file);
  // A later migration creates a table with this name.
  older.exec(`${migrations[0]}; PRAGMA user_version = 1; CREATE TABLE stale_rows (a)`);
  const schema = 'SELECT name, sql FROM sqlite_master ORDER BY name';
  const before = older.prepare(schema).all();
  older.close();
  await expect(openSqlite(file)).rejects.toThrow('stale_rows already exists');
  const after = new DatabaseSync(file);
  expect(after.prepare(schema).all()).toEqual(before);
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  after.close();
});

test('a folder can be locked once, and again after it is released', async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow('in use by another process');
  unlock();
  (await lockFolder(folder))();
});

test('every query of a conversation uses an index, without scan or sort', async () => {
  const statements = await recordStatements();
  expect(statements.length).toBeGreaterThan(30);
  for (const sql of statements) {
    const whole = await db.read((tx) =>
      tx.all<{ detail: string; parent: number }>(`EXPLAIN QUERY PLAN ${sql}`),
    );
    // The few rows that `firstWithin` has chosen by an index are summed up, and sorted at the end.
    const isOfChosen = ({ detail, parent }: (typeof whole)[number]) =>
      /^SCAN (?:w|s|\(subquery-\d+\))$/.test(detail) || (parent === 0 && /TEMP B-TREE/.test(detail));
    const plan = sql.includes(' AS earlier') ? whole.filter((step) => !isOfChosen(step)) : whole;
    const bad = plan.filter(({ detail }) =>
      // The others are names of json_each: the tags of one row, those of a filter, and rows of a parameter; `given` are rows of
      // parameters, `counted` those that an index and a limit have chosen.
      /^SCAN (?!CONSTANT|given$|counted$|\d-ROW VALUES|json_each|(?:wanted|tag|d|t|r) VIRTUAL)|TEMP B-TREE/.test(
        detail,
      ),
    );
    // At the start, one query finds the conversations with pending events and one the workspace; both scan a small
    // index. Another one reads all bots.
    const allowed =
      /^(SELECT (DISTINCT conversation_id|id, name, .* FROM workspaces ORDER)|UPDATE bots .* WHERE code IS) /.test(
        sql,
      );
    expect(allowed ? [] : bad, sql).toEqual([]);
  }
});

/** Returns the text of every statement of the storage files, which are called with a recording transaction. */
async function recordStatements(): Promise<string[]> {
  const statements = new Set<string>();
  const note = async (sql: string) => {
    // Functions that insert or change a row also get an argument that is none.
    if (!/\(\) VALUES \(\)| WHERE $/.test(sql)) statements.add(sql);
    // Every query returns a row, so that functions that read first continue.
    return { id: 'x', seq: 1, at: 1, data: '{"userId":"x"}' };
  };
  const tx = {
    dialect: 'sqlite',
    get: note,
    all: async (sql: string) => [await note(sql)],
    run: async (sql: string) => (await note(sql)).seq,
    afterCommit: () => {},
    lock: async () => {},
    // The rows that it returns have not the columns of any statement.
  } as unknown as WriteTx;
  const missing = { ...tx, get: async (sql: string) => void (await note(sql)) };
  const nouns = [
    users,
    bots,
    configurations,
    conversations,
    participants,
    invitations,
    messages,
    messageConditions,
    newMessages,
    userKeys,
    events,
    signals,
    deliveries,
    requests,
    states,
    botLogs,
    files,
    deletions,
    fileDeletions,
    passages,
    indexing,
    knowledgeBases,
    workspaces,
    tokens,
    usage,
  ];
  // With lists instead of ids.
  const ofLists = new Set<unknown>([
    usage.usageOfBotIds,
    deletions.enqueueDeletions,
    userKeys.findBotsAndUsers,
    deletions.finishDeletions,
    requests.redactResponsesOf,
    states.deleteStatesOf,
    conversations.conversationsById,
    participants.deleteParticipations,
    usage.releaseUsages,
    usage.releaseConversations,
    usage.deleteUsages,
    usage.addUsages,
    messageConditions.checkPosts,
    messageConditions.checkReplies,
    newMessages.changeConversations,
    newMessages.insertMessages,
    newMessages.insertNewMessages,
    newMessages.insertPostDeliveries,
    requests.insertRequests,
    users.anonymousUsers,
    users.deleteUsers,
    userKeys.deleteRevokedKeysOf,
    invitations.closeInvitationsOfAll,
    deletions.enqueueDeletionsWithData,
    fileDeletions.deleteFiles,
    conversations.findPreChatForm,
    conversations.preChatFormsOf,
    participants.streamStates,
    usage.addToParts,
    usage.botsOf,
    usage.withSums,
    // Not of a conversation: backups, which read all rows, and the search in files.
    files.storedContents,
    passages.addToPassageIndex,
    passages.compactPassageIndex,
    passages.foundPassages,
    passages.hasSearchableFile,
    passages.lastInPassageIndex,
    passages.passagesWithTokens,
    passages.removeFromPassageIndex,
  ]);
  await users.anonymousUsers(tx, ['x']);
  await users.deleteUsers(tx, ['x']);
  await userKeys.deleteRevokedKeysOf(tx, ['x']);
  await invitations.closeInvitationsOfAll(tx, [{ id: 'x', botId: 'x', foreignId: null } as users.UserRow]);
  await deletions.enqueueDeletionsWithData(tx, 'user', [{ id: 'x', data: {} }]);
  await fileDeletions.deleteFiles(tx, ['x']);
  await deleteConversations(tx, ['x']);
  await deleteConversationRows(tx, ['x'], 1_000);
  await deletions.finishDeletions(tx, 'conversation', ['x']);
  await conversations.conversationsById(tx, ['x']);
  await participants.deleteParticipations(tx, 'x', ['x']);
  await usage.usageOfBotIds(tx, ['x']);
  await usage.addUsages(tx, [{ id: 'x' } as never], new Set(), 1);
  const message = { conversationId: 'x', event: { eventId: 'x' } } as never;
  await messageConditions.checkPosts(tx, [message], false);
  await messageConditions.checkReplies(tx, [message]);
  await newMessages.changeConversations(tx, [message]);
  await newMessages.insertMessages(tx, [message]);
  await newMessages.insertPostDeliveries(tx, [message]);
  await requests.insertRequests(tx, [message]);
  // At sequence number 100 the signal log trims itself.
  const row = { id: 'x', seq: 100 };
  for (const functions of nouns) {
    for (const run of Object.values(functions)) {
      if (typeof run !== 'function' || ofLists.has(run)) continue;
      for (const transaction of [tx, missing]) await run(transaction, 'x', row, 1, 1);
      await run(tx, row, 'x', 1, 1);
    }
  }
  // Filters as the Runtime API passes them; a list that is sorted by its changes and filtered by tags is sorted in memory.
  const times = { after: 1, before: 2 };
  const order = { isAscending: false, from: [1, 'x'] as const };
  const created = { sortField: 'createdAt', ...order } as const;
  // Members read only what the inbox shows them.
  const viewer = { workspaceId: 'x', memberId: 'x', seesAllTeams: false };
  for (const tagged of [{}, { a: 'b', c: 'd' }]) {
    const sorts = 'a' in tagged ? [created] : [created, { sortField: 'updatedAt', ...order } as const];
    for (const sort of sorts) {
      const people = { viewer, rangeField: 'createdAt', tags: tagged, ...times, ...sort } as const;
      await runtime.listUsersOf(tx, 'x', people, 1);
      await runtime.listConversationsOf(
        tx,
        'x',
        { viewer, tags: tagged, participantIds: [], ...times, ...sort },
        1,
      );
    }
    await runtime.listConversationsOf(
      tx,
      'x',
      { viewer, tags: tagged, participantIds: ['x', 'y'], ...created },
      1,
    );
    await runtime.listMessagesOf(
      tx,
      'x',
      { viewer, conversationId: 'x', tags: {}, ...times, from: [1, 'x'] },
      1,
      1,
    );
  }
  await runtime.listMessagesOf(tx, 'x', { viewer, tags: { a: 'b' }, ...times, from: [1, 'x'] }, 1, 1);
  for (const exactly of [true, false]) {
    const search = { tags: { a: 'b', c: 'd' }, exactly, viewer };
    await searches.conversationTagged(tx, 'x', 'x', search);
    await searches.userTagged(tx, 'x', search);
    await searches.messageTagged(tx, 'x', 'x', { a: 'b', c: 'd' }, exactly);
  }
  await tags.tagsOf(tx, ['x']);
  await tags.changeTags(tx, { id: 'x', botId: 'x' }, 'tag', { a: 'b', c: null });
  await tags.moveTags(tx, 'x', 'y');
  await events.listEvents(
    tx,
    { conversationId: 'x', type: 'x', userId: 'x', messageId: 'x', status: 'failed' },
    1,
    1,
  );
  return [...statements];
}
