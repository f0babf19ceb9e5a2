// SQL of lists of files of the Files API: filters, pages in every order, tags and their values, storage in use.
import type { FileSortField } from '../../../protocol/types/files.ts';
import type { TagFilter } from '../../../protocol/types/tags.ts';
import type { Tx, Value } from '../database.ts';
import { type Condition, forDialect, inList, jsonText } from '../dialect.ts';
import { completeSql, type FileRow, fileColumns } from './files.ts';
import { chatFileOwnersSql, conversationFileOwnersSql } from './owners.ts';

/** The columns by which lists are sorted. Equal values are sorted by id, so that every position in a list is unique. */
const sortColumns: Record<FileSortField, { column: string; field: keyof FileRow }> = {
  key: { column: 'f.key', field: 'key' },
  size: { column: 'f.size', field: 'size' },
  createdAt: { column: 'f.created_at', field: 'createdAt' },
  updatedAt: { column: 'f.updated_at', field: 'updatedAt' },
  status: { column: 'f.status', field: 'status' },
};

/** The position of a file in such a list. */
export const positionOf = (row: FileRow, sort: FileSortField): [value: string | number, id: string] => [
  row[sortColumns[sort].field] as string | number,
  row.id,
];

export interface FileQuery {
  filter: FileFilter;
  sort: FileSortField;
  direction: 'asc' | 'desc';
  /** The position after which the page begins. */
  after: [Value, string] | undefined;
  limit: number;
}

export async function listFiles(
  tx: Tx,
  { filter, sort, direction, after, limit }: FileQuery,
): Promise<FileRow[]> {
  const { sql, values } = fileCondition(tx, filter);
  const { column } = sortColumns[sort];
  const [comparison, order] = direction === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
  const isAfter = after ? `AND (${column}, f.id) ${comparison} (?, ?)` : '';
  return tx.all(
    `SELECT ${fileColumns} FROM files f WHERE ${sql} ${isAfter} ORDER BY ${column} ${order}, f.id ${order} LIMIT ?`,
    ...values,
    ...(after ?? []),
    limit,
  );
}

/** Names of tags on the visible files of a bot after `after`, sorted. */
export async function listTagNames(
  tx: Tx,
  botId: string,
  visibleTo: FileFilter['visibleTo'],
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const visible = visibilityCondition(visibleTo);
  const rows = await tx.all<{ name: string }>(
    `SELECT DISTINCT t.name FROM file_tags t JOIN files f ON f.id = t.file_id
     WHERE t.bot_id = ? AND t.name > ? AND ${visible.sql} ORDER BY t.name LIMIT ?`,
    botId,
    after ?? '',
    ...visible.values,
    limit,
  );
  return rows.map(({ name }) => name);
}

/** Values of a tag on the visible files of a bot after `after`, sorted. */
export async function listTagValues(
  tx: Tx,
  botId: string,
  name: string,
  visibleTo: FileFilter['visibleTo'],
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const visible = visibilityCondition(visibleTo);
  const from = after === undefined ? { sql: '', values: [] } : { sql: 'AND t.value > ?', values: [after] };
  const rows = await tx.all<{ value: string }>(
    `SELECT DISTINCT t.value FROM file_tags t JOIN files f ON f.id = t.file_id
     WHERE t.bot_id = ? AND t.name = ? ${from.sql} AND ${visible.sql} ORDER BY t.value LIMIT ?`,
    botId,
    name,
    ...from.values,
    ...visible.values,
    limit,
  );
  return rows.map(({ value }) => value);
}

/** The owners of the files in conversations that are counted, besides the files that the caller can list. */
const countedOwners = { none: [], chat: [chatFileOwnersSql], all: [conversationFileOwnersSql] };

/**
 * The storage that visible files use: the bytes of all complete files, and the bytes of the passages of searchable
 * files. `inConversations`: which files in conversations of the same bot are included: none, those that the bot can have, or
 * also those of notes.
 */
export async function countStorage(
  tx: Tx,
  visibleTo: FileFilter['visibleTo'],
  inConversations: keyof typeof countedOwners,
) {
  const { sql, values } = visibilityCondition(visibleTo);
  const owners = visibleTo === 'none' ? [] : countedOwners[inConversations];
  const isOfVisitor = owners.map((types) => `OR (f.bot_id = ? AND f.owner_type IN (${types}))`);
  const botIds = visibleTo === 'none' ? [] : owners.map(() => visibleTo.botId);
  const row = await tx.get<Record<'files' | 'bytes' | 'indexed' | 'indexedBytes', number | null>>(
    `SELECT COUNT(*) AS files, SUM(f.size) AS bytes,
       SUM(CASE WHEN f.index_version IS NULL THEN 0 ELSE 1 END) AS indexed, SUM(f.indexed_bytes) AS indexed_bytes
     FROM files f WHERE ${completeSql} AND ((${sql}) ${isOfVisitor.join('')})`,
    ...values,
    ...botIds,
  );
  return {
    files: { count: row?.files ?? 0, bytes: row?.bytes ?? 0 },
    vectorDb: { count: row?.indexed ?? 0, bytes: row?.indexedBytes ?? 0 },
  };
}

