// SQL of the audit trail: entries are inserted, listed, and deleted when they expire; they are never changed.
import type { Tx, Value, WriteTx } from '../database.ts';
import { createId } from '../ids.ts';

export interface AuditRow {
  id: string;
  /** The workspace that the entry is about. */
  workspaceId: string;
  /** Milliseconds since 1970. */
  at: number;
  /** A kind of principal, or `server`. */
  actorKind: string;
  tokenId: string | null;
  /** The session of a page of the server, instead of a token. */
  sessionId: string | null;
  memberId: string | null;
  /** The e-mail address of the member at that time. */
  actorEmail: string | null;
  /** The workspace of the actor's token, if it is another one. */
  homeId: string | null;
  operation: string;
  /** JSON: names and ids. */
  target: string;
  network: string;
  /** The HTTP status of the response. */
  status: number;
}

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

const columns = `id, workspace_id, at, actor_kind, token_id, session_id,
  member_id, actor_email, home_id, operation, target, network, status`;

export async function insertAuditEntry(tx: WriteTx, row: AuditRow): Promise<void> {
  await tx.run(
    `INSERT INTO audit_log (id, workspace_id, at, actor_kind, token_id, session_id, member_id, actor_email, home_id, operation,
       target, network, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.workspaceId,
    row.at,
    row.actorKind,
    row.tokenId,
    row.sessionId,
    row.memberId,
    row.actorEmail,
    row.homeId,
    row.operation,
    row.target,
    row.network,
    row.status,
  );
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
  const add = (sql: string, ...given: Value[]) => {
    conditions.push(sql);
    values.push(...given);
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
