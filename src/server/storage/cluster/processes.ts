// SQL of the processes that use this database, and of their leases.
import type { Tx, WriteTx } from '../database.ts';
import { databaseTime, forDialect, rowLock } from '../dialect.ts';

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

/**
 * The right to do some background work until it expires. A process has one for each background work that it does, and one for
 * the events of bots that it claims, whose id is the owner of each event. All times are those of the database's clock, because
 * the clocks of processes differ: a process with a wrong clock neither keeps nor takes a lease by mistake.
 */
export interface LeaseRow {
  name: string;
  processId: string;
  /** A new value each time the lease is taken. */
  fence: string;
}

/**
 * Takes a lease that is free or has expired. From then on, the last holder cannot write. Returns whether the lease was
 * taken. Does not wait: a holder with an unfinished write keeps the lease. `duration`: milliseconds.
 */
export async function takeLease(
  tx: WriteTx,
  { name, processId, fence }: LeaseRow,
  duration: number,
): Promise<boolean> {
  const time = databaseTime(tx);
  const canBeHeld = forDialect(tx, { sqlite: false, postgres: true });
  if (canBeHeld && !(await canBeTaken(tx, name))) return false;
  const changes = await tx.run(
    `INSERT INTO leases (name, process_id, fence, expires_at) VALUES (?, ?, ?, ${time} + ?)
     ON CONFLICT (name) DO UPDATE SET process_id = excluded.process_id, fence = excluded.fence,
       expires_at = excluded.expires_at WHERE leases.expires_at <= ${time}`,
    name,
    processId,
    fence,
    duration,
  );
  return changes > 0;
}

/**
 * Locks an expired lease against writes of its last holder (`holdLease`); an update alone would not do this. Returns
 * false if the lease has not expired, or if such a write is running. It does not wait for the write: otherwise the
 * holder's renewals and further writes would wait behind this transaction. This process would also look dead in the
 * meantime, because its own renewals are not committed yet.
 */
async function canBeTaken(tx: WriteTx, name: string): Promise<boolean> {
  const found = await tx.get<{ expired: number }>(
    `SELECT CASE WHEN expires_at <= ${databaseTime(tx)} THEN 1 ELSE 0 END AS expired FROM leases WHERE name = ?`,
    name,
  );
  if (!found?.expired) return !found;
  return (await tx.get('SELECT 1 FROM leases WHERE name = ? FOR UPDATE SKIP LOCKED', name)) !== undefined;
}

/** Extends the leases of a process that have not been taken by others, and returns them. */
export async function renewLeases(tx: WriteTx, processId: string, duration: number): Promise<LeaseRow[]> {
  return tx.all(
    `UPDATE leases SET expires_at = ${databaseTime(tx)} + ? WHERE process_id = ?
     RETURNING name, process_id, fence`,
    duration,
    processId,
  );
}

/** The names of the leases that have not expired. There are few, so the table is read as a whole. */
export async function validLeases(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    `SELECT name FROM leases WHERE expires_at > ${databaseTime(tx)} ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** Ends a lease. Has no effect when another process has it. */
export async function dropLease(tx: WriteTx, { name, processId, fence }: LeaseRow): Promise<void> {
  await tx.run('DELETE FROM leases WHERE name = ? AND process_id = ? AND fence = ?', name, processId, fence);
}

/** Whether this process still has the lease. Until the end of the transaction, no other process can take it. */
export async function holdLease(tx: WriteTx, { name, processId, fence }: LeaseRow): Promise<boolean> {
  // Conflicts with `takeLease`, and not with `renewLeases`.
  const lock = rowLock(tx, 'FOR KEY SHARE');
  const sql = `SELECT 1 FROM leases WHERE name = ? AND process_id = ? AND fence = ? ${lock}`;
  return (await tx.get(sql, name, processId, fence)) !== undefined;
}

/** SQL condition: a lease of events with the id in this column is valid. */
export const isLeased = (tx: Pick<Tx, 'dialect'>, column: string): string =>
  `EXISTS (SELECT 1 FROM delivery_leases l WHERE l.id = ${column} AND l.leased_until > ${databaseTime(tx)})`;

/** Stores a new lease of events, of `duration` milliseconds. Returns the time of the database. */
export async function insertEventLease(tx: WriteTx, id: string, duration: number): Promise<number> {
  const row = await tx.get<{ leasedUntil: number }>(
    `INSERT INTO delivery_leases (id, leased_until) VALUES (?, ${databaseTime(tx)} + ?)
     RETURNING leased_until`,
    id,
    duration,
  );
  return (row?.leasedUntil ?? 0) - duration;
}

/** Renews a lease of events that is not over. Returns the time of the database; undefined when the lease is lost. */
export async function renewEventLease(
  tx: WriteTx,
  id: string,
  duration: number,
): Promise<number | undefined> {
  const row = await tx.get<{ leasedUntil: number }>(
    `UPDATE delivery_leases SET leased_until = ${databaseTime(tx)} + ?
     WHERE id = ? AND leased_until > ${databaseTime(tx)} RETURNING leased_until`,
    duration,
    id,
  );
  return row && row.leasedUntil - duration;
}

/** Ends a lease of events: others may take them over at once. */
export async function deleteEventLease(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM delivery_leases WHERE id = ?', id);
}

/** Deletes the leases of events that are over. There are as many as processes, so that the table is read. */
export async function deleteExpiredEventLeases(tx: WriteTx): Promise<void> {
  await tx.run(`DELETE FROM delivery_leases WHERE leased_until <= ${databaseTime(tx)}`);
}
