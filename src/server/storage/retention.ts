// SQL of retention: reads tables in the order of ids, which is the order of creation, and marks rows that are unused
// for longer than the period of their bot.
import type { RetentionDays } from '../../protocol/types/visitors.ts';
import { deliveryStates } from './bots/deliveries.ts';
import type { Tx, Value, WriteTx } from './database.ts';
import { inList, rowLock } from './dialect.ts';
import { columnOf } from './table.ts';

/** Milliseconds of a day. */
export const dayMs = 24 * 60 * 60 * 1000;

/** A row, and whether it is older than the period. */
export interface Aged {
  id: string;
  createdAt: number;
  /** 1 when it was not used during the period. */
  isOld: 0 | 1;
}

/** A row that is removed. */
export interface OldRow {
  id: string;
  botId: string;
  workspaceId: string;
}

/** The values that determine the age of a row. */
export interface AgeLimit {
  /** Milliseconds since 1970. */
  now: number;
  /** Days, for bots that have no period of their own; 0 keeps everything. */
  defaultDays: number;
}

interface AgedTable {
  period: keyof RetentionDays;
  /** The columns of the id, by which rows are read, of the creation, and of the last use. */
  id: string;
  createdAt: string;
  usedAt: string;
  /** A further condition for rows `t` to be old; `{before}` is the time before which they were not used. */
  condition: string;
}

/** SQL condition: the user in this column participates in a conversation that matches. */
const participates = (column: string, condition: string): string =>
  `EXISTS (SELECT 1 FROM participants p CROSS JOIN conversations c ON c.id = p.conversation_id
    LEFT JOIN handlings h ON h.conversation_id = c.id WHERE p.user_id = ${column} AND ${condition})`;

/** SQL condition: the conversation in this column waits for a person or has one. */
const isHandled = (column: string): string =>
  `EXISTS (SELECT 1 FROM handlings h WHERE h.conversation_id = ${column} AND h.is_open = 1)`;

/** Tables with the rows that are read. Nothing is removed of conversations that wait for a person or have one. */
const tables = {
  conversations: {
    period: 'messagesDays',
    id: 'id',
    createdAt: 'created_at',
    usedAt: 'updated_at',
    condition: `NOT ${isHandled('t.id')}`,
  },
  files: {
    period: 'filesDays',
    id: 'id',
    createdAt: 'created_at',
    usedAt: 'created_at',
    condition: `(t.owner_type = 'visitor' AND NOT ${participates('t.owner_id', 'h.is_open = 1')}
      OR t.owner_type IN ('conversation', 'note') AND NOT ${isHandled('t.owner_id')})`,
  },
  // An address has no age of its own: it is used by all conversations of the visitor.
  contacts: {
    period: 'contactsDays',
    id: 'user_id',
    createdAt: 'updated_at',
    usedAt: 'updated_at',
    condition: `NOT ${participates('t.user_id', '(h.is_open = 1 OR c.updated_at > {before})')}`,
  },
  // A user who participates in an existing conversation is kept. Rows of deleted conversations do not count.
  users: {
    period: 'messagesDays',
    id: 'id',
    createdAt: 'created_at',
    usedAt: 'updated_at',
    condition: `t.foreign_id IS NULL AND t.is_bot = 0 AND NOT ${participates('t.id', '1 = 1')}`,
  },
} satisfies Record<string, AgedTable>;

export type RetentionTable = keyof typeof tables;

/** Tables for the administrators of a bot, whose rows are removed by their age alone. */
const logTables = {
  bot_logs: {
    period: 'logsDays',
    id: 'id',
    createdAt: 'created_at',
    usedAt: 'created_at',
    condition: '1 = 1',
  },
  deliveries: {
    period: 'logsDays',
    id: 'event_id',
    createdAt: 'due_at',
    usedAt: 'due_at',
    condition: `t.state = '${deliveryStates.deadLetter}' AND t.owner IS NULL`,
  },
} satisfies Record<string, AgedTable>;

export type LogTable = keyof typeof logTables;

/** The period that holds for the rows of a table. */
export const periodOf = (table: RetentionTable): keyof RetentionDays => tables[table].period;

/** Whether the rows of a table are in the order of their ages, so that the first new one ends the search. */
export const isInOrder = (table: RetentionTable): boolean => table !== 'contacts';

