// SQL of handoffs, of who had them, and of what visitors see of them.
import type { Activity, AuthorKind, HandoffOutcome } from '../../../protocol/handling.ts';
import type { Tx, WriteTx } from '../database.ts';
import { createId } from '../ids.ts';
import {
  botOfConversation,
  defineTable,
  insert,
  integer,
  orNull,
  type RowOf,
  text,
  textOf,
  withDefault,
} from '../table.ts';

const handoffs = defineTable(
  'handoffs',
  {
    id: text,
    conversationId: text,
    botId: text,
    requestedAt: integer,
    requestedBy: textOf<AuthorKind>(),
    /** The sequence number of the request. */
    requestedSeq: integer,
    reason: orNull(text),
    /** The handoff that this one opens again. */
    reopens: orNull(text),
    teamId: orNull(text),
    firstAssignedAt: orNull(integer),
    firstReplyAt: orNull(integer),
    closedAt: orNull(integer),
    outcome: orNull(textOf<HandoffOutcome>()),
  },
  {
    kind: withDefault(text),
    firstReplyBy: orNull(text),
    closedBy: orNull(text),
  },
);
export type HandoffRow = RowOf<typeof handoffs>;

const columns = handoffs.columns();

export async function insertHandoff(
  tx: WriteTx,
  row: Omit<HandoffRow, 'firstAssignedAt' | 'firstReplyAt' | 'closedAt' | 'outcome'>,
): Promise<void> {
  await insert(tx, handoffs, row);
}

export async function findHandoff(tx: Tx, id: string): Promise<HandoffRow | undefined> {
  return tx.get(`SELECT ${columns} FROM handoffs WHERE id = ?`, id);
}

/** The handoffs of a conversation, newest first. */
export async function handoffsOf(tx: Tx, conversationId: string, limit: number): Promise<HandoffRow[]> {
  return tx.all(
    `SELECT ${columns} FROM handoffs WHERE conversation_id = ? ORDER BY id DESC LIMIT ?`,
    conversationId,
    limit,
  );
}

export async function closeHandoff(
  tx: WriteTx,
  id: string,
  { at, by, outcome }: { at: number; by: AuthorKind | 'system'; outcome: HandoffOutcome },
): Promise<void> {
  await tx.run(
    'UPDATE handoffs SET closed_at = ?, closed_by = ?, outcome = ? WHERE id = ? AND closed_at IS NULL',
    at,
    by,
    outcome,
    id,
  );
}

/** An answer of a person. */
export interface PersonReply {
  conversationId: string;
  seq: number;
  handoffId: string;
  botId: string;
  /** Null at another desk. */
  memberId: string | null;
  at: number;
  /** The time of the oldest message or request that it answers; null if the visitor did not wait. */
  waitingSince: number | null;
}

/** Records an answer of a person, for reports; the first one of a handoff also with the handoff. */
export async function recordReply(tx: WriteTx, reply: PersonReply): Promise<void> {
  const { conversationId, seq, handoffId, botId, memberId, at, waitingSince } = reply;
  await tx.run(
    'UPDATE handoffs SET first_reply_at = ?, first_reply_by = ? WHERE id = ? AND first_reply_at IS NULL',
    at,
    memberId,
    handoffId,
  );
  await tx.run(
    `INSERT INTO person_replies (conversation_id, seq, handoff_id, bot_id, member_id, replied_at, waiting_since)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[conversationId, seq, handoffId, botId, memberId, at, waitingSince],
  );
}

/** Begins an assignment. `cause`: why, such as `taken`. */
export async function beginAssignment(
  tx: WriteTx,
  row: {
    handoffId: string;
    conversationId: string;
    botId: string;
    memberId: string | null;
    at: number;
    cause: string;
  },
): Promise<void> {
  await tx.run(
    `INSERT INTO assignments (id, handoff_id, conversation_id, bot_id, member_id, from_at, cause)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    createId('assignment'),
    row.handoffId,
    row.conversationId,
    row.botId,
    row.memberId,
    row.at,
    row.cause,
  );
  await tx.run(
    'UPDATE handoffs SET first_assigned_at = ? WHERE id = ? AND first_assigned_at IS NULL',
    row.at,
    row.handoffId,
  );
}

/** Ends the assignment of a conversation that has not ended. */
export async function endAssignment(tx: WriteTx, conversationId: string, at: number): Promise<void> {
  await tx.run(
    'UPDATE assignments SET to_at = ? WHERE conversation_id = ? AND to_at IS NULL',
    at,
    conversationId,
  );
}

/** A line of the transcript. Visitors are not told who the member is. */
export type ActivityItem = Pick<Activity, 'type' | 'actor'> & {
  /** The member who acted; left out for others. */
  memberId?: string;
};

/** One change that visitors see, with everything that happened in it. */
export interface ActivityRow {
  seq: number;
  /** JSON of `ActivityItem[]`. */
  items: string;
  createdAt: number;
}

export async function insertActivities(
  tx: WriteTx,
  conversationId: string,
  { seq, at, items }: { seq: number; at: number; items: readonly ActivityItem[] },
): Promise<void> {
  await tx.run(
    `INSERT INTO activities (conversation_id, seq, items, created_at, bot_id) VALUES (?, ?, ?, ?, ${botOfConversation})`,
    conversationId,
    seq,
    JSON.stringify(items),
    at,
    conversationId,
  );
}

/** The activities of a conversation before a sequence number, and not before another one, newest first. */
export async function listActivities(
  tx: Tx,
  conversationId: string,
  { before, from = 0, limit }: { before: number | undefined; from?: number | undefined; limit: number },
): Promise<ActivityRow[]> {
  return tx.all(
    `SELECT seq, items, created_at FROM activities
     WHERE conversation_id = ? AND seq < ? AND seq >= ? ORDER BY seq DESC LIMIT ?`,
    conversationId,
    before ?? Number.MAX_SAFE_INTEGER,
    from,
    limit,
  );
}

/** The member who had a handoff last. */
export async function lastAssigneeOf(tx: Tx, handoffId: string): Promise<string | undefined> {
  const row = await tx.get<{ memberId: string | null }>(
    'SELECT member_id FROM assignments WHERE handoff_id = ? ORDER BY id DESC LIMIT 1',
    handoffId,
  );
  return row?.memberId ?? undefined;
}
