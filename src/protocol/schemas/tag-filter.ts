// Schema of tag filters, for lists and searches of files.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { described, maybe } from './base/described.ts';
import { schemas } from './chat.ts';
import { boundedArray } from './pre-validation.ts';
import { tagsWithLimit } from './tags.ts';

const value = v.pipe(schemas.whole, v.maxLength(limits.fileTagValue));
/** One or several values: a query string does not distinguish a list of one item from a text. */
const values = v.union([value, boundedArray(value, limits.filterValues)]);
const flag = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])]),
  v.transform((value) => String(value) === 'true'),
  v.metadata({ clientType: 'boolean' }),
);

const condition = described(
  v.union(
    [values, v.strictObject({ not: maybe(values), in: maybe(values), exists: maybe(flag) })],
    'Expected a text, a list of texts, or an object of `not`, `in` and `exists`.',
  ),
  'A text must be equal; a list means "one of"; several conditions must all match.',
);

/** A filter in JSON or in a query string, where every value is a text. */
export const tagFilter = described(
  tagsWithLimit(v.pipe(schemas.id, v.maxLength(limits.fileTagName)), condition, limits.filterTags),
  'Conditions by tag name; all must match.',
);

export const types = { TagCondition: condition, TagFilter: tagFilter };
