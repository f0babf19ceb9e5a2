// SQL of states: objects under names that a bot stores for a conversation, a user or itself. Expired ones are never
// returned.
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { defineTable, insert, integer, orNull, type RowOf, text } from '../table.ts';

const states = defineTable('states', {
  id: text,
  /** The conversation, the user or the bot. */
  ownerId: text,
  botId: text,
  name: text,
  /** JSON. */
  payload: text,
  /** Milliseconds from the last change until it expires; null: never. */
  expiry: orNull(integer),
  expiresAt: orNull(integer),
  createdAt: integer,
  updatedAt: integer,
});
export type StateRow = RowOf<typeof states>;

/** The columns of a StateRow. */
export const stateColumns = states.columns();

/** SQL condition: the state has not expired. The parameter is the time. */
export const isValidState = '(expires_at IS NULL OR expires_at > ?)';

export async function findState(
  tx: Tx,
  ownerId: string,
  name: string,
  now: number,
): Promise<StateRow | undefined> {
  return tx.get(
    `SELECT ${stateColumns} FROM states WHERE owner_id = ? AND name = ? AND ${isValidState}`,
    ownerId,
    name,
    now,
  );
}

/** All states of a conversation, a user or a bot. */
export async function statesOf(tx: Tx, ownerId: string, now: number): Promise<StateRow[]> {
  return tx.all(
    `SELECT ${stateColumns} FROM states WHERE owner_id = ? AND ${isValidState} ORDER BY name`,
    ownerId,
    now,
  );
}

/** The states of a conversation, a user or a bot: their number and bytes, without the one with this name. */
export async function sizeOfOthers(
  tx: Tx,
  ownerId: string,
  name: string,
  now: number,
): Promise<{ states: number; bytes: number }> {
  const row = await tx.get<{ states: number; bytes: number }>(
    `SELECT COUNT(*) AS states, COALESCE(SUM(octet_length(payload)), 0) AS bytes FROM states
     WHERE owner_id = ? AND name <> ? AND ${isValidState}`,
    ownerId,
    name,
    now,
  );
  return row ?? { states: 0, bytes: 0 };
}

/** Stores a state, instead of one with the same name. */
export async function putState(tx: WriteTx, row: StateRow): Promise<void> {
  await insert(
    tx,
    states,
    row,
    `ON CONFLICT (owner_id, name) DO UPDATE SET id = excluded.id, payload = excluded.payload,
       expiry = excluded.expiry, expires_at = excluded.expires_at, created_at = excluded.created_at,
       updated_at = excluded.updated_at`,
  );
}

/** Deletes a state, and redacts the cached responses that contain it. */
export async function deleteState(tx: WriteTx, ownerId: string, name: string): Promise<void> {
  await tx.run(
    `UPDATE requests SET response = NULL WHERE resource IN
       (SELECT id FROM states WHERE owner_id = ? AND name = ?)`,
    ownerId,
    name,
  );
  await tx.run('DELETE FROM states WHERE owner_id = ? AND name = ?', ownerId, name);
}

/** Does the same as `deleteStates` for several owners. */
export async function deleteStatesOf(tx: WriteTx, ownerIds: readonly string[]): Promise<void> {
  const condition = inList(tx, 'owner_id', ownerIds);
  await tx.run(
    `UPDATE requests SET response = NULL WHERE resource IN (SELECT id FROM states WHERE ${condition.sql})`,
    ...condition.values,
  );
  await tx.run(`DELETE FROM states WHERE ${condition.sql}`, ...condition.values);
}

/** Deletes all states of a conversation, a user or a bot, and redacts the cached responses that contain them. */
export async function deleteStates(tx: WriteTx, ownerId: string): Promise<void> {
  await tx.run(
    'UPDATE requests SET response = NULL WHERE resource IN (SELECT id FROM states WHERE owner_id = ?)',
    ownerId,
  );
  await tx.run('DELETE FROM states WHERE owner_id = ?', ownerId);
}

/** Moves the states whose names the other owner does not have, and deletes the rest. */
export async function moveStates(tx: WriteTx, from: string, to: string): Promise<void> {
  await tx.run(
    `INSERT INTO states (owner_id, name, id, bot_id, payload, expiry, expires_at, created_at, updated_at)
     SELECT ?, name, id, bot_id, payload, expiry, expires_at, created_at, updated_at FROM states
     WHERE owner_id = ? ON CONFLICT DO NOTHING`,
    to,
    from,
  );
  await deleteStates(tx, from);
}
