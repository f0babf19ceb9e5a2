// Tests that the largest texts which the APIs accept fit into the indexes of PostgreSQL.
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { limits } from '../../../protocol/limits.ts';
import { foreignUserIdLength } from '../../../protocol/user.ts';
import { findBotsAndUsers } from '../admin/user-keys.ts';
import * as deliveryGroups from '../bots/delivery-groups.ts';
import { deleteConversationRows, deleteConversations } from '../chat/conversation-deletion.ts';
import { conversationsById } from '../chat/conversations.ts';
import { checkPosts, checkReplies } from '../chat/message-conditions.ts';
import { changeConversations, insertMessages, insertPostDeliveries } from '../chat/new-messages.ts';
import { deleteParticipations } from '../chat/participants.ts';
import {
  addSharedUse,
  countOpenStreams,
  deleteOpenStreamsOfGone,
  deleteSharedLimitsBefore,
  openStreamsOfOthers,
  saveOpenStreams,
} from '../cluster/shared-limits.ts';
import type { Database, Parameter, WriteTx } from '../database.ts';
import { finishDeletions } from '../deletions.ts';
import { insertRequests } from '../idempotency.ts';
import * as noteContents from '../inbox/notes.ts';
import * as reportFigures from '../inbox/reports.ts';
import { messagesBeforeHandoffs, notedMessages } from '../inbox/reports.ts';
import { findRowByKey, insertRow } from '../tables/rows.ts';
import { addUsages, releaseUsages } from '../usage.ts';
import { usePostgres } from './databases.testing.ts';

const postgres = usePostgres();
let db: Database;
beforeEach(async () => {
  // The plans depend on statistics.
  db = await postgres.openNew();
});

/** Chinese characters in no order, which PostgreSQL cannot compress: 3 bytes each. */
const long = (characters: number, seed = 1): string => {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x4e00 + (state % 20_000));
  };
  return Array.from({ length: characters }, next).join('');
};
const id = `conv_${'0'.repeat(26)}`;

test.each<[name: string, sql: string, values: (string | number)[]]>([
  [
    'tags',
    "INSERT INTO tags (resource_id, kind, name, value, bot_id) VALUES (?, 'attribute', ?, ?, ?)",
    [id, long(limits.tagName), long(limits.tagValue), id],
  ],
  [
    'tags of files',
    'INSERT INTO file_tags (file_id, bot_id, name, value) VALUES (?, ?, ?, ?)',
    [id, id, long(limits.fileTagName), long(limits.fileTagValue)],
  ],
  [
    'keys of files',
    `INSERT INTO files (id, bot_id, owner_type, space, key, size, content_id, declared_type, content_type, status,
       announced_at, created_at, updated_at) VALUES (?, ?, 'integration', ?, ?, 1, ?, ?, ?, 'upload_pending', 1, 1, 1)`,
    [id, id, long(limits.adminName), long(limits.platformFileKey), id, 'text/plain', 'text/plain'],
  ],
  [
    'names of states',
    'INSERT INTO states (owner_id, name, id, bot_id, payload, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, 1)',
    [id, long(limits.runtimeName), id, id, '{}'],
  ],
  [
    'idempotency keys',
    'INSERT INTO requests (caller, operation, key, fingerprint, created_at) VALUES (?, ?, ?, ?, 1)',
    [`${id} ${long(foreignUserIdLength)}`, 'createConversation', long(limits.idempotencyKey), 'x'],
  ],
  [
    'names of bots',
    'INSERT INTO bots (webhook_id, id, user_id, workspace_id, name) VALUES (?, ?, ?, ?, ?)',
    [long(70), id, id, id, long(limits.adminName)],
  ],
  [
    'addresses of members',
    "INSERT INTO members (id, workspace_id, email, role, created_at) VALUES (?, ?, ?, 'owner', 1)",
    [id, id, long(limits.email)],
  ],
])('the longest %s are stored', async (_, sql, values) => {
  expect(await db.write((tx) => tx.run(sql, ...values))).toBe(1);
});

