// Schemas that check a whole value before its parts: a list of millions of items is refused by its length, without
// validating each item.
import * as v from 'valibot';

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
