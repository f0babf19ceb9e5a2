// SQL of the processes that use this database.
import type { Tx, WriteTx } from '../database.ts';
import { databaseTime } from '../dialect.ts';

/** A process that has not reported for this time (milliseconds) counts as ended. */
const goneAfterMs = 20_000;
/** Milliseconds after which its row is deleted. */
const forgottenAfterMs = 24 * 60 * 60 * 1000;

export interface ProcessRow {
  id: string;
  version: string;
  /** A digest of the code of bots that it runs; null if it reports none. */
  botCode: string | null;
}

/** A process that is alive. */
export interface LiveProcess extends ProcessRow {
  /** Milliseconds since its last report. */
  age: number;
}

/** Records that a process is alive. */
export async function reportProcess(
  tx: WriteTx,
  { id, version, botCode = null }: Pick<ProcessRow, 'id' | 'version'> & Partial<ProcessRow>,
): Promise<void> {
  const time = databaseTime(tx);
  await tx.run(
    `INSERT INTO processes (id, started_at, seen_at, version, bot_code) VALUES (?, ${time}, ${time}, ?, ?)
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
    id,
    version,
    botCode,
  );
}

/** SQL condition: the process with this time of its last report is alive. */
export const isAlive = (tx: Tx, seenAt: string): string => `${seenAt} > ${databaseTime(tx)} - ${goneAfterMs}`;

/** The processes that are alive, in the order of their ids. There are few, so the table is read as a whole. */
export async function liveProcesses(tx: Tx): Promise<LiveProcess[]> {
  return tx.all(
    `SELECT id, version, bot_code, ${databaseTime(tx)} - seen_at AS age
     FROM processes WHERE ${isAlive(tx, 'seen_at')} ORDER BY id`,
  );
}

export async function forgetProcess(tx: WriteTx, id: string): Promise<void> {
  await tx.run(
    `DELETE FROM processes WHERE id = ? OR seen_at < ${databaseTime(tx)} - ?`,
    id,
    forgottenAfterMs,
  );
}
