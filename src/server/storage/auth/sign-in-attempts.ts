// SQL of the limits of signing in: attempts are counted in the database, so that all processes count together and a restart
// forgets nothing.
import type { Tx, WriteTx } from '../database.ts';

/** A limit of attempts. */
export interface AttemptLimit {
  /** A keyed hash of who or what is limited. */
  id: string;
  /** Attempts within `window` milliseconds that have no consequence. */
  free: number;
  window: number;
  /** Milliseconds to wait after an attempt, by its number; only from number `free` on. */
  waitAfter(count: number): number;
}

/** Counts an attempt. Returns 0, or while attempts are refused, the milliseconds until the next one; it is then not counted. */
export async function countAttempt(tx: WriteTx, limit: AttemptLimit, now: number): Promise<number> {
  const { id, free, window, waitAfter } = limit;
  const counted = await tx.get<{ count: number }>(
    `INSERT INTO sign_in_attempts (id, count, blocked_until, expires_at) VALUES (?, 1, 0, ?)
     ON CONFLICT (id) DO UPDATE SET
       count = CASE WHEN sign_in_attempts.expires_at <= ? THEN 1 ELSE sign_in_attempts.count + 1 END,
       expires_at = excluded.expires_at
     WHERE sign_in_attempts.blocked_until <= ?
     RETURNING count`,
    id,
    now + window,
    now,
    now,
  );
  if (!counted) {
    const row = await tx.get<{ until: number }>(
      'SELECT blocked_until AS until FROM sign_in_attempts WHERE id = ?',
      id,
    );
    return Math.max(1, Number(row?.until ?? now) - now);
  }
  const count = Number(counted.count);
  if (count >= free) {
    const wait = waitAfter(count);
    // Counted until the wait is over, and as long again, so that the next wait is longer.
    await tx.run(
      'UPDATE sign_in_attempts SET blocked_until = ?, expires_at = ? WHERE id = ?',
      now + wait,
      now + wait + window,
      id,
    );
  }
  return 0;
}

/** Forgets the attempts. */
export async function forgetAttempts(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM sign_in_attempts WHERE id = ?', id);
}

/** Takes one attempt back, which was no failure. */
export async function takeAttemptBack(tx: WriteTx, id: string): Promise<void> {
  await tx.run(
    'UPDATE sign_in_attempts SET count = count - 1, blocked_until = 0 WHERE id = ? AND count > 0',
    id,
  );
}

/** Notes that somebody is known until `until`, in milliseconds since 1970. */
export async function note(tx: WriteTx, id: string, until: number): Promise<void> {
  await tx.run(
    `INSERT INTO sign_in_attempts (id, count, blocked_until, expires_at) VALUES (?, 0, 0, ?)
     ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
    id,
    until,
  );
}

/** Whether somebody is known. */
export async function isNoted(tx: Tx, id: string, now: number): Promise<boolean> {
  return (
    (await tx.get('SELECT 1 FROM sign_in_attempts WHERE id = ? AND expires_at > ?', id, now)) !== undefined
  );
}
