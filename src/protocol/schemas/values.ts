// Building blocks of schemas: descriptions, checks before validation, times, counts and texts.
import * as v from 'valibot';

/** The schema with a description. */
export const described = <T extends v.GenericSchema>(schema: T, text: string): T =>
  // `of`: the OpenAPI document refers to a schema with a name, instead of repeating it.
  v.pipe(schema, Object.assign(v.description(text), { of: schema })) as unknown as T;

/** An object with a description. */
export const describedObject = <E extends v.ObjectEntries>(text: string, entries: E) =>
  described(v.object(entries), text);

/** A field that may be left out, with its description. */
export const maybe = <T extends v.GenericSchema>(schema: T, text?: string) =>
  v.exactOptional(text === undefined ? schema : described(schema, text));

/** The schema of a type that says more than it: a type of this name is written in a module of src/protocol. */
export const writtenType = <T>(name: string, module: string, schema: v.GenericSchema) =>
  v.pipe(schema, v.metadata({ writtenType: { name, module } })) as v.GenericSchema<unknown, T>;

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

/**
 * Adds a check that runs before the schema reads any part of the value; `message` is one sentence. The OpenAPI document
 * is not affected.
 */
export function preValidated<T extends v.GenericSchema>(
  schema: T,
  fits: (value: unknown) => boolean,
  message: string,
): T {
  const check = v.check<unknown, string>(fits, message);
  const run: T['~run'] = (dataset, config) => {
    const { issues } = check['~run']({ typed: true, value: dataset.value }, config);
    return issues
      ? // The issue of the check replaces any issue of the schema.
        ({ typed: false, value: dataset.value, issues } as ReturnType<T['~run']>)
      : schema['~run'](dataset, config);
  };
  return { ...schema, '~run': run };
}

/** A list of `least` to `most` items. The items are read only if there are not more. */
export function boundedArray<T extends v.GenericSchema>(item: T, most: number, least = 0) {
  const list = preValidated(
    v.array(item),
    (value) => !Array.isArray(value) || value.length <= most,
    `Expected at most ${most} items.`,
  );
  return v.pipe(list, v.minLength(least), v.maxLength(most));
}
