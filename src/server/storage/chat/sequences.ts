// SQL of the sequence numbers of many conversations.
import type { Tx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { inList } from '../dialect.ts';

/** The last sequence numbers of conversations by server id. Deleted conversations are left out. */
export async function sequencesOf(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const { sql, values } = inList(tx, 'id', ids);
  const rows = await tx.all<{ id: string; seq: number }>(
    `SELECT id, seq FROM conversations WHERE ${sql} AND NOT ${isBeingDeleted('owner_id')}`,
    ...values,
  );
  return new Map(rows.map(({ id, seq }) => [id, seq]));
}
