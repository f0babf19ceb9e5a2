// The grammar of tag filters, for lists and searches: from what a caller wrote to conditions in SQL. It reads no tags.
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import type { TagFilter } from '../../protocol/platform-file.ts';
import type { Value } from '../db/database.ts';
import { schemas } from '../schemas.ts';

/** A condition on files (`f`), with its parameters. */
export interface Condition {
  sql: string;
  values: Value[];
}

const value = v.pipe(schemas.whole, v.maxLength(limits.fileTagValue));
/** One or several: a query string cannot tell a list of one from a text. */
const values = v.union([value, v.pipe(v.array(value), v.maxLength(limits.filterValues))]);
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
export const tagFilter = v.pipe(
  v.record(v.pipe(schemas.id, v.maxLength(limits.fileTagName)), condition),
  v.maxEntries(limits.filterTags, `Expected at most ${limits.filterTags} tags.`),
) satisfies v.GenericSchema<unknown, TagFilter>;

/** The filter as a condition on the files `f`: a file without the tag fits `not`, and `exists: false`. */
export function tagCondition(filter: TagFilter | undefined): Condition {
  const parts = Object.entries(filter ?? {}).flatMap(([name, condition]) => {
    if (typeof condition === 'string' || Array.isArray(condition)) return [oneOf(name, condition)];
    const { not, in: among, exists } = condition;
    return [
      ...(not === undefined ? [] : [negate(oneOf(name, not))]),
      ...(among === undefined ? [] : [oneOf(name, among)]),
      ...(exists === undefined ? [] : [exists ? has(name) : negate(has(name))]),
    ];
  });
  return {
    sql: parts.map(({ sql }) => sql).join(' AND ') || '1 = 1',
    values: parts.flatMap(({ values }) => values),
  };
}

const has = (name: string, extra = ''): Condition => ({
  sql: `EXISTS (SELECT 1 FROM file_tags t WHERE t.file_id = f.id AND t.name = ?${extra})`,
  values: [name],
});

/** An empty list fits nothing. */
function oneOf(name: string, given: string | string[]): Condition {
  const list = typeof given === 'string' ? [given] : given;
  if (list.length === 0) return { sql: '1 = 0', values: [] };
  const condition = has(name, ` AND t.value IN (${list.map(() => '?').join(', ')})`);
  return { sql: condition.sql, values: [...condition.values, ...list] };
}

const negate = ({ sql, values }: Condition): Condition => ({ sql: `NOT (${sql})`, values });
