// SQL of the signal log: the signals of a conversation, kept for replay when a stream reconnects. The signal of a new
// message is its row in `messages`.
import type { SignalType } from '../../../protocol/signal.ts';
import type { Tx, WriteTx } from '../database.ts';
import { botOfConversation } from '../table.ts';

/** The number of signals that are kept per conversation. A client that missed more lists the messages instead. */
export const maxStoredSignals = 1_000;

export interface SignalRow {
  seq: number;
  type: SignalType;
  /** The created or changed message or event, if the signal is about one. */
  ref: string | null;
  /** The data of the signal as JSON, if it is stored nowhere else. */
  data: string | null;
}

/** `origin` identifies an action of a bot that consists of a signal only; null for all others. */
export async function insertSignal(
  tx: WriteTx,
  conversationId: string,
  row: SignalRow,
  origin: string | null,
): Promise<void> {
  await tx.run(
    `INSERT INTO signals (conversation_id, seq, type, ref, data, origin, bot_id) VALUES (?, ?, ?, ?, ?, ?, ${botOfConversation})`,
    conversationId,
    row.seq,
    row.type,
    row.ref,
    row.data,
    origin,
    conversationId,
  );
  await trimSignals(tx, conversationId, row.seq);
}

/** Deletes the oldest signals at every hundredth sequence number, so that those of the last 1,000 to 1,099 are kept. */
export async function trimSignals(tx: WriteTx, conversationId: string, seq: number): Promise<void> {
  if (seq % 100 !== 0) return;
  await tx.run(
    'DELETE FROM signals WHERE conversation_id = ? AND seq <= ?',
    conversationId,
    seq - maxStoredSignals,
  );
}

/** Signals after a sequence number, oldest first. Deleted messages have none. */
export async function signalsAfter(tx: Tx, conversationId: string, seq: number): Promise<SignalRow[]> {
  const rows = await tx.all<SignalRow>(
    'SELECT seq, type, ref, data FROM signals WHERE conversation_id = ? AND seq > ? ORDER BY seq',
    conversationId,
    seq,
  );
  const messages = await tx.all<SignalRow>(
    `SELECT seq, 'message_created' AS type, id AS ref, NULL AS data FROM messages
     WHERE conversation_id = ? AND seq > ? ORDER BY seq`,
    conversationId,
    seq,
  );
  // Earlier versions logged new messages, too.
  const bySeq = new Map([...rows, ...messages].map((row) => [row.seq, row]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/**
 * The bytes of the signals after a sequence number and of what they refer to, except the parts of messages, which are mostly
 * left out of signals. Reads none of it.
 */
export async function sizeOfSignalsAfter(tx: Tx, conversationId: string, seq: number): Promise<number> {
  const later = 'conversation_id = ? AND seq > ?';
  const ofMessage = 'octet_length(payload) + COALESCE(octet_length(metadata), 0)';
  const sums = [
    `SUM(octet_length(data)) FROM signals WHERE ${later}`,
    `SUM(${ofMessage}) FROM messages WHERE ${later}`,
    `SUM(${ofMessage}) FROM messages WHERE id IN (
       SELECT ref FROM signals WHERE ${later} AND type = 'message_updated')`,
    `SUM(octet_length(payload)) FROM events WHERE ${later}`,
  ];
  const row = await tx.get<{ bytes: number | null }>(
    `SELECT ${sums.map((sum) => `COALESCE((SELECT ${sum}), 0)`).join(' + ')} AS bytes`,
    ...sums.flatMap(() => [conversationId, seq]),
  );
  return Number(row?.bytes ?? 0);
}

/** Replaces the foreign id of a deleted user with the server id in the signals about the user. */
export async function renameInSignals(
  tx: WriteTx,
  conversationId: string,
  foreignId: string,
  userId: string,
): Promise<void> {
  const rows = await tx.all<{ seq: number; data: string }>(
    'SELECT seq, data FROM signals WHERE conversation_id = ? AND ref IS NULL AND data IS NOT NULL ORDER BY seq',
    conversationId,
  );
  for (const { seq, data } of rows) {
    const fields = JSON.parse(data) as Record<string, unknown>;
    const named = ['participantId', 'userId'].filter((field) => fields[field] === foreignId);
    if (named.length === 0) continue;
    for (const field of named) fields[field] = userId;
    await tx.run(
      'UPDATE signals SET data = ? WHERE conversation_id = ? AND seq = ?',
      JSON.stringify(fields),
      conversationId,
      seq,
    );
  }
}

/** True when a bot has already performed this action. */
export async function signalSent(tx: Tx, origin: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM signals WHERE origin = ?', origin)) !== undefined;
}
