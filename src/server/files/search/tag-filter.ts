// The grammar of tag filters, for lists and searches: from what a caller wrote to conditions in SQL. It reads no tags.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import type { TagFilter } from '../../../protocol/platform-file.ts';
import { shortList } from '../../api/pre-validation.ts';
import { schemas } from '../../api/schemas.ts';
import { fewTagsOf } from '../../api/tags.ts';
import type { Condition } from '../../storage/files/condition.ts';

const value = v.pipe(schemas.whole, v.maxLength(limits.fileTagValue));
/** One or several: a query string cannot tell a list of one from a text. */
const values = v.union([value, shortList(value, limits.filterValues)]);
const flag = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])]),
  v.transform((given) => String(given) === 'true'),
);

const condition = v.union(
  [
    values,
    v.strictObject({
      not: v.exactOptional(values),
      in: v.exactOptional(values),
      exists: v.exactOptional(flag),
    }),
  ],
  'Expected a text, a list of texts, or an object of `not`, `in` and `exists`.',
);

/** A filter as it comes, also from a query string, where every value is a text. */
export const tagFilter = fewTagsOf(
  v.pipe(schemas.id, v.maxLength(limits.fileTagName)),
  condition,
  limits.filterTags,
) satisfies v.GenericSchema<unknown, TagFilter>;

/** A demand on a file: that it has a tag (of one of these values; null: of any), or that it has not. */
interface Demand {
  name: string;
  values: readonly string[] | null;
  wanted: 0 | 1;
}

/**
 * The filter as a condition on the files `f`: a file without the tag fits `not`, and `exists: false`. One text for all
 * filters, because each text is a statement that takes memory.
 */
export function tagCondition(filter: TagFilter | undefined): Condition {
  const demands = Object.entries(filter ?? {}).flatMap(([name, condition]): Demand[] => {
    if (typeof condition === 'string' || Array.isArray(condition)) {
      return [{ name, values: listOf(condition), wanted: 1 }];
    }
    const { not, in: among, exists } = condition;
    const all: Demand[] = [];
    if (not !== undefined) all.push({ name, values: listOf(not), wanted: 0 });
    if (among !== undefined) all.push({ name, values: listOf(among), wanted: 1 });
    if (exists !== undefined) all.push({ name, values: null, wanted: exists ? 1 : 0 });
    return all;
  });
  if (demands.length === 0) return { sql: '1 = 1', values: [] };
  return {
    sql: `NOT EXISTS (SELECT 1 FROM json_each(?) d WHERE d.value ->> 'wanted' <> EXISTS (
      SELECT 1 FROM file_tags t WHERE t.file_id = f.id AND t.name = d.value ->> 'name' AND (
        d.value ->> 'values' IS NULL OR t.value IN (SELECT value FROM json_each(d.value, '$.values')))))`,
    values: [JSON.stringify(demands)],
  };
}

const listOf = (given: string | string[]): string[] => (typeof given === 'string' ? [given] : given);
