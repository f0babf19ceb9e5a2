// Tests the SQL of tag filters. files/operations/lists.test.ts tests which files they match.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tagCondition } from './file-lists.ts';

test('every tag filter has the same SQL text, so that prepared statements do not fill the memory', () => {
  const list = fc.array(fc.string());
  const text = fc.string();
  const condition = fc.oneof(
    text,
    list,
    fc.record({ not: fc.oneof(text, list), in: list, exists: fc.boolean() }, { requiredKeys: ['not'] }),
  );
  const tx = { dialect: 'sqlite' } as const;
  const { sql } = tagCondition(tx, { a: 'b' });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), condition, { minKeys: 1 }), (filter) => {
      expect(tagCondition(tx, filter as never).sql).toBe(sql);
    }),
  );
});
