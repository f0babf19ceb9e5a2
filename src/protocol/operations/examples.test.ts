// Tests that every operation with an input has an example, and that its own schema accepts it.
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { apis } from './apis.ts';

/** An example with values in the place of its placeholders. */
const filled = (example: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(example).replace(/<<(\w+)>>/g, 'example-$1'));

describe.each(apis)('$title', ({ operations }) => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: the examples are valid and have all path parameters',
    (_, { route, input, method, examples = [{}] }) => {
      const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      for (const example of examples) {
        const rest = new Map(Object.entries(filled(example)));
        expect([...rest.keys()]).toEqual(expect.arrayContaining(parameters));
        for (const name of parameters) rest.delete(name);
        if (!input) expect([...rest.keys()]).toEqual([]);
        // In a query all values are texts.
        else if (method === 'POST' || method === 'PUT') {
          expect(v.safeParse(input, Object.fromEntries(rest)).issues).toBeUndefined();
        }
      }
    },
  );
});