test('key values of rows are unique and found, however long they are', async () => {
  const rowBytes = limits.tables.rowBytes * limits.tables.factor;
  const key = long(rowBytes / 3);
  const row = (rowId: number) => ({ id: rowId, data: '{}', computed: null, createdAt: 1, updatedAt: 1 });
  const insert = (rowId: number, value: string) => db.write((tx) => insertRow(tx, 'rows', row(rowId), value));
  await insert(1, key);
  await insert(2, `${key}!`);
  await expect(insert(3, key)).rejects.toThrow('table_rows_key');
  expect(await db.read((tx) => findRowByKey(tx, 'rows', `${key}!`))).toMatchObject({ id: 2 });
  expect(await db.read((tx) => findRowByKey(tx, 'rows', `${key}?`))).toBe(undefined);
});

/** Notes statements instead of sending them. */
function createNotes() {
  const noted: [sql: string, values: Parameter[]][] = [];
  const note = async (sql: string, ...values: Parameter[]) => {
    noted.push([sql, values]);
    return [];
  };
  const tx: WriteTx = {
    dialect: 'postgres',
    get: async (sql, ...values) => void (await note(sql, ...values)),
    all: note,
    run: async (sql, ...values) => (await note(sql, ...values)).length,
    async lock() {},
    afterCommit() {},
  };
  return { noted, note, tx };
}

/** Sends the statements of the groups in which messages, replies and ends of events are stored. */
async function storeGroups(tx: WriteTx): Promise<void> {
  const request = { caller: 'a', operation: 'b', key: 'c' };
  const check = { botId: 'b', ownKeys: 0, userId: 'u', keyHash: 'k', keysValidAfter: null, request };
  await checkPosts(tx, [{ ...check, conversationId: 'c' }], true);
  const row = {
    id: 'c',
    seq: 1,
    messageCount: 1,
    updatedAt: 1,
    conversationId: 'c',
    userId: 'u',
    botId: 'b',
  };
  await changeConversations(tx, [row as never]);
  await insertMessages(tx, [row as never]);
  await insertPostDeliveries(tx, [row as never]);
  const usage = { id: 'u', messages: 1, bytes: 1, files: 0, hourMessages: 1, hourBytes: 1 };
  await addUsages(tx, [usage], new Set(['u']), 1);
  await insertRequests(tx, [{ ...request, fingerprint: 'f', resource: null, response: '', createdAt: 1 }]);
  const event = { eventId: 'e', conversationId: 'c', owner: 'o' };
  await checkReplies(tx, [{ event, origin: 'e:0' }]);
  for (const next of [undefined, 'e2']) await deliveryGroups.endDeliveries(tx, [{ ...event, next }]);
  await deliveryGroups.findClaimed(tx, ['e'], 'o');
  const asked = { webhookId: 'w', id: 'u', hash: 'h' };
  await findBotsAndUsers(tx, [
    { ...asked, isIssued: true },
    { ...asked, isIssued: false },
  ]);
}

