// Tags: names with values. It refuses the names that the schema library would drop without a word.
import * as v from 'valibot';
import { checkFirst } from './check-first.ts';

const impossible = ['__proto__', 'constructor', 'prototype'];

/** An object of tags, `name` and `value` being their schemas. */
export function tagsOf<N extends v.GenericSchema<string, string>, T extends v.GenericSchema>(
  name: N,
  value: T,
) {
  return checkFirst(
    v.record(name, value),
    (given) =>
      typeof given !== 'object' || given === null || !impossible.some((one) => Object.hasOwn(given, one)),
    `Expected other names of tags than ${impossible.join(', ')}.`,
  );
}
