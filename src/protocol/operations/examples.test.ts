// Tests that every operation with an input has an example, and that its own schema accepts it.
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { apis } from './apis.ts';
import { examplesOf, fillExample } from './example-requests.testing.ts';
import { hasBody } from './operation.ts';
import { sampleBody, sampleOf } from './samples.ts';

/** Each placeholder has its name as its value. */
const names = new Proxy<Record<string, string>>({}, { get: (_, name) => `example-${String(name)}` });

describe.each(apis)('$title', ({ operations }) => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: the examples are valid and have all path parameters',
    (_, operation) => {
      const { route, input, method } = operation;
      const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      for (const example of examplesOf(operation)) {
        const rest = new Map(Object.entries(fillExample(example, names)));
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

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: the sample of the reference is valid, and has no data of tests',
    (_, operation) => {
      const sample = JSON.stringify(sampleOf(operation) ?? {});
      expect(sample).not.toMatch(/<<|fuzz|-?of-|canary|\bnone\b|nobody|"\w":|:"\w"[,}\]]/);
      if (!hasBody(operation) || !operation.input) return;
      const body = sampleBody(operation);
      expect(v.safeParse(operation.input, body).issues).toBeUndefined();
    },
  );
});
