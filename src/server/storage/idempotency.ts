// SQL of the idempotency cache: responses to requests with an Idempotency-Key.
import type { Tx, WriteTx } from './database.ts';
import { deleteRows } from './delete-rows.ts';
import { isBeingDeleted } from './deletions.ts';
import { forDialect, inList } from './dialect.ts';
import { defineTable, insertOfRows, integer, orNull, type RowOf, text } from './table.ts';

/** Milliseconds that a response is kept: 24 hours. */
export const requestLifetimeMs = 24 * 60 * 60 * 1000;

const requests = defineTable('requests', {
  /**
   * The identity of the caller: the server id of a user; the bot's id, a space and the id in the user key; the token's
   * id, a space and the bot's id; or, for an anonymous request, the bot's id, a space and a keyed hash of the network.
   */
  caller: text,
  operation: text,
  key: text,
  /** A digest of the request. */
  fingerprint: text,
  /** The id of the resource that the request created, or that its response describes. */
  resource: orNull(text),
  /** The response as JSON; null when its content was deleted. */
  response: orNull(text),
  createdAt: integer,
});
export type RequestRow = RowOf<typeof requests>;

export async function findRequest(
  tx: Tx,
  caller: string,
  operation: string,
  key: string,
): Promise<RequestRow | undefined> {
  return tx.get(
    `SELECT caller, operation, key, fingerprint, resource, created_at,
       CASE WHEN ${isBeingDeleted('resource')} THEN NULL ELSE response END AS response
     FROM requests WHERE caller = ? AND operation = ? AND key = ?`,
    caller,
    operation,
    key,
  );
}

/** Deletes an expired response, so that its key can be used again. */
export async function deleteRequest(
  tx: WriteTx,
  { caller, operation, key }: Pick<RequestRow, 'caller' | 'operation' | 'key'>,
): Promise<void> {
  await tx.run('DELETE FROM requests WHERE caller = ? AND operation = ? AND key = ?', caller, operation, key);
}

/**
 * Stores responses; if one violates the unique key, none. If there are two equal requests at once, the second one does: its work runs
 * again, and finds the response of the first.
 */
export const insertRequests: (tx: WriteTx, rows: readonly RequestRow[]) => Promise<number> =
  insertOfRows(requests);

/**
 * Deletes the responses that contain a deleted resource. Their keys remain, so that a late retry does not create the
 * resource again.
 */
export async function redactResponses(tx: WriteTx, resource: string): Promise<void> {
  await tx.run('UPDATE requests SET response = NULL WHERE resource = ?', resource);
}

/** Does the same for several resources. */
export async function redactResponsesOf(tx: WriteTx, resources: readonly string[]): Promise<void> {
  const condition = inList(tx, 'resource', resources);
  await tx.run(`UPDATE requests SET response = NULL WHERE ${condition.sql}`, ...condition.values);
}

/** Does the same for up to `limit` responses and returns their number. */
export async function redactSomeResponses(tx: WriteTx, resource: string, limit: number): Promise<number> {
  return tx.run(
    `UPDATE requests SET response = NULL WHERE (caller, operation, key) IN
       (SELECT caller, operation, key FROM requests WHERE resource = ? AND response IS NOT NULL LIMIT ?)`,
    resource,
    limit,
  );
}

/** The resource name of responses with rows of a table, because rows can be deleted while the table remains. */
export const rowsOf = (tableId: string): string => `rows of ${tableId}`;

/** Does the same for a table and all of its rows. */
export async function redactTableResponses(tx: WriteTx, tableId: string): Promise<void> {
  await redactResponses(tx, tableId);
  await redactResponses(tx, rowsOf(tableId));
}

/** Deletes all requests of deleted callers. */
export async function deleteRequestsOf(tx: WriteTx, callers: readonly string[]): Promise<void> {
  const condition = inList(tx, 'caller', callers);
  await tx.run(`DELETE FROM requests WHERE ${condition.sql}`, ...condition.values);
}

/**
 * Moves the requests of a user to another one, with the new id in their responses, so that a retry has no second
 * effect. A key that both have used stays with the other user.
 */
export async function moveRequests(
  tx: WriteTx,
  from: string,
  to: { id: string; publicId: string },
): Promise<void> {
  await tx.run(
    `DELETE FROM requests WHERE caller = ? AND EXISTS (SELECT 1 FROM requests other
       WHERE other.caller = ? AND other.operation = requests.operation AND other.key = requests.key)`,
    from,
    to.id,
  );
  await tx.run(
    'UPDATE requests SET caller = ?, response = REPLACE(response, ?, ?) WHERE caller = ?',
    to.id,
    JSON.stringify(from),
    JSON.stringify(to.publicId),
    from,
  );
}

/** Whether a caller has more than `limit` stored requests. */
export async function hasMoreRequests(tx: Tx, caller: string, limit: number): Promise<boolean> {
  const row = await tx.get('SELECT 1 FROM requests WHERE caller = ? LIMIT 1 OFFSET ?', caller, limit);
  return row !== undefined;
}

/** Deletes up to `limit` requests of a deleted caller and returns their number. */
export async function deleteSomeRequestsOf(tx: WriteTx, caller: string, limit: number): Promise<number> {
  return deleteRows(tx, 'requests', 'caller = ?', [caller], limit);
}

/** Deletes up to `limit` requests of a caller, identified by a foreign id, that created or contain a user. */
export async function deleteSomeRequestsNaming(
  tx: WriteTx,
  caller: string,
  userId: string,
  limit: number,
): Promise<number> {
  return deleteRows(
    tx,
    'requests',
    'caller = ? AND COALESCE(resource, ?) = ?',
    [caller, userId, userId],
    limit,
  );
}

/**
 * Deletes requests to a bot: up to `limit` of callers that are stored with the bot's id first, and as many of tokens.
 * Returns their number.
 */
export async function deleteRequestsAt(tx: WriteTx, botId: string, limit: number): Promise<number> {
  // '!' is the character after the space.
  const ofIds = await deleteRows(
    tx,
    'requests',
    'caller >= ? AND caller < ?',
    [`${botId} `, `${botId}!`],
    limit,
  );
  const position = forDialect(tx, { sqlite: 'instr', postgres: 'strpos' });
  const isAtBot = `substr(caller, ${position}(caller, ' ') + 1) = ?`;
  return ofIds + (await deleteRows(tx, 'requests', isAtBot, [botId], limit));
}
