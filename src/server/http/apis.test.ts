// Tests that each operation has exactly one declaration and one handler.
import { describe, expect, test } from 'vitest';
import { apis } from './apis.ts';

describe.each(apis)('$title', ({ operations, handlers }) => {
  test('every declared operation has exactly one handler, and every handler a declaration', () => {
    const handled = handlers.map(({ operation }) => operation);
    expect(
      handled.map(({ id }) => id).sort(),
      'Add or remove handlers: a name with - has no handler, a name with + has no declaration.',
    ).toEqual(operations.map(({ id }) => id).sort());
    expect(handled.filter((operation) => !operations.includes(operation))).toEqual([]);
  });
});
