// Schema of tag filters, for lists and searches of files.
import * as v from 'valibot';
import type { TagFilter } from '../file.ts';
import { limits } from '../limits.ts';
import { schemaOf } from './base/schema-of.ts';
import { schemas } from './chat.ts';
import { boundedArray } from './pre-validation.ts';
import { tagsWithLimit } from './tags.ts';

const value = v.pipe(schemas.whole, v.maxLength(limits.fileTagValue));
/** One or several values: a query string does not distinguish a list of one item from a text. */
const values = v.union([value, boundedArray(value, limits.filterValues)]);
const flag = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])]),
  v.transform((value) => String(value) === 'true'),
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

/** A filter in JSON or in a query string, where every value is a text. */
export const tagFilter = schemaOf<TagFilter>()(
  tagsWithLimit(v.pipe(schemas.id, v.maxLength(limits.fileTagName)), condition, limits.filterTags),
);
