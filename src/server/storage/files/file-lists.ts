// SQL of lists over the files of the platform: pages in every order, tags and their values, what they take. Who may
// see which file comes as a condition.
import type { FileSortField } from '../../../protocol/platform-file.ts';
import type { Tx, Value } from '../database.ts';
import type { Condition } from './condition.ts';
import { completeSql, type FileRow, fileColumns } from './files.ts';
import { type PassageRow, passageColumns } from './passages.ts';

/** The columns that lists are sorted by; the id decides between equals, so that a place in a list is one place. */
const sortColumns: Record<FileSortField, { column: string; field: keyof FileRow }> = {
  key: { column: 'f.key', field: 'key' },
  size: { column: 'f.size', field: 'size' },
  createdAt: { column: 'f.created_at', field: 'createdAt' },
  updatedAt: { column: 'f.updated_at', field: 'updatedAt' },
  status: { column: 'f.status', field: 'status' },
};

/** Where a file stands in such a list. */
export const placeOf = (row: FileRow, sort: FileSortField): [value: string | number, id: string] => [
  row[sortColumns[sort].field] as string | number,
  row.id,
];

export interface FileQuery {
  conditions: Condition[];
  sort: FileSortField;
  direction: 'asc' | 'desc';
  /** The place after which the page begins. */
  after: [Value, string] | undefined;
  limit: number;
}

export async function listFiles(
  tx: Tx,
  { conditions, sort, direction, after, limit }: FileQuery,
): Promise<FileRow[]> {
  const { column } = sortColumns[sort];
  const [up, order] = direction === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
  const all = after ? [...conditions, { sql: `(${column}, f.id) ${up} (?, ?)`, values: after }] : conditions;
  return tx.all(
    `SELECT ${fileColumns} FROM files f WHERE ${whole(all)} ORDER BY ${column} ${order}, f.id ${order} LIMIT ?`,
    ...all.flatMap(({ values }) => values),
    limit,
  );
}

/** Files of these ids. */
export function idCondition(ids: readonly string[]): Condition {
  return { sql: 'f.id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)] };
}

/** Files that are to be indexed, or all others. */
export const indexedCondition = (isIndexed: boolean): Condition => ({
  sql: 'f.is_indexed = ?',
  values: [isIndexed ? 1 : 0],
});

/** Names of tags on these files after `after`, in their order. */
export async function listTagNames(
  tx: Tx,
  botId: string,
  visible: Condition,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
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

/** Values of a tag on these files after `after`, in their order. */
export async function listTagValues(
  tx: Tx,
  botId: string,
  name: string,
  visible: Condition,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
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

/** A found passage with its file; of those numbers, that are searched and fit the conditions. */
export async function foundPassages(
  tx: Tx,
  seqs: readonly number[],
  conditions: Condition[],
): Promise<{ passage: PassageRow; file: FileRow }[]> {
  const rows = await tx.all<PassageRow & FileRow & { passageId: string; passageEdition: string }>(
    `SELECT ${passageColumns}, p.id AS "passageId", p.edition AS "passageEdition", ${fileColumns}
     FROM passages p JOIN files f ON f.edition = p.edition
     WHERE p.seq IN (SELECT value FROM json_each(?)) AND ${whole(conditions)}`,
    JSON.stringify(seqs),
    ...conditions.flatMap(({ values }) => values),
  );
  return rows.map((row) => ({
    file: row,
    passage: { ...row, id: row.passageId, edition: row.passageEdition },
  }));
}

/** Passages `p` of such files, as they are searched. */
export const passagesOf = (conditions: Condition[]): Condition => ({
  sql: `p.edition IN (SELECT f.edition FROM files f WHERE f.edition IS NOT NULL AND ${whole(conditions)})`,
  values: conditions.flatMap(({ values }) => values),
});

/** True when the words of one of these files can be searched. */
export async function anySearched(tx: Tx, conditions: Condition[]): Promise<boolean> {
  const found = await tx.get(
    `SELECT 1 FROM files f WHERE f.edition IS NOT NULL AND ${whole(conditions)} LIMIT 1`,
    ...conditions.flatMap(({ values }) => values),
  );
  return found !== undefined;
}

/** What these files take: those with all their bytes, and the words of those that can be searched. */
export async function countStorage(tx: Tx, condition: Condition) {
  const row = await tx.get<Record<'files' | 'bytes' | 'indexed' | 'indexedBytes', number | null>>(
    `SELECT COUNT(*) AS "files", SUM(f.size) AS "bytes",
       SUM(CASE WHEN f.edition IS NULL THEN 0 ELSE 1 END) AS "indexed", SUM(f.indexed_bytes) AS "indexedBytes"
     FROM files f WHERE ${completeSql} AND ${condition.sql}`,
    ...condition.values,
  );
  return {
    files: { count: row?.files ?? 0, bytes: row?.bytes ?? 0 },
    vectorDb: { count: row?.indexed ?? 0, bytes: row?.indexedBytes ?? 0 },
  };
}

const whole = (conditions: Condition[]): string => conditions.map(({ sql }) => `(${sql})`).join(' AND ');
