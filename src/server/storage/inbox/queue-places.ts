// SQL of the places in the queue that visitors were told.
import { limits } from '../../../protocol/limits.ts';
import type { Tx, WriteTx } from '../database.ts';

/** Stores which place a visitor was told. `position`: the conversations before it; undefined if it does not wait. */
export async function setTold(
  tx: WriteTx,
  conversationId: string,
  position: number | undefined,
  at: number,
): Promise<void> {
  await tx.run(
    'UPDATE handlings SET told_position = ?, told_at = ? WHERE conversation_id = ?',
    position ?? null,
    at,
    conversationId,
  );
}

/** Conversations that have another place than their visitors were told, before a time. */
export async function changedPlaces(tx: Tx, toldBefore: number, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT q.id FROM (
       SELECT conversation_id AS id, told_position, told_at,
         RANK() OVER (PARTITION BY workspace_id, team_id ORDER BY queued_at) - 1 AS place
       FROM handlings WHERE queued_at IS NOT NULL
     ) AS q WHERE q.told_at <= ? AND q.told_position <> CASE WHEN q.place > ? THEN ? ELSE q.place END
     ORDER BY q.place LIMIT ?`,
    ...[toldBefore, limits.inbox.count, limits.inbox.count, limit],
  );
  return rows.map(({ id }) => id);
}
