// SQL of usage for quotas: the stored data of users, conversations and bots, and what was sent in the current hour.
import type { MessageRow } from './chat/messages.ts';
import type { Tx, WriteTx } from './database.ts';
import { arrayOf, forDialect, inList } from './dialect.ts';
import { fewRows, jsonRows } from './json-rows.ts';

/**
 * The usage of a user, a conversation or a bot. In PostgreSQL, the usage of a bot has several rows, its parts (`addToParts`).
 */
export interface UsageRow {
  /** The id of the user, the conversation or the bot. */
  id: string;
  /** The number of stored messages and events. */
  messages: number;
  /** The bytes of stored payloads, metadata and files. */
  bytes: number;
  files: number;
  /** The clock hour since 1970 of the next two. */
  hour: number;
  hourMessages: number;
  hourBytes: number;
}

/** The owners of the usage. A file belongs to no conversation. */
export interface UsageOwners {
  userId: string;
  botId: string;
  conversationId?: string;
}

/** An addition to the usage of one owner. */
export type AddedUsage = Omit<UsageRow, 'hour'>;

export const usageColumns = `id, messages, bytes, files, hour, hour_messages,
  hour_bytes`;

type Stored = Pick<UsageRow, 'messages' | 'bytes' | 'files'>;

/** The addition of one item to the usage of each of its owners. `hour`: clock hours since 1970. */
type Item = Stored & { hour: number; hourBytes: number };

/** Adds one item to the usage of each owner in one statement, and returns the new sums. */
export function addUsage(
  tx: WriteTx,
  { userId, botId, conversationId }: UsageOwners,
  { hour, ...item }: Item,
): Promise<UsageRow[]> {
  const ids = [userId, botId, ...(conversationId === undefined ? [] : [conversationId])];
  const added = ids.map((id) => ({ ...item, id, hourMessages: 1 }));
  return addUsages(tx, added, new Set([botId]), hour);
}

/**
 * Adds to the usage of several owners in one statement, and returns the new sums. `botIds`: which of the owners are bots; `hour`:
 * clock hours since 1970.
 */
export function addUsages(
  tx: WriteTx,
  added: readonly AddedUsage[],
  botIds: ReadonlySet<string>,
  hour: number,
): Promise<UsageRow[]> {
  return forDialect(tx, { sqlite: addToRows, postgres: addToParts })(tx, added, botIds, hour);
}

async function addToRows(
  tx: WriteTx,
  added: readonly AddedUsage[],
  _: unknown,
  hour: number,
): Promise<UsageRow[]> {
  return tx.all(
    `INSERT INTO usage (id, messages, bytes, files, hour, hour_messages, hour_bytes)
     VALUES ${added.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')} ${onUsageConflict} RETURNING ${usageColumns}`,
    ...added.flatMap(({ id, messages, bytes, files, hourMessages, hourBytes }) => {
      return [id, messages, bytes, files, hour, hourMessages, hourBytes];
    }),
  );
}

/** SQL: the id of the first row of an owner, of whose usage all rows are the sum. */
const firstPartOf = (id: string, sameId = id): string =>
  `(SELECT MIN(u.id) FROM usage u WHERE u.id >= ${id} AND u.id < ${sameId} || '!')`;

/**
 * Subtracts deleted data from the usage of each owner. The hourly usage does not change, because it counts what was
 * sent.
 */
export async function releaseUsage(
  tx: WriteTx,
  { userId = '', botId = '', conversationId = '' }: Partial<UsageOwners>,
  { messages, bytes, files }: Stored,
): Promise<void> {
  await tx.run(
    `UPDATE usage SET messages = messages - ?, bytes = bytes - ?, files = files - ? WHERE id IN (?, ?, ${firstPartOf('?', '?')})`,
    messages,
    bytes,
    files,
    userId,
    conversationId,
    botId,
    botId,
  );
}

/** Subtracts a deleted message from the storage of its author, conversation and bot. Messages of bots and of people who answer do not count. */
export async function releaseMessage(
  tx: WriteTx,
  { id, botId }: { id: string; botId: string },
  message: Pick<MessageRow, 'userId' | 'isBot' | 'author' | 'payload' | 'metadata'>,
): Promise<void> {
  const { userId, isBot, author, payload, metadata } = message;
  if (isBot === 1 || author !== null) return;
  const bytes = Buffer.byteLength(payload + (metadata ?? ''));
  await releaseUsage(tx, { userId, conversationId: id, botId }, { messages: 1, bytes, files: 0 });
}

