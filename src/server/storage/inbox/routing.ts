// SQL of conversations that wait for a person: their places in the queue, and their assignment to members.
import { limits } from '../../../protocol/limits.ts';
import type { Tx, WriteTx } from '../database.ts';
import { listTeams, type TeamRow } from './teams.ts';

/** The teams of a workspace whose conversations are assigned automatically. */
export const automaticTeams = async (tx: Tx, workspaceId: string): Promise<TeamRow[]> =>
  (await listTeams(tx, workspaceId)).filter(({ mode }) => mode !== 'manual');

/** The conversation that waits longest in the queue of a team. */
export async function firstWaiting(tx: Tx, teamId: string): Promise<string | undefined> {
  const row = await tx.get<{ id: string }>(
    `SELECT conversation_id AS id FROM handlings WHERE team_id = ? AND state = 'waiting'
     ORDER BY queued_at, conversation_id LIMIT 1`,
    teamId,
  );
  return row?.id;
}

/** The workspaces in which conversations wait for members whom the server assigns. */
export async function workspacesToRoute(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT DISTINCT t.workspace_id AS id FROM teams t
     WHERE t.mode <> 'manual' AND EXISTS (SELECT 1 FROM handlings h WHERE h.team_id = t.id AND h.state = 'waiting')`,
  );
  return rows.map(({ id }) => id);
}

/** A conversation that its member does not answer. */
export interface Unanswered {
  conversationId: string;
  workspaceId: string;
  memberId: string;
  /** False: the member has gone away. */
  isLate: boolean;
}

/** The conversations of a member who has gone away that wait for an answer, in teams that assign automatically. */
export async function unansweredOf(tx: Tx, workspaceId: string, memberId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT h.conversation_id AS id FROM handlings h JOIN teams t ON t.id = h.team_id AND t.mode <> 'manual'
     WHERE h.workspace_id = ? AND h.assignee_id = ? AND h.state = 'assigned' AND h.waiting_since IS NOT NULL`,
    workspaceId,
    memberId,
  );
  return rows.map(({ id }) => id);
}

/**
 * Conversations that wait for an answer of a member who has gone away, unless the member has taken them since the visitor began
 * to wait (the earlier ones were given back), and conversations that were assigned automatically before `lateBefore` and have
 * had no answer.
 */
export async function unanswered(
  tx: Tx,
  lateBefore: number,
  limit: number,
  conversationId?: string,
): Promise<Unanswered[]> {
  const rows = await tx.all<Omit<Unanswered, 'isLate'> & { isAway: number }>(
    `SELECT h.conversation_id, h.workspace_id, h.assignee_id AS member_id,
       CASE WHEN i.availability = 'away' THEN 1 ELSE 0 END AS is_away
     FROM teams t JOIN handlings h ON h.team_id = t.id AND h.state = 'assigned' AND h.waiting_since IS NOT NULL
     JOIN handoffs o ON o.id = h.handoff_id LEFT JOIN inbox_members i ON i.member_id = h.assignee_id
     WHERE t.mode <> 'manual' AND h.assignee_id IS NOT NULL AND ((i.availability = 'away' AND NOT EXISTS (SELECT 1
       FROM assignments w WHERE w.conversation_id = h.conversation_id AND w.to_at IS NULL AND w.cause = 'taken'
         AND w.from_at >= h.waiting_since)) OR (o.first_reply_at IS NULL AND EXISTS (SELECT 1 FROM assignments a WHERE a.conversation_id = h.conversation_id AND a.to_at IS NULL
         AND a.cause = 'routed' AND a.from_at <= ?)))
       ${conversationId === undefined ? '' : 'AND h.conversation_id = ?'}
     ORDER BY h.conversation_id LIMIT ?`,
    lateBefore,
    ...(conversationId === undefined ? [] : [conversationId]),
    limit,
  );
  return rows.map(({ isAway, ...row }) => ({ ...row, isLate: Number(isAway) === 0 }));
}

/** Stores the place of which a visitor was notified. `position`: the conversations before it; undefined if it does not wait. */
export async function setNotifiedPlace(
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

/** Conversations with another place than the last one of which their visitors were notified, before a time. */
export async function changedPlaces(tx: Tx, notifiedBefore: number, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT q.id FROM (
       SELECT conversation_id AS id, told_position, told_at,
         RANK() OVER (PARTITION BY workspace_id, team_id ORDER BY queued_at) - 1 AS place
       FROM handlings WHERE queued_at IS NOT NULL
     ) AS q WHERE q.told_at <= ? AND q.told_position <> CASE WHEN q.place > ? THEN ? ELSE q.place END
     ORDER BY q.place LIMIT ?`,
    ...[notifiedBefore, limits.inbox.count, limits.inbox.count, limit],
  );
  return rows.map(({ id }) => id);
}
