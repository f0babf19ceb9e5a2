// SQL of interrupts: questions of bots that wait for a visitor.
import type { PartOf } from '../../../protocol/parts.ts';
import type { Tx, WriteTx } from '../database.ts';
import {
  conversationBot,
  defineTable,
  insert,
  integer,
  orNull,
  type RowOf,
  text,
  textOf,
  update,
} from '../table.ts';

type InterruptPart = PartOf<'interrupt'>;

const interrupts = defineTable(
  'interrupts',
  {
    id: text,
    conversationId: text,
    messageId: text,
    /** The user who can answer. */
    userId: text,
    state: textOf<InterruptPart['state']>(),
    settledBy: orNull(textOf<NonNullable<InterruptPart['by']>>()),
    /** SHA-256 of the answer, in hex. */
    answerHash: orNull(text),
    /** The answer (JSON), until the event of the message is queued. */
    payload: orNull(text),
    /** The state that the bot gets back (JSON), until the event of the message is queued. */
    botState: orNull(text),
    /** Milliseconds since 1970. */
    expiresAt: integer,
    /** The page that runs the tool, as it has named itself; null before it has begun. */
    claim: orNull(text),
  },
  { botId: conversationBot },
);
export type InterruptRow = RowOf<typeof interrupts>;

const columns = interrupts.columns();

/** SQL condition: a question of this conversation waits. Its one parameter is the id of the conversation, or a column. */
export const hasOpenInterrupt = (conversationId = '?'): string =>
  `EXISTS (SELECT 1 FROM interrupts i WHERE i.conversation_id = ${conversationId} AND i.state = 'open')`;

export async function insertInterrupt(
  tx: WriteTx,
  row: Pick<InterruptRow, 'id' | 'conversationId' | 'messageId' | 'userId' | 'botState' | 'expiresAt'>,
): Promise<void> {
  await insert(tx, interrupts, { ...row, state: 'open' });
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
  { id, ...settled }: Pick<InterruptRow, 'id' | 'state' | 'settledBy' | 'answerHash' | 'payload'>,
): Promise<void> {
  const { state, settledBy, answerHash, payload } = settled;
  await update(tx, interrupts, { id, state: 'open' }, { state, settledBy, answerHash, payload });
}

/** Stores which page runs a tool. `expiresAt`: when the outcome counts as unknown, in milliseconds since 1970. */
export async function claimInterrupt(
  tx: WriteTx,
  { id, claim, expiresAt }: Pick<InterruptRow, 'id' | 'claim' | 'expiresAt'>,
): Promise<void> {
  await update(tx, interrupts, { id }, { claim, expiresAt });
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
