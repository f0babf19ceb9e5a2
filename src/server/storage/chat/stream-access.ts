// SQL that finds out whether the users of open streams still have access, for many streams in one statement.
import type { Tx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { forDialect } from '../dialect.ts';

/** A stream: the server ids, and the digest of its user key. */
export interface StreamRef {
  botId: string;
  conversationId: string;
  userId: string;
  keyHash: string;
}

/** What the access of a stream depends on. */
export interface StreamState {
  /** The owner of the conversation. */
  ownerId: string;
  /** The number of the secret of the bot (BotRow.ownKeys). */
  ownKeys: number;
  /** Only keys that were signed after this time are valid, in milliseconds since 1970; null: all are. */
  keysValidAfter: number | null;
  isRevoked: boolean;
}

/**
 * Returns the state of each stream, in the order of `streams`; undefined if its bot, conversation, user or participation does
 * not exist any more.
 */
export async function streamStates(
  tx: Tx,
  streams: readonly StreamRef[],
): Promise<(StreamState | undefined)[]> {
  const list = JSON.stringify(
    streams.map(({ botId, conversationId, userId, keyHash }) => [botId, conversationId, userId, keyHash]),
  );
  const rows = await tx.all<Omit<StreamState, 'isRevoked'> & { n: number; isRevoked: number }>(
    `SELECT s.n, c.owner_id, b.own_keys, u.keys_valid_after,
       CASE WHEN EXISTS
         (SELECT 1 FROM revoked_user_keys r WHERE r.bot_id = s.bot_id AND r.key_hash = s.key_hash)
       THEN 1 ELSE 0 END AS is_revoked
     FROM (${forDialect(tx, { sqlite: listOfSqlite, postgres: listOfPostgres })}) s
     CROSS JOIN bots b ON b.id = s.bot_id AND b.deleted_at IS NULL
     CROSS JOIN conversations c ON c.id = s.conversation_id
     CROSS JOIN participants p ON p.conversation_id = s.conversation_id AND p.user_id = s.user_id
     CROSS JOIN users u ON u.id = s.user_id
     WHERE NOT ${isBeingDeleted('c.owner_id')}`,
    list,
  );
  const byNumber = new Map(
    rows.map(({ n, isRevoked, ...row }) => [n, { ...row, isRevoked: isRevoked === 1 }]),
  );
  return streams.map((_, n) => byNumber.get(n));
}

const listOfSqlite = `SELECT key AS n, value ->> 0 AS bot_id, value ->> 1 AS conversation_id, value ->> 2 AS user_id,
  value ->> 3 AS key_hash FROM json_each(?)`;
const listOfPostgres = `SELECT n - 1 AS n, value ->> 0 AS bot_id, value ->> 1 AS conversation_id,
  value ->> 2 AS user_id, value ->> 3 AS key_hash FROM json_array_elements(?::json) WITH ORDINALITY AS l(value, n)`;
