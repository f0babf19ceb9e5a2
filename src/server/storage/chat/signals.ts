// SQL of the signal log: what listeners of a conversation were told, kept for those who come back.
import type { SignalType } from '../../../protocol/signal.ts';
import type { Tx, WriteTx } from '../database.ts';

/** Signals kept per conversation: a listener that missed more lists the messages instead. */
export const signalsKept = 1_000;

export interface SignalRow {
  seq: number;
  type: SignalType;
  /** The message or event that was created or changed, when that is what the signal tells. */
  ref: string | null;
  /** The signal's data as JSON, when nothing else holds it. */
  data: string | null;
}

/** `origin` names a bot's act that is nothing but a signal; null for all others. */
export async function insertSignal(
  tx: WriteTx,
  conversationId: string,
  row: SignalRow,
  origin: string | null,
): Promise<void> {
  await tx.run(
    'INSERT INTO signals (conversation_id, seq, type, ref, data, origin) VALUES (?, ?, ?, ?, ?, ?)',
    conversationId,
    row.seq,
    row.type,
    row.ref,
    row.data,
    origin,
  );
  // Every hundredth time is enough: between 1,000 and 1,099 are kept.
  if (row.seq % 100 === 0) {
    await tx.run(
      'DELETE FROM signals WHERE conversation_id = ? AND seq <= ?',
      conversationId,
      row.seq - signalsKept,
    );
  }
}

/** Signals after a place, oldest first. */
export async function signalsAfter(tx: Tx, conversationId: string, seq: number): Promise<SignalRow[]> {
  return tx.all(
    'SELECT seq, type, ref, data FROM signals WHERE conversation_id = ? AND seq > ? ORDER BY seq',
    conversationId,
    seq,
  );
}

/** Puts the server id in the place of the foreign id of a deleted user, in what was told of them. */
export async function renameInSignals(
  tx: WriteTx,
  conversationId: string,
  foreignId: string,
  userId: string,
): Promise<void> {
  for (const field of ['$.participantId', '$.userId']) {
    await tx.run(
      `UPDATE signals SET data = json_set(data, ?, ?)
       WHERE conversation_id = ? AND ref IS NULL AND json_extract(data, ?) = ?`,
      field,
      userId,
      conversationId,
      field,
      foreignId,
    );
  }
}

/** True when a bot already did this act. */
export async function signalSent(tx: Tx, origin: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM signals WHERE origin = ?', origin)) !== undefined;
}
