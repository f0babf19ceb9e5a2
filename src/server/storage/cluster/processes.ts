// SQL of the processes that use this database.
import type { Tx, WriteTx } from '../database.ts';
import { databaseTime } from '../dialect.ts';

/** Milliseconds without a sign of life after which a process counts as gone. */
const goneAfter = 20_000;
/** Milliseconds after which it is forgotten. */
const forgottenAfter = 24 * 60 * 60 * 1000;

export interface ProcessRow {
  id: string;
  version: string;
}

/** Records that a process is alive. */
export async function reportProcess(tx: WriteTx, { id, version }: ProcessRow): Promise<void> {
  const time = databaseTime(tx);
  await tx.run(
    `INSERT INTO processes (id, started_at, seen_at, version) VALUES (?, ${time}, ${time}, ?)
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
    id,
    version,
  );
}

/** SQL condition: the process with this time of its last sign of life is alive. */
export const isAlive = (tx: Tx, seenAt: string): string => `${seenAt} > ${databaseTime(tx)} - ${goneAfter}`;

/** The processes that are alive. There are few, so the table is read as a whole. */
export async function liveProcesses(tx: Tx): Promise<ProcessRow[]> {
  return tx.all(`SELECT id, version FROM processes WHERE ${isAlive(tx, 'seen_at')} ORDER BY id`);
}

export async function forgetProcess(tx: WriteTx, id: string): Promise<void> {
  await tx.run(`DELETE FROM processes WHERE id = ? OR seen_at < ${databaseTime(tx)} - ?`, id, forgottenAfter);
}
