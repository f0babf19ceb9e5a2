// SQL of the usage of bots in PostgreSQL, which messages of all processes change: a bot has several rows, its parts, and
// each transaction adds to one that no other transaction uses (decision 175). The usage of a bot is their sum.
import type { WriteTx } from '../database.ts';
import { arrayOf } from '../dialect.ts';

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

export const usageColumns = `id, messages, bytes, files, hour, hour_messages,
  hour_bytes`;

const isSameHour = 'CASE WHEN usage.hour = excluded.hour THEN';

/** SQL: the end of an INSERT into `usage`, which adds to the rows that exist. The counters of an earlier hour begin again. */
export const onUsageConflict = `ON CONFLICT (id) DO UPDATE SET messages = usage.messages + excluded.messages,
  bytes = usage.bytes + excluded.bytes, files = usage.files + excluded.files, hour = excluded.hour,
  hour_messages = ${isSameHour} usage.hour_messages ELSE 0 END + excluded.hour_messages,
  hour_bytes = ${isSameHour} usage.hour_bytes ELSE 0 END + excluded.hour_bytes`;

/** An addition to the usage of one owner. */
export type AddedUsage = Omit<UsageRow, 'hour'>;

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
export const usageOfBots = `unnest(CAST(? AS text[])) AS b (id)
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
 * Adds to the usage of several owners in one statement of PostgreSQL, and returns the new sums. The sum of a bot has what
 * other transactions have committed (`addUsages` of ../usage.ts).
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
       FROM unnest(CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]),
           CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]))
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
