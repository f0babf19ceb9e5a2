// SQL of the log of each bot: a bounded number of failures.
import type { Tx, Value, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { seesConversation, type Viewer } from '../inbox/visibility.ts';
import { defineTable, insert, integer, orNull, type RowOf, text, textOf } from '../table.ts';

const botLogs = defineTable('bot_logs', {
  id: text,
  botId: text,
  kind: textOf<
    | 'bot_failed'
    | 'agent_failed'
    | 'agent_state_dropped'
    | 'webhook_failed'
    | 'webhook_delivered'
    | 'webhook_answer_refused'
    | 'webhook_given_up'
  >(),
  eventId: text,
  conversationId: text,
  /** Counts from 1. */
  attempt: integer,
  /** The HTTP status of the response, if there was one. */
  status: orNull(integer),
  /** A code for the failure, if there is no status. */
  reason: orNull(text),
  /** The part of an error that may be shown (log.ts), as JSON. */
  error: orNull(text),
  createdAt: integer,
});
export type BotLogRow = RowOf<typeof botLogs>;

const columns = botLogs.columns();

export async function insertBotLog(tx: WriteTx, row: BotLogRow): Promise<void> {
  await insert(tx, botLogs, row);
}

/** All fields must match. */
export interface BotLogFilter {
  /** Milliseconds since 1970, both inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  kinds?: readonly string[] | undefined;
  conversationId?: string | undefined;
  /** The id of the server of a user who participates in the conversation of the entry. */
  userId?: string | undefined;
  /** Only entries about conversations that this caller sees. */
  viewer?: Viewer;
}

/** Entries of a bot before the id `before`, newest first. */
export async function listBotLogs(
  tx: Tx,
  botId: string,
  before: string | undefined,
  limit: number,
  { from, to, kinds, conversationId, userId, viewer }: BotLogFilter = {},
): Promise<BotLogRow[]> {
  // '~' sorts after every character of an id.
  const values: Value[] = [botId, before ?? '~'];
  const conditions = ['bot_id = ?', 'id < ?'];
  const add = (sql: string, ...parameters: (Value | undefined)[]) => {
    if (parameters.some((value) => value === undefined)) return;
    conditions.push(sql);
    values.push(...(parameters as Value[]));
  };
  add('created_at >= ?', from);
  add('created_at <= ?', to);
  if (kinds) {
    const isOfKind = inList(tx, 'kind', kinds);
    add(isOfKind.sql, ...isOfKind.values);
  }
  add('conversation_id = ?', conversationId);
  add('conversation_id IN (SELECT conversation_id FROM participants WHERE user_id = ?)', userId);
  if (viewer) {
    const visible = seesConversation(viewer, 'bot_logs.conversation_id');
    add(visible.sql, ...visible.values);
  }
  return tx.all(
    `SELECT ${columns} FROM bot_logs WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`,
    ...values,
    limit,
  );
}

/** Keeps the newest `maxEntries` entries of a bot. */
export async function trimBotLogs(tx: WriteTx, botId: string, maxEntries: number): Promise<void> {
  await tx.run(
    `DELETE FROM bot_logs WHERE bot_id = ? AND id <=
       (SELECT id FROM bot_logs WHERE bot_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    botId,
    botId,
    maxEntries,
  );
}
