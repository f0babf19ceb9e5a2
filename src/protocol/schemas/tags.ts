// Tags: names with values. It refuses the names that the schema library would drop without a word, and too many tags
// before one of them is read.
import * as v from 'valibot';
import { preValidated } from './pre-validation.ts';

const impossible = ['__proto__', 'constructor', 'prototype'];

/** An object of tags, `name` and `value` being their schemas. */
export function tagsOf<N extends v.GenericSchema<string, string>, T extends v.GenericSchema>(
  name: N,
  value: T,
) {
  return preValidated(
    v.record(name, value),
    (given) => !isObject(given) || !impossible.some((one) => Object.hasOwn(given, one)),
    `Expected other names of tags than ${impossible.join(', ')}.`,
  );
}

/** The same, of at most so many. */
export function tagsWithLimit<N extends v.GenericSchema<string, string>, T extends v.GenericSchema>(
  name: N,
  value: T,
  most: number,
) {
  const tags = preValidated(
    tagsOf(name, value),
    (given) => !isObject(given) || Object.keys(given).length <= most,
    `Expected at most ${most} tags.`,
  );
  return v.pipe(tags, v.maxEntries(most));
}

const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;
