// SQL that deletes a bounded number of rows: those of a bot, or expired ones.
import type { Value, WriteTx } from './database.ts';

/** The primary keys of these tables. */
const keys = {
  assignments: 'id',
  audit_log: 'id',
  bot_logs: 'id',
  computed_tables: 'table_id, kind',
  computed_usage: 'bot_id',
  contacts: 'user_id',
  deleted_users: 'bot_id, id_hash',
  deleted_handlings: 'workspace_id, deleted_at, conversation_id',
  deliveries: 'event_id',
  handlings: 'conversation_id',
  handoffs: 'id',
  person_replies: 'conversation_id, seq',
  push_subscriptions: 'id',
  ratings: 'handoff_id',
  invitations: 'conversation_id, invited_hash',
  knowledge_bases: 'id',
  mailed_addresses: 'address_hash',
  one_time_links: 'hash',
  requests: 'caller, operation, key',
  return_links: 'hash',
  revoked_user_keys: 'bot_id, key_hash',
  sessions: 'id',
  sign_in_attempts: 'id',
  states: 'owner_id, name',
  tags: 'resource_id, kind, name',
  unanswered_messages: 'conversation_id, cause_id',
  webchat_versions: 'id',
};
type Table = keyof typeof keys;

/** Deletes up to `limit` rows that match an SQL condition and returns their number. */
export async function deleteRows(
  tx: WriteTx,
  table: Table,
  condition: string,
  values: readonly Value[],
  limit: number,
): Promise<number> {
  return tx.run(
    `DELETE FROM ${table} WHERE (${keys[table]}) IN
       (SELECT ${keys[table]} FROM ${table} WHERE ${condition} LIMIT ?)`,
    ...values,
    limit,
  );
}

/** Deletes up to `limit` rows of a bot and returns their number. */
export async function deleteRowsOfBot(
  tx: WriteTx,
  table: Exclude<
    Table,
    'audit_log' | 'one_time_links' | 'requests' | 'return_links' | 'sessions' | 'sign_in_attempts'
  >,
  botId: string,
  limit: number,
): Promise<number> {
  return deleteRows(tx, table, 'bot_id = ?', [botId], limit);
}

/** The time from which the expiry of a row is calculated. */
const expiry = {
  audit_log: 'at <= ?',
  deleted_handlings: 'deleted_at <= ?',
  invitations: 'invited_at <= ?',
  one_time_links: 'expires_at <= ?',
  requests: 'created_at <= ?',
  return_links: 'expires_at <= ?',
  revoked_user_keys: 'expires_at <= ?',
  sessions: 'seen_at <= ?',
  sign_in_attempts: 'expires_at <= ?',
  states: 'expires_at <= ?',
} satisfies Partial<Record<Table, string>>;

/** Tables with rows that expire. */
export type ExpiringTable = keyof typeof expiry;

/** Deletes up to `limit` rows with a time not after `time`, and returns their number. */
export async function deleteExpiredRows(
  tx: WriteTx,
  table: ExpiringTable,
  time: number,
  limit: number,
): Promise<number> {
  return deleteRows(tx, table, expiry[table], [time], limit);
}
