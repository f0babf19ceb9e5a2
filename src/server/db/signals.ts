// SQL of the signal log: what listeners of a conversation were told, kept for those who come back.
import type { SignalType } from '../../protocol/signal.ts';
import type { Tx, WriteTx } from './database.ts';

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

/** True when a bot already did this act. */
export async function signalSent(tx: Tx, origin: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM signals WHERE origin = ?', origin)) !== undefined;
}
