// Schemas of tags and of filters by tags. Names that the schema library would drop silently, and too many tags, are refused before
// one of them is read.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { boundedArray, described, filledStorableText, maybe, preValidated, storableText } from './values.ts';

const impossible = ['__proto__', 'constructor', 'prototype'];

/** An object of tags; `name` and `value` are the schemas of a tag. */
export function tagsOf<N extends v.GenericSchema<string, string>, T extends v.GenericSchema>(
  name: N,
  value: T,
) {
  return preValidated(
    v.record(name, value),
    // To a record, a list is an object whose names are numbers.
    (input) =>
      !isObject(input) || !(Array.isArray(input) || impossible.some((name) => Object.hasOwn(input, name))),
    `Expected an object, without the names ${impossible.join(', ')}.`,
  );
}

/** The same, with a maximum number of tags. */
export function tagsWithLimit<N extends v.GenericSchema<string, string>, T extends v.GenericSchema>(
  name: N,
  value: T,
  most: number,
) {
  const tags = preValidated(
    tagsOf(name, value),
    (input) => !isObject(input) || Object.keys(input).length <= most,
    `Expected at most ${most} tags.`,
  );
  return v.pipe(tags, v.maxEntries(most));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const value = v.pipe(storableText, v.maxLength(limits.fileTagValue));
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
  tagsWithLimit(v.pipe(filledStorableText, v.maxLength(limits.fileTagName)), condition, limits.filterTags),
  'Conditions by tag name; all must match.',
);

export const types = { TagCondition: condition, TagFilter: tagFilter };
