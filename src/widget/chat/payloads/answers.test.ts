// Tests which option is the chosen one: by question id, by value, repeated, missing, from other clients.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../../protocol/message.ts';
import { localRow, type Row } from '../store/rows.ts';
import { chosenValues, isFreeTextOff, optionsOf } from './answers.ts';

let count = 0;
const row = (side: Row['side'], payload: unknown, more: Partial<Row> = {}): Row => {
  const id = `msg_${++count}`;
  return { ...localRow(id, side, payload as Payload, '2025-01-01T00:00:00Z', 'sent'), id, ...more };
};
const question = (values: string[], more: object = {}) =>
  row('bot', {
    type: 'choice',
    text: '?',
    options: values.map((value) => ({ label: value, value })),
    ...more,
  });
const answer = (value: string, answers?: string) =>
  row('visitor', { type: 'text', text: value, value }, { answers });

describe('optionsOf', () => {
  test.each([
    [undefined, []],
    ['x', []],
    [[null, 5, 'x', {}, { label: '' }, { label: 7 }], []],
    [[{ label: 'a' }], [{ label: 'a', value: 'a' }]],
    [[{ label: 'a', value: 0 }], [{ label: 'a', value: '0' }]],
    [[{ label: 'a', value: 'b', extra: 1 }], [{ label: 'a', value: 'b', extra: 1 }]],
  ])('%j becomes %j', (options, expected) => {
    expect(optionsOf({ type: 'choice', options } as unknown as Payload)).toEqual(expected);
    expect(optionsOf({ type: 'dropdown', options } as unknown as Payload)).toEqual(expected);
    expect(optionsOf({ type: 'text', options } as unknown as Payload)).toEqual([]);
  });
});

describe('chosenValues', () => {
  test('an answer with a question id answers that question, even if a newer one has the same option', () => {
    const [first, second] = [question(['a', 'b']), question(['a', 'b'])];
    const chosen = chosenValues([first, second, answer('a', first.id)]);
    expect([...chosen]).toEqual([[first.key, 'a']]);
  });

  test('an answer of another client has only a value: it answers the newest open question with that value', () => {
    const [first, second] = [question(['a', 'b']), question(['a', 'b'])];
    expect([...chosenValues([first, second, answer('b'), answer('a')])]).toEqual([
      [second.key, 'b'],
      [first.key, 'a'],
    ]);
  });

  test('the first answer is used; text without a value answers nothing', () => {
    const one = question(['a', 'b']);
    expect([...chosenValues([one, answer('a', one.id), answer('b', one.id)])]).toEqual([[one.key, 'a']]);
    expect(chosenValues([one, row('visitor', { type: 'text', text: 'a' })]).size).toBe(0);
    expect(chosenValues([one, answer('c')]).size).toBe(0);
    expect(chosenValues([answer('a'), one]).size).toBe(0);
  });

  test('after an answer is discarded, its question can be answered again', () => {
    const one = question(['a']);
    const answered = answer('a', one.id);
    expect(chosenValues([one, answered]).size).toBe(1);
    expect(chosenValues([one]).size).toBe(0);
  });

  test('no value of the wire throws', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom('bot', 'visitor'),
            fc.object(),
            fc.option(fc.string(), { nil: undefined }),
          ),
        ),
        (rows) => {
          const made = rows.map(([side, payload, answers]) => row(side as Row['side'], payload, { answers }));
          expect(chosenValues(made).size).toBeLessThanOrEqual(made.length);
          expect(typeof isFreeTextOff(made)).toBe('boolean');
        },
      ),
    );
  });
});

describe('isFreeTextOff', () => {
  const closed = { disableFreeText: true };
  test('only while the newest message is a question that requires an option', () => {
    expect(isFreeTextOff([])).toBe(false);
    expect(isFreeTextOff([question(['a'])])).toBe(false);
    expect(isFreeTextOff([question(['a'], closed)])).toBe(true);
    expect(isFreeTextOff([question(['a'], closed), answer('a')])).toBe(false);
    expect(isFreeTextOff([question(['a'], closed), row('bot', { type: 'text', text: 'x' })])).toBe(false);
    // Without options, text input stays possible.
    expect(isFreeTextOff([question([], closed)])).toBe(false);
    expect(isFreeTextOff([question(['a'], { disableFreeText: 'true' })])).toBe(false);
  });
});