/** Subtracts deleted data from the usage of owners; an owner may occur several times. */
export async function releaseUsages(
  tx: WriteTx,
  released: readonly ({ id: string } & Stored)[],
): Promise<void> {
  const sums = new Map<string, Stored>();
  for (const { id, messages, bytes, files } of released) {
    const sum = sums.get(id) ?? { messages: 0, bytes: 0, files: 0 };
    sums.set(id, {
      messages: sum.messages + messages,
      bytes: sum.bytes + bytes,
      files: sum.files + files,
    });
  }
  if (sums.size === 0) return;
  const rows = jsonRows(tx);
  await tx.run(
    `UPDATE usage SET messages = usage.messages - ${rows.integer(1)}, bytes = usage.bytes - ${rows.integer(2)},
       files = usage.files - ${rows.integer(3)} FROM ${rows.from} WHERE usage.id = ${firstPartOf(rows.text(0))}`,
    JSON.stringify([...sums].map(([id, { messages, bytes, files }]) => [id, messages, bytes, files])),
  );
}

/**
 * Subtracts deleted conversations from the usage of their bots. The usage of users is reduced when the other rows of the
 * conversations are deleted.
 */
export async function releaseConversations(
  tx: WriteTx,
  conversations: readonly { id: string; botId: string }[],
): Promise<void> {
  const botIds = new Map(conversations.map(({ id, botId }) => [id, botId]));
  const condition = inList(tx, 'id', [...botIds.keys()]);
  const rows = await tx.all<{ id: string } & Stored>(
    `DELETE FROM usage WHERE ${condition.sql} RETURNING id, messages, bytes, files`,
    ...condition.values,
  );
  await releaseUsages(
    tx,
    rows.map((row) => ({ ...row, id: botIds.get(row.id) ?? '' })),
  );
}

/** Adds the usage of one user to that of another. */
export async function moveUsage(tx: WriteTx, from: string, to: string): Promise<void> {
  const ofHour = (column: string) =>
    `CASE WHEN usage.hour = excluded.hour THEN usage.${column} + excluded.${column}
       WHEN usage.hour > excluded.hour THEN usage.${column} ELSE excluded.${column} END`;
  await tx.run(
    `INSERT INTO usage (id, messages, bytes, files, hour, hour_messages, hour_bytes)
     SELECT ?, messages, bytes, files, hour, hour_messages, hour_bytes FROM usage WHERE id = ?
     ON CONFLICT (id) DO UPDATE SET messages = usage.messages + excluded.messages,
       bytes = usage.bytes + excluded.bytes, files = usage.files + excluded.files,
       hour_messages = ${ofHour('hour_messages')}, hour_bytes = ${ofHour('hour_bytes')},
       hour = CASE WHEN usage.hour > excluded.hour THEN usage.hour ELSE excluded.hour END`,
    to,
    from,
  );
  await deleteUsage(tx, from);
}

/** Deletes the usage of an owner with all its parts. */
export async function deleteUsage(tx: WriteTx, id: string): Promise<void> {
  await tx.run("DELETE FROM usage WHERE id >= ? AND id < ? || '!'", id, id);
}

export async function deleteUsages(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const condition = inList(tx, 'id', ids);
  await tx.run(`DELETE FROM usage WHERE ${condition.sql}`, ...condition.values);
}

export async function usageOf(tx: Tx, id: string): Promise<UsageRow | undefined> {
  return tx.get(`SELECT ${usageColumns} FROM usage WHERE id = ?`, id);
}

const isSameHour = 'CASE WHEN usage.hour = excluded.hour THEN';

/** SQL: the end of an INSERT into `usage`, which adds to the rows that exist. The counters of an earlier hour begin again. */
export const onUsageConflict = `ON CONFLICT (id) DO UPDATE SET messages = usage.messages + excluded.messages,
  bytes = usage.bytes + excluded.bytes, files = usage.files + excluded.files, hour = excluded.hour,
  hour_messages = ${isSameHour} usage.hour_messages ELSE 0 END + excluded.hour_messages,
  hour_bytes = ${isSameHour} usage.hour_bytes ELSE 0 END + excluded.hour_bytes`;

/** More than the transactions of several processes that write for one bot at the same time. */
const maxParts = 64;

/**
 * SQL: the id of a part that no other transaction uses until the end of this one; if all are used, any of them, for which
 * the statement waits. The first one has the id of the bot, so that a bot has further parts only if it needed them. The lock
 * has the name of the part, because others may be inserting its row. `bot`: SQL of the id of the bot.
 */