/** The files that a caller can see: those of their own space of a bot, and those that are shared with them. */
export interface FileVisibility {
  botId: string;
  /** The space of the caller's own files, in which keys are unique. */
  space: string;
  /** True to include files of other spaces that integrations can see. */
  sharedWithIntegrations: boolean;
}

/** All fields must match. */
export interface FileFilter {
  /** `none` matches no file. */
  visibleTo: FileVisibility | 'none';
  tags?: TagFilter | undefined;
  ids?: readonly string[] | undefined;
  isIndexed?: boolean | undefined;
}

type Engine = Pick<Tx, 'dialect'>;

/** Returns the condition of a filter. */
export function fileCondition(tx: Engine, { visibleTo, tags, ids, isIndexed }: FileFilter): Condition {
  const conditions = [visibilityCondition(visibleTo), tagCondition(tx, tags)];
  if (ids !== undefined) {
    conditions.push(inList(tx, 'f.id', ids));
  }
  if (isIndexed !== undefined) conditions.push({ sql: 'f.is_indexed = ?', values: [isIndexed ? 1 : 0] });
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/**
 * Returns the condition that a caller can see a file. Files in conversations are excluded, because they are accessible by
 * address only.
 */
export function visibilityCondition(visibleTo: FileFilter['visibleTo']): Condition {
  if (visibleTo === 'none') return { sql: '1 = 0', values: [] };
  const { botId, space, sharedWithIntegrations } = visibleTo;
  const isInSpace = sharedWithIntegrations ? '(f.space = ? OR f.for_integrations = 1)' : 'f.space = ?';
  return {
    sql: `f.bot_id = ? AND f.owner_type NOT IN (${conversationFileOwnersSql}) AND ${isInSpace}`,
    values: [botId, space],
  };
}

/** A requirement of a filter: that a file has, or does not have, a tag with one of these values; null for any value. */
interface TagDemand {
  name: string;
  values: readonly string[] | null;
  wanted: 0 | 1;
}

/**
 * Converts a filter by tags to a condition. A row without the tag matches `not` and `exists: false`. `source`: the names
 * and values of the tags of one row, by default those of the file `f`. The SQL is the same for every filter, because a
 * connection keeps the prepared statement of each SQL text in memory.
 */
export function tagCondition(
  tx: Engine,
  filter: TagFilter | undefined,
  source = 'SELECT name, value FROM file_tags WHERE file_id = f.id',
): Condition {
  const demands = Object.entries(filter ?? {}).flatMap(([tag, condition]): TagDemand[] => {
    if (typeof condition === 'string' || Array.isArray(condition)) {
      return [{ name: tag, values: listOf(condition), wanted: 1 }];
    }
    const { not, in: oneOf, exists } = condition;
    const all: TagDemand[] = [];
    if (not !== undefined) all.push({ name: tag, values: listOf(not), wanted: 0 });
    if (oneOf !== undefined) all.push({ name: tag, values: listOf(oneOf), wanted: 1 });
    if (exists !== undefined) all.push({ name: tag, values: null, wanted: exists ? 1 : 0 });
    return all;
  });
  if (demands.length === 0) return { sql: '1 = 1', values: [] };
  const sql = forDialect(tx, {
    sqlite: `NOT EXISTS (SELECT 1 FROM json_each(?) d WHERE d.value ->> 'wanted' <> EXISTS (
          SELECT 1 FROM (${source}) t WHERE t.name = d.value ->> 'name' AND (
            d.value ->> 'values' IS NULL OR t.value IN (SELECT value FROM json_each(d.value, '$.values')))))`,
    postgres: `NOT EXISTS (SELECT 1 FROM jsonb_array_elements(?::jsonb) d WHERE (d ->> 'wanted' = '1') <> EXISTS (
          SELECT 1 FROM (${source}) t WHERE t.name = d ->> 'name' AND (
            d ->> 'values' IS NULL OR d -> 'values' @> to_jsonb(t.value))))`,
  });
  return { sql, values: [jsonText(tx, demands)] };
}

/** The names and values of the tags in a column with a JSON object. */
export const tagsInJson = (tx: Engine, column: string): string =>
  forDialect(tx, {
    sqlite: `SELECT key AS name, value FROM json_each(${column})`,
    postgres: `SELECT key AS name, value FROM jsonb_each_text(${column}::jsonb)`,
  });

const listOf = (oneOrMore: string | string[]): string[] =>
  typeof oneOrMore === 'string' ? [oneOrMore] : oneOrMore;
