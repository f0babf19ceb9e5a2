// Typed filters of files, and their SQL.
import type { TagFilter } from '../../../protocol/file.ts';
import type { Value } from '../database.ts';

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

/** A condition on files `f`, with its parameters. */
export interface FileCondition {
  sql: string;
  values: Value[];
}

/** Returns the condition of a filter. */
export function fileCondition({ visibleTo, tags, ids, isIndexed }: FileFilter): FileCondition {
  const conditions = [visibilityCondition(visibleTo), tagCondition(tags)];
  if (ids !== undefined) {
    conditions.push({ sql: 'f.id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)] });
  }
  if (isIndexed !== undefined) conditions.push({ sql: 'f.is_indexed = ?', values: [isIndexed ? 1 : 0] });
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/**
 * Returns the condition that a caller can see a file. Files of visitors are excluded, because they are accessible by
 * address only.
 */
export function visibilityCondition(visibleTo: FileFilter['visibleTo']): FileCondition {
  if (visibleTo === 'none') return { sql: '1 = 0', values: [] };
  const { botId, space, sharedWithIntegrations } = visibleTo;
  const isInSpace = sharedWithIntegrations ? '(f.space = ? OR f.for_integrations = 1)' : 'f.space = ?';
  return {
    sql: `f.bot_id = ? AND f.owner_type <> 'visitor' AND ${isInSpace}`,
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
 * Converts a filter by tags to a condition. A row without the tag matches `not` and `exists: false`. `source`: the table
 * expression of the tags of one row, by default those of the file `f`; `name`: its column of names. The SQL is the same
 * for every filter, because a connection keeps the prepared statement of each SQL text in memory.
 */
export function tagCondition(
  filter: TagFilter | undefined,
  source = '(SELECT name, value FROM file_tags WHERE file_id = f.id)',
  name = 't.name',
): FileCondition {
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
  return {
    sql: `NOT EXISTS (SELECT 1 FROM json_each(?) d WHERE d.value ->> 'wanted' <> EXISTS (
      SELECT 1 FROM ${source} t WHERE ${name} = d.value ->> 'name' AND (
        d.value ->> 'values' IS NULL OR t.value IN (SELECT value FROM json_each(d.value, '$.values')))))`,
    values: [JSON.stringify(demands)],
  };
}

const listOf = (given: string | string[]): string[] => (typeof given === 'string' ? [given] : given);