test('the statements of groups are planned once and read by indexes, also when the tables are new', async () => {
  const { noted, tx } = createNotes();
  await storeGroups(tx);
  const textOf = (value: Parameter) => (value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`);
  await db.write(async (real) => {
    for (const [n, [sql, values]] of noted.entries()) {
      await real.run(`PREPARE group_${n} AS ${sql}`);
      const execution = `EXECUTE group_${n} (${values.map(textOf).join(', ')})`;
      let plan: string[] = [];
      // PostgreSQL compares the cost of five plans for their parameters with one for any parameters.
      for (let times = 0; times < 6; times += 1) {
        const lines = await real.all<Record<'QUERY PLAN', string>>(`EXPLAIN ${execution}`);
        plan = lines.map((line) => line['QUERY PLAN']);
      }
      const { generic } =
        (await real.get<{ generic: number }>(
          'SELECT generic_plans AS generic FROM pg_prepared_statements WHERE name = ?',
          `group_${n}`,
        )) ?? {};
      const scans = plan.filter((line) =>
        /Seq Scan on (messages|deliveries|requests|participants|usage|users)/.test(line),
      );
      expect([sql, generic, scans]).toEqual([sql, 1, []]);
    }
  });
});

test('the queue of events keeps its pages when a vacuum finds it empty, so that it is read by indexes afterwards', async () => {
  await db.write(async (tx) => {
    await tx.run(
      `INSERT INTO deliveries (event_id, conversation_id, seq, user_id, kind, created_at)
       SELECT n::text, n::text, n, 'u', 'message', 1 FROM generate_series(1, 1000) n`,
    );
    await tx.run('DELETE FROM deliveries');
  });
  const client = new pg.Client({ connectionString: await postgres.url() });
  await client.connect();
  await client.query('VACUUM ANALYZE deliveries');
  const plan = await client.query(
    "EXPLAIN SELECT 1 FROM deliveries WHERE conversation_id = 'c' AND state = 'waiting'",
  );
  await client.end();
  expect(JSON.stringify(plan.rows)).toContain('deliveries_line');
});

test('every statement over arrays uses an index', async () => {
  const { noted, note, tx } = createNotes();
  await storeGroups(tx);
  const write = <T>(work: (tx: WriteTx) => Promise<T>) => work(tx);
  await addSharedUse({ ...db, write }, [{ id: 'a', used: 1, freed: 1, lifetime: 1 }]);
  await deleteSharedLimitsBefore({ ...db, write }, 1);
  const counts = [
    { id: 'a', streams: 1 },
    { id: 'b', streams: 0 },
  ];
  await saveOpenStreams(tx, 'p', counts);
  await openStreamsOfOthers(tx, 'p', ['a', 'b']);
  await countOpenStreams(tx, 'p');
  await deleteOpenStreamsOfGone(tx);
  await deleteConversations(
    {
      ...tx,
      all: async (sql, ...values) => {
        await note(sql, ...values);
        return [{ id: 'c', botId: 'b', messages: 1, bytes: 1, files: 0 }] as never;
      },
    },
    ['c'],
  );
  await deleteConversationRows(
    {
      ...tx,
      all: async (sql, ...values) => {
        await note(sql, ...values);
        return [{ id: 'm', userId: 'u', isBot: 0, bytes: 1 }] as never;
      },
    },
    ['c'],
    100,
  );
  await deleteParticipations(tx, 'u', ['c']);
  await conversationsById(tx, ['c']);
  await finishDeletions(tx, 'conversation', ['c']);
  await releaseUsages(tx, [{ id: 'u', messages: 1, bytes: 1, files: 0 }]);
  const report = { from: 0, to: 1, botIds: ['b'], teamId: undefined, memberId: 'm', hiddenTeamIds: ['t'] };
  await reportFigures.volumeIn(tx, report);
  await reportFigures.requestedIn(tx, report);
  await reportFigures.endedIn(tx, report);
  await reportFigures.ratedIn(tx, report);
  await reportFigures.repliesIn(tx, report);
  await reportFigures.assignmentsIn(tx, report);
  await messagesBeforeHandoffs(tx, report);
  await notedMessages(tx, report);
  await noteContents.mentionsIn(tx, ['c']);
  await noteContents.noteContentsOf(tx, 'c', ['n']);
  await noteContents.attachFiles(tx, { id: 'n', conversationId: 'c' }, ['f'], 1);
  expect(noted.length).toBe(80);
  await db.write(async (real) => {
    // A small table is otherwise read as a whole.
    await real.run('SET LOCAL enable_seqscan = off');
    for (const [sql, values] of noted) {
      const plan = await real.all<Record<'QUERY PLAN', string>>(`EXPLAIN ${sql}`, ...values);
      const scans = plan.map((line) => line['QUERY PLAN']).filter((line) => line.includes('Seq Scan'));
      expect([sql, scans]).toEqual([sql, []]);
    }
  });
});
