// SQL of retention: reads tables in the order of ids, which is the order of creation, and marks rows that are unused
// for too long.
import type { Tx } from './database.ts';
import { inList } from './dialect.ts';
import { chatFileOwnersSql } from './files/owners.ts';

/** A row, and whether it is older than the retention period. */
export interface Aged {
  id: string;
  createdAt: number;
  /** 1 when it was not used after the given time. */
  isOld: 0 | 1;
}

/** The conditions for an old row; the parameter is the time. */
const conditions = {
  conversations: 'updated_at <= ?',
  // A user who participates in an existing conversation is kept. Rows of deleted conversations do not count.
  users: `updated_at <= ? AND foreign_id IS NULL AND is_bot = 0
    AND NOT EXISTS (SELECT 1 FROM participants p CROSS JOIN conversations c ON c.id = p.conversation_id
      WHERE p.user_id = users.id)`,
  files: `created_at <= ? AND owner_type IN (${chatFileOwnersSql})`,
};

export type RetentionTable = keyof typeof conditions;

/** Returns the rows after an id. */
export async function agedAfter(
  tx: Tx,
  table: RetentionTable,
  after: string,
  before: number,
  limit: number,
): Promise<Aged[]> {
  return tx.all(
    `SELECT id, created_at AS "createdAt", CASE WHEN ${conditions[table]} THEN 1 ELSE 0 END AS "isOld" FROM ${table}
     WHERE id > ? ORDER BY id LIMIT ?`,
    before,
    after,
    limit,
  );
}

/** Returns those of the ids whose rows still exist and are still old. */
export async function stillOld(
  tx: Tx,
  table: RetentionTable,
  ids: readonly string[],
  before: number,
): Promise<string[]> {
  const condition = inList(tx, 'id', ids);
  const rows = await tx.all<{ id: string }>(
    `SELECT id FROM ${table} WHERE ${condition.sql} AND ${conditions[table]} ORDER BY id`,
    ...condition.values,
    before,
  );
  return rows.map(({ id }) => id);
}
