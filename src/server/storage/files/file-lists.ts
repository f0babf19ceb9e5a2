// SQL of lists of files of the Files API: pages in every order, tags and their values, storage in use.
import type { FileSortField } from '../../../protocol/types/files.ts';
import type { Tx, Value } from '../database.ts';
import { inList } from '../dialect.ts';
import { type FileFilter, fileCondition, visibilityCondition } from './file-filter.ts';
import { completeSql, type FileRow, fileColumns } from './files.ts';
import { chatFileOwnersSql, conversationFileOwnersSql } from './owners.ts';
import { type PassageRow, passageColumns } from './passages.ts';

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

/** Of the passages with these numbers, the searchable ones of matching files, each with its file. */
export async function foundPassages(
  tx: Tx,
  seqs: readonly number[],
  filter: FileFilter,
): Promise<{ passage: PassageRow; file: FileRow }[]> {
  const { sql, values } = fileCondition(tx, filter);
  const isFound = inList(tx, 'p.seq', seqs);
  const rows = await tx.all<PassageRow & FileRow & { passageId: string; passageVersion: string }>(
    `SELECT ${passageColumns}, p.id AS passage_id, p.index_version AS passage_version, ${fileColumns}
     FROM passages p JOIN files f ON f.index_version = p.index_version
     WHERE ${isFound.sql} AND ${sql}`,
    ...isFound.values,
    ...values,
  );
  return rows.map((row) => ({
    file: row,
    passage: { ...row, id: row.passageId, indexVersion: row.passageVersion },
  }));
}

/** True when the passages of a matching file can be searched. */
export async function hasSearchableFile(tx: Tx, filter: FileFilter): Promise<boolean> {
  const { sql, values } = fileCondition(tx, filter);
  const found = await tx.get(
    `SELECT 1 FROM files f WHERE f.index_version IS NOT NULL AND ${sql} LIMIT 1`,
    ...values,
  );
  return found !== undefined;
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
