// Typed filters of files, and their SQL.
import type { TagFilter } from '../../../protocol/types/tags.ts';
import type { Tx } from '../database.ts';
import { type Condition, forDialect, inList, jsonText } from '../dialect.ts';
import { conversationFileOwnersSql } from './owners.ts';

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

const listOf = (given: string | string[]): string[] => (typeof given === 'string' ? [given] : given);
