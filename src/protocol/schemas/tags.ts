// Tags: names with values. It refuses names that the schema library would drop silently, and too many tags before it
// reads one of them.
import * as v from 'valibot';
import { preValidated } from './pre-validation.ts';

const impossible = ['__proto__', 'constructor', 'prototype'];

/** An object of tags; `name` and `value` are the schemas of a tag. */
export function tagsOf<N extends v.GenericSchema<string, string>, T extends v.GenericSchema>(
  name: N,
  value: T,
) {
  return preValidated(
    v.record(name, value),
    (input) => !isObject(input) || !impossible.some((one) => Object.hasOwn(input, one)),
    `Expected other names of tags than ${impossible.join(', ')}.`,
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
