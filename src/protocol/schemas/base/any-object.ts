// The schema of a JSON object with any names.
import * as v from 'valibot';

/** Any object. `v.record` is not used, because it drops names such as `__proto__`. */
export const anyObject = v.pipe(
  v.unknown(),
  v.check(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Expected an object.',
  ),
  v.metadata({ documentedAs: { type: 'object' } }),
) as v.GenericSchema<unknown, Record<string, unknown>>;
