// Tests that a message changes no index of its conversation in PostgreSQL, and that conversations are listed in the order of
// their last change nevertheless.
import { beforeEach, expect, test } from 'vitest';
import { recordStatements } from '../../testing.ts';
import { incrementSequence, insertConversation } from '../chat/conversations.ts';
import { changeConversations } from '../chat/new-messages.ts';
import type { Database } from '../database.ts';
import { type After, listConversationsOf } from '../runtime/lists.ts';
import { usePostgres } from './databases.testing.ts';

const postgres = usePostgres();
let db: Database;
beforeEach(async () => {
  db = await postgres.open();
});

const minute = 60_000;
const conversation = (id: string, at: number) => ({
  id,
  botId: 'bot',
  foreignId: null,
  ownerId: 'user',
  channel: 'channel',
  createdAt: at,
  updatedAt: at,
  seq: 0,
  messageCount: 0,
  hasHandling: 0,
  outgoing: 0,
  outgoingEvents: 0,
});
test('messages of one period change no index of their conversations', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => conversation(`c${n}`, 0));
  await db.write(async (tx) => {
    for (const row of rows) await insertConversation(tx, row);
  });
  const changes = await db.write(async (tx) => {
    const later = rows.map((row, n) => ({ ...row, seq: 1, messageCount: 1, updatedAt: (n % 9) * minute }));
    await changeConversations(tx, later);
    for (const { id } of rows) await incrementSequence(tx, id, 9 * minute, 1);
    return tx.get(
      `SELECT n_tup_upd AS "all", n_tup_hot_upd AS heap_only FROM pg_stat_xact_user_tables
       WHERE relname = 'conversations'`,
    );
  });
  expect(changes).toEqual({ all: 40, heapOnly: 40 });
});

test('conversations are listed in the order of their last change, page by page, by an index', async () => {
  // Several of a period, of the same time, and at the limits of a period.
  const times = Array.from({ length: 60 }, (_, n) => Math.floor(n / 3) * 4 * minute + (n % 2));
  const shuffled = times.map((at, n) => conversation(`c${(n * 37) % 60}`, at));
  await db.write(async (tx) => {
    for (const row of shuffled) await insertConversation(tx, row);
  });
  const order = shuffled
    .toSorted((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  const statements = recordStatements(db);
  for (const isAscending of [true, false]) {
    const listed: string[] = [];
    for (let from: After | undefined; ; ) {
      const filter = {
        viewer: { workspaceId: '', memberId: '', seesAllTeams: true },
        tags: {},
        participantIds: [],
        sortField: 'updatedAt',
        isAscending,
        from,
      } as const;
      const page = await db.read((tx) => listConversationsOf(tx, 'bot', filter, 7));
      listed.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (!last) break;
      from = [last.updatedAt, last.id];
    }
    expect(listed).toEqual(isAscending ? order : order.toReversed());
  }
  await db.write(async (tx) => {
    // A few conversations are otherwise read as a whole, and sorted.
    for (const name of ['seqscan', 'bitmapscan', 'sort']) await tx.run(`SET LOCAL enable_${name} = off`);
    for (const sql of new Set(statements.filter((text) => text.includes('updated_period')))) {
      const values = sql.includes('(?, ?, ?)') ? ['bot', 1, 1, 'c', 7] : ['bot', 7];
      const plan = await tx.all<Record<'QUERY PLAN', string>>(`EXPLAIN ${sql}`, ...values);
      const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(lines).toMatch(/Index Scan (?:Backward )?using conversations_updated/);
      expect(lines).toContain('Presorted Key: c.updated_period');
    }
  });
});
