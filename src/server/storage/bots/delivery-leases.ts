// SQL of the leases of processes that handle events of bots. All times are by the clock of the database, so that a process
// whose clock is wrong neither keeps nor takes what it should not.
import type { Tx, WriteTx } from '../database.ts';
import { databaseTime } from '../dialect.ts';

/** SQL condition: a lease with the id in this column is valid. */
export const isLeased = (tx: Pick<Tx, 'dialect'>, column: string): string =>
  `EXISTS (SELECT 1 FROM delivery_leases l WHERE l.id = ${column} AND l.leased_until > ${databaseTime(tx)})`;

/** Stores a new lease of `duration` milliseconds. Returns the time of the database. */
export async function insertLease(tx: WriteTx, id: string, duration: number): Promise<number> {
  const row = await tx.get<{ leasedUntil: number }>(
    `INSERT INTO delivery_leases (id, leased_until) VALUES (?, ${databaseTime(tx)} + ?)
     RETURNING leased_until`,
    id,
    duration,
  );
  return (row?.leasedUntil ?? 0) - duration;
}

/** Renews a lease that is not over. Returns the time of the database; undefined when the lease is lost. */
export async function renewLease(tx: WriteTx, id: string, duration: number): Promise<number | undefined> {
  const row = await tx.get<{ leasedUntil: number }>(
    `UPDATE delivery_leases SET leased_until = ${databaseTime(tx)} + ?
     WHERE id = ? AND leased_until > ${databaseTime(tx)} RETURNING leased_until`,
    duration,
    id,
  );
  return row && row.leasedUntil - duration;
}

/** Ends a lease: others may take over its events at once. */
export async function deleteLease(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM delivery_leases WHERE id = ?', id);
}

/** Deletes the leases that are over. There are as many as processes, so that the table is read. */
export async function deleteExpiredLeases(tx: WriteTx): Promise<void> {
  await tx.run(`DELETE FROM delivery_leases WHERE leased_until <= ${databaseTime(tx)}`);
}