/** SQL condition for old rows `t` of bots `b`, with its parameters. */
function oldRows(
  { period, usedAt, condition }: AgedTable,
  { now, defaultDays }: AgeLimit,
): { sql: string; values: Value[] } {
  // PostgreSQL does not derive the type of a parameter that is only compared with one.
  const days = `COALESCE(b.${periodColumns[period]}, CAST(? AS BIGINT))`;
  const before = `(CAST(? AS BIGINT) - ${days} * ${dayMs})`;
  const isCompared = condition.includes('{before}');
  return {
    sql: `${days} > 0 AND t.${usedAt} <= ${before} AND ${condition.replace('{before}', before)}`,
    values: [defaultDays, now, defaultDays, ...(isCompared ? [now, defaultDays] : [])],
  };
}

/** Returns the rows after an id. */
export async function agedAfter(
  tx: Tx,
  table: RetentionTable,
  after: string,
  age: AgeLimit,
  limit: number,
): Promise<Aged[]> {
  const { id, createdAt } = tables[table];
  const { sql, values } = oldRows(tables[table], age);
  return tx.all(
    `SELECT t.${id} AS id, t.${createdAt} AS created_at, CASE WHEN ${sql} THEN 1 ELSE 0 END AS is_old
     FROM ${table} t LEFT JOIN bots b ON b.id = t.bot_id WHERE t.${id} > ? ORDER BY t.${id} LIMIT ?`,
    ...values,
    after,
    limit,
  );
}

/** Returns those of the rows that still exist and are still old. Their bots and workspaces are empty where unknown. */
export async function stillOld(
  tx: WriteTx,
  table: RetentionTable,
  ids: readonly string[],
  age: AgeLimit,
): Promise<OldRow[]> {
  const { id } = tables[table];
  const isListed = inList(tx, `t.${id}`, ids);
  const { sql, values } = oldRows(tables[table], age);
  // A row that another transaction is changing is looked at again when that has ended.
  const lock = rowLock(tx, 'FOR UPDATE OF t');
  return tx.all(
    `SELECT t.${id} AS id, t.bot_id, COALESCE(b.workspace_id, '') AS workspace_id
     FROM ${table} t LEFT JOIN bots b ON b.id = t.bot_id WHERE ${isListed.sql} AND ${sql} ORDER BY t.${id} ${lock}`,
    ...isListed.values,
    ...values,
  );
}

/**
 * Deletes up to `limit` old rows and returns their number. `shortest`: the shortest period of any bot in days, whose time an
 * index finds.
 */
export async function deleteOldLogs(
  tx: WriteTx,
  table: LogTable,
  age: AgeLimit,
  shortest: number,
  limit: number,
): Promise<number> {
  const { id, usedAt } = logTables[table];
  const { sql, values } = oldRows(logTables[table], age);
  return tx.run(
    `DELETE FROM ${table} WHERE ${id} IN
       (SELECT t.${id} FROM ${table} t LEFT JOIN bots b ON b.id = t.bot_id WHERE t.${usedAt} <= ? AND ${sql} LIMIT ?)`,
    age.now - shortest * dayMs,
    ...values,
    limit,
  );
}

/** The periods of a bot; null: that of the server. */
export type OwnPeriods = { [Name in keyof RetentionDays]: number | null };

/** The columns of `bots`. */
export const periodColumns: Record<keyof RetentionDays, string> = {
  messagesDays: 'retention_messages',
  filesDays: 'retention_files',
  logsDays: 'retention_logs',
  contactsDays: 'retention_contacts',
};

export async function ownPeriods(tx: Tx, botId: string): Promise<OwnPeriods> {
  const columns = Object.entries(periodColumns).map(([name, column]) => `${column} AS ${columnOf(name)}`);
  const found = await tx.get<OwnPeriods>(`SELECT ${columns.join(', ')} FROM bots WHERE id = ?`, botId);
  return found ?? { messagesDays: null, filesDays: null, logsDays: null, contactsDays: null };
}

export async function setOwnPeriods(tx: WriteTx, botId: string, periods: OwnPeriods): Promise<void> {
  const { messagesDays, filesDays, logsDays, contactsDays } = periods;
  await tx.run(
    `UPDATE bots SET retention_messages = ?, retention_files = ?, retention_logs = ?, retention_contacts = ? WHERE id = ?`,
    messagesDays,
    filesDays,
    logsDays,
    contactsDays,
    botId,
  );
}

/** The shortest period that any bot has, in days, or `ofServer`; 0 when all data is kept. */
export async function shortestPeriod(tx: Tx, name: keyof RetentionDays, ofServer: number): Promise<number> {
  const column = periodColumns[name];
  const row = await tx.get<{ days: number | null }>(
    `SELECT MIN(${column}) AS days FROM bots WHERE ${column} > 0 AND deleted_at IS NULL`,
  );
  const all = [row?.days ?? 0, ofServer].filter((days) => days > 0);
  return all.length === 0 ? 0 : Math.min(...all);
}
