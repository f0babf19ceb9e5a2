// Schemas of lists: their queries, where every value is a text until it is parsed, and the `meta` of their responses.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { describedObject, maybe } from './values.ts';

/** A whole number. `documentedAs`: the schema in the OpenAPI document, instead of a text. */
function wholeNumber(least: number, most: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, `Expected a whole number from ${least} to ${most}.`),
    v.metadata({ documentedAs: { type: 'integer', minimum: least, maximum: most } }),
    v.transform(Number),
    v.minValue(least),
    v.maxValue(most),
  );
}

/** True or false. */
const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.metadata({ documentedAs: { type: 'boolean' } }),
  v.transform((text) => text === 'true'),
);

const nextToken = maybe(v.string());

export const queries = {
  /** The query of every list of the Chat API. */
  page: v.object({ nextToken }),
  /** Entries of the query of every other list: the page token, and the page size. */
  sizedPage: { nextToken, pageSize: maybe(wholeNumber(1, limits.maxPageSize)) },
  wholeNumber,
  flag,
};

export const meta = describedObject('`meta` is always present; `nextToken` only if there are more items.', {
  nextToken: maybe(v.string()),
});

export const types = { PageMeta: meta };
