// Schemas that look at the whole of a value before its parts: a list of millions is refused by its length, and not
// after each item was read. It decides nothing else.
import * as v from 'valibot';

/**
 * The schema, with a check of what came before anything in it is read; `message` is one sentence. To the OpenAPI
 * document it is the schema that it was.
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
      ? // The issue is that of the check, whatever the schema's own would be.
        ({ typed: false, value: dataset.value, issues } as unknown as ReturnType<T['~run']>)
      : schema['~run'](dataset, config);
  };
  return { ...schema, '~run': run };
}

/** A list of `least` to `most` items, which are read only when there are no more. */
export function boundedArray<T extends v.GenericSchema>(item: T, most: number, least = 0) {
  const list = preValidated(
    v.array(item),
    (value) => !Array.isArray(value) || value.length <= most,
    `Expected at most ${most} items.`,
  );
  return v.pipe(list, v.minLength(least), v.maxLength(most));
}
