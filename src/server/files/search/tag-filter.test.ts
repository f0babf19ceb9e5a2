// Filters of tags in SQL: what each means the lists' tests ask (operations/platform-files/lists.test.ts).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tagCondition } from './tag-filter.ts';

test('any filter is the same statement: a statement takes memory, and there are endless filters', () => {
  const list = fc.array(fc.string());
  const text = fc.string();
  const condition = fc.oneof(
    text,
    list,
    fc.record({ not: fc.oneof(text, list), in: list, exists: fc.boolean() }, { requiredKeys: ['not'] }),
  );
  const { sql } = tagCondition({ a: 'b' });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), condition, { minKeys: 1 }), (filter) => {
      expect(tagCondition(filter as never).sql).toBe(sql);
    }),
  );
});
