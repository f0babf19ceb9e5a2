// Schemas of values that many operations have: times, counts, texts.
import * as v from 'valibot';

/** ISO 8601. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp());

/** A whole number from 0. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const notEmpty = v.nonEmpty<string, string>('Expected a text that is not empty.');

export const filledText = v.pipe(v.string(), notEmpty);

/** A text that can be stored unchanged: SQLite would cut it at a NUL, and UTF-8 has no lone surrogates. */
export const storableText = v.pipe(
  v.string(),
  v.regex(
    /^(?:[^\0\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$/,
    'Expected a text without NUL and without half characters.',
  ),
);

export const filledStorableText = v.pipe(storableText, notEmpty);

/** An object with any values. */
export const data = v.record(v.string(), v.unknown());