export const freePartOf = (bot: string): string => `COALESCE(
  (SELECT p.id FROM (SELECT CASE WHEN n = 0 THEN ${bot} ELSE ${bot} || ' ' || n END AS id
     FROM generate_series(0, ${maxParts - 1}) AS n) p
   WHERE pg_try_advisory_xact_lock(hashtextextended('usage ' || p.id, 0)) LIMIT 1),
  ${bot} || ' ' || (1 + floor(random() * ${maxParts - 1}))::bigint)`;

/** SQL: a FROM item `usage` with the rows of all parts of these bots, with one parameter, `botsOf`. */
export const usageOfBots = `${fewRows('unnest(CAST(? AS text[]))')} AS b (id)
  JOIN LATERAL (SELECT u.* FROM usage u WHERE u.id >= b.id AND u.id < b.id || '!'
    ORDER BY u.id LIMIT ${maxParts}) AS usage ON TRUE`;

/** The parameter of `usageOfBots`. */
export const botsOf = (ids: readonly string[]) => arrayOf([...new Set(ids)]);

/** Adds the parts of each bot up. Only the counts of the last hour belong together. */
export function withSums(rows: readonly UsageRow[]): UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const [id = ''] = row.id.split(' ');
    const sum = sums.get(id);
    if (!sum) {
      sums.set(id, { ...row, id });
      continue;
    }
    const hour = Math.max(sum.hour, row.hour);
    const ofHour = [sum, row].filter((one) => one.hour === hour);
    sums.set(id, {
      id,
      messages: sum.messages + row.messages,
      bytes: sum.bytes + row.bytes,
      files: sum.files + row.files,
      hour,
      hourMessages: ofHour.reduce((total, one) => total + one.hourMessages, 0),
      hourBytes: ofHour.reduce((total, one) => total + one.hourBytes, 0),
    });
  }
  return [...sums.values()];
}

/**
 * Adds to the usage of several owners in one statement of PostgreSQL, and returns the new sums. Messages of all processes
 * change the usage of a bot: it has several rows, its parts, and each transaction adds to a part that no other transaction uses
 * (decision 175). The usage of a bot is the sum of its parts, with the additions that other transactions have committed.
 */
export async function addToParts(
  tx: WriteTx,
  added: readonly AddedUsage[],
  botIds: ReadonlySet<string>,
  hour: number,
): Promise<UsageRow[]> {
  const rows = await tx.all<UsageRow & { isNew: number }>(
    `WITH stored AS (
       INSERT INTO usage (id, messages, bytes, files, hour, hour_messages, hour_bytes)
       SELECT CASE WHEN a.is_bot = 1 THEN ${freePartOf('a.id')} ELSE a.id END AS id, a.messages, a.bytes, a.files,
         CAST(? AS bigint), a.hour_messages, a.hour_bytes
       FROM ${fewRows(`unnest(CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]),
           CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]))`)}
         AS a (id, is_bot, messages, bytes, files, hour_messages, hour_bytes)
       ORDER BY 1
       ${onUsageConflict}
       RETURNING *)
     SELECT ${usageColumns}, 1 AS is_new FROM stored
     UNION ALL SELECT usage.${usageColumns}, 0 FROM ${usageOfBots}`,
    hour,
    arrayOf(added.map(({ id }) => id)),
    arrayOf(added.map(({ id }) => (botIds.has(id) ? 1 : 0))),
    arrayOf(added.map(({ messages }) => messages)),
    arrayOf(added.map(({ bytes }) => bytes)),
    arrayOf(added.map(({ files }) => files)),
    arrayOf(added.map(({ hourMessages }) => hourMessages)),
    arrayOf(added.map(({ hourBytes }) => hourBytes)),
    botsOf([...botIds]),
  );
  const isNew = new Set(rows.filter((row) => row.isNew === 1).map(({ id }) => id));
  return withSums(rows.filter((row) => row.isNew === 1 || !isNew.has(row.id)));
}

/** The usage of each of these bots, with all its parts; a bot that nobody has used has none. */
export async function usageOfBotIds(tx: Tx, ids: readonly string[]): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  for (const id of ids) {
    rows.push(
      ...(await tx.all<UsageRow>(
        `SELECT ${usageColumns} FROM usage WHERE id >= ? AND id < ? || '!' ORDER BY id LIMIT ${maxParts}`,
        id,
        id,
      )),
    );
  }
  return withSums(rows);
}
