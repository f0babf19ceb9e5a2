// SQL of interrupts: questions of bots that wait for a visitor.

import type { PartOf } from '../../../protocol/parts.ts';
import type { Tx, WriteTx } from '../database.ts';
import { botOfConversation } from './conversations.ts';

type InterruptPart = PartOf<'interrupt'>;

export interface InterruptRow {
  id: string;
  conversationId: string;
  messageId: string;
  /** The user who can answer. */
  userId: string;
  state: InterruptPart['state'];
  settledBy: NonNullable<InterruptPart['by']> | null;
  /** SHA-256 of the answer, in hex. */
  answerHash: string | null;
  /** What was answered (JSON), until the event of the message is queued. */
  payload: string | null;
  /** What the bot gets back (JSON), until the event of the message is queued. */
  botState: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The page that runs the tool, as it has named itself; null before it has begun. */
  claim: string | null;
}

const columns = `id, conversation_id, message_id, user_id, state,
  settled_by, answer_hash, payload, bot_state, expires_at, claim`;

/** SQL condition: a question of this conversation waits. Its one parameter is the id of the conversation, or a column. */
export const hasOpenInterrupt = (conversationId = '?'): string =>
  `EXISTS (SELECT 1 FROM interrupts i WHERE i.conversation_id = ${conversationId} AND i.state = 'open')`;

export async function insertInterrupt(
  tx: WriteTx,
  row: Pick<InterruptRow, 'id' | 'conversationId' | 'messageId' | 'userId' | 'botState' | 'expiresAt'>,
): Promise<void> {
  await tx.run(
    `INSERT INTO interrupts (id, conversation_id, message_id, user_id, state, bot_state, expires_at, bot_id)
     VALUES (?, ?, ?, ?, 'open', ?, ?, ${botOfConversation})`,
    row.id,
    row.conversationId,
    row.messageId,
    row.userId,
    row.botState,
    row.expiresAt,
    row.conversationId,
  );
}

export async function findInterrupt(tx: Tx, id: string): Promise<InterruptRow | undefined> {
  return tx.get(`SELECT ${columns} FROM interrupts WHERE id = ?`, id);
}

export async function openInterruptsOf(tx: Tx, conversationId: string): Promise<InterruptRow[]> {
  return tx.all(
    `SELECT ${columns} FROM interrupts WHERE conversation_id = ? AND state = 'open' ORDER BY message_id, id`,
    conversationId,
  );
}

export async function interruptsOfMessage(tx: Tx, messageId: string): Promise<InterruptRow[]> {
  return tx.all(`SELECT ${columns} FROM interrupts WHERE message_id = ?`, messageId);
}

/** Stores how an open interrupt was settled. */
export async function settleInterrupt(
  tx: WriteTx,
  {
    id,
    state,
    settledBy,
    answerHash,
    payload,
  }: Pick<InterruptRow, 'id' | 'state' | 'settledBy' | 'answerHash' | 'payload'>,
): Promise<void> {
  await tx.run(
    `UPDATE interrupts SET state = ?, settled_by = ?, answer_hash = ?, payload = ? WHERE id = ? AND state = 'open'`,
    state,
    settledBy,
    answerHash,
    payload,
    id,
  );
}

/** Stores which page runs a tool. `expiresAt`: when the outcome counts as unknown, in milliseconds since 1970. */
export async function claimInterrupt(
  tx: WriteTx,
  { id, claim, expiresAt }: Pick<InterruptRow, 'id' | 'claim' | 'expiresAt'>,
): Promise<void> {
  await tx.run('UPDATE interrupts SET claim = ?, expires_at = ? WHERE id = ?', claim, expiresAt, id);
}

/** Removes the answers and the states of a message whose event is queued: the event has them. */
export async function forgetAnswers(tx: WriteTx, messageId: string): Promise<void> {
  await tx.run('UPDATE interrupts SET payload = NULL, bot_state = NULL WHERE message_id = ?', messageId);
}

/** Open interrupts that have expired, the earliest first. */
export async function expiredInterrupts(tx: Tx, now: number, limit: number): Promise<InterruptRow[]> {
  return tx.all(
    `SELECT ${columns} FROM interrupts WHERE state = 'open' AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
    now,
    limit,
  );
}

/** When the next open interrupt expires, in milliseconds since 1970. */
export async function nextExpiry(tx: Tx): Promise<number | undefined> {
  const row = await tx.get<{ at: number }>(
    `SELECT expires_at AS at FROM interrupts WHERE state = 'open' ORDER BY expires_at LIMIT 1`,
  );
  return row?.at;
}

export async function deleteInterruptsOfMessage(tx: WriteTx, messageId: string): Promise<void> {
  await tx.run('DELETE FROM interrupts WHERE message_id = ?', messageId);
}

/**
 * Removes what a deleted user answered, and what the bot knows about it. Open interrupts expire at once. Returns their number, at
 * most `limit`.
 */
export async function forgetInterruptsOfUser(tx: WriteTx, userId: string, limit: number): Promise<number> {
  return tx.run(
    `UPDATE interrupts SET payload = NULL, bot_state = NULL, expires_at = 0 WHERE id IN
       (SELECT id FROM interrupts WHERE user_id = ? AND expires_at <> 0 LIMIT ?)`,
    userId,
    limit,
  );
}
