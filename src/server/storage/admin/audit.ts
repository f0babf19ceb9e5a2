// SQL of the audit trail: entries are inserted, listed, and deleted when they expire; they are never changed.
import type { Tx, Value, WriteTx } from '../database.ts';
import { createId } from '../ids.ts';
import { defineTable, insert, integer, orNull, type RowOf, text } from '../table.ts';

const auditLog = defineTable('audit_log', {
  id: text,
  /** The workspace that the entry is about. */
  workspaceId: text,
  /** Milliseconds since 1970. */
  at: integer,
  /** A kind of principal, or `server`. */
  actorKind: text,
  tokenId: orNull(text),
  /** The session of a page of the server, instead of a token. */
  sessionId: orNull(text),
  memberId: orNull(text),
  /** The e-mail address of the member at that time. */
  actorEmail: orNull(text),
  /** The workspace of the actor's token, if it is another one. */
  homeId: orNull(text),
  operation: text,
  /** JSON: names and ids. */
  target: text,
  network: text,
  /** The HTTP status of the response. */
  status: integer,
});
export type AuditRow = RowOf<typeof auditLog>;

/** The filter of a list. */
export interface AuditFilter {
  /** The id of a member, a token or a session, an e-mail address, or a kind. */
  actor?: string | undefined;
  operation?: string | undefined;
  /** Milliseconds since 1970, inclusive. */
  from?: number | undefined;
  /** Milliseconds since 1970, exclusive. */
  to?: number | undefined;
}

const columns = auditLog.columns();

export async function insertAuditEntry(tx: WriteTx, row: AuditRow): Promise<void> {
  await insert(tx, auditLog, row);
}

/** Inserts an entry of what the server has done by itself. `target`: names and ids. */
export async function insertServerEntry(
  tx: WriteTx,
  { now, target, ...entry }: Pick<AuditRow, 'workspaceId' | 'operation'> & { now: number; target: object },
): Promise<void> {
  await insertAuditEntry(tx, {
    ...entry,
    id: createId('audit', now),
    at: now,
    actorKind: 'server',
    tokenId: null,
    sessionId: null,
    memberId: null,
    actorEmail: null,
    homeId: null,
    target: JSON.stringify(target),
    network: '',
    status: 200,
  });
}

/** Entries of a workspace before the id `before`, newest first. */
export async function listAuditEntries(
  tx: Tx,
  workspaceId: string,
  { actor, operation, from, to }: AuditFilter,
  before: string | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const conditions = ['workspace_id = ?'];
  const values: Value[] = [workspaceId];
  const add = (sql: string, ...parameters: Value[]) => {
    conditions.push(sql);
    values.push(...parameters);
  };
  if (actor !== undefined) {
    const fields = ['member_id', 'token_id', 'session_id', 'actor_email', 'actor_kind'];
    add(`(${fields.map((field) => `${field} = ?`).join(' OR ')})`, ...fields.map(() => actor));
  }
  if (operation !== undefined) add('operation = ?', operation);
  if (from !== undefined) add('at >= ?', from);
  if (to !== undefined) add('at < ?', to);
  if (before !== undefined) add('id < ?', before);
  return tx.all(
    `SELECT ${columns} FROM audit_log WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`,
    ...values,
    limit,
  );
}
