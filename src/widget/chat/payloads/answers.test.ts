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
const text = (more: Partial<Row> = {}) => row('visitor', { type: 'text', text: 'a' }, more);
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
    for (const other of [text(), answer('c')])
      expect([...chosenValues([one, other])]).toEqual([[one.key, null]]);
    expect(chosenValues([answer('a'), one]).size).toBe(0);
  });

  test('after an answer is discarded, its question can be answered again', () => {
    const one = question(['a']);
    const answered = answer('a', one.id);
    expect(chosenValues([one, answered]).size).toBe(1);
    expect(chosenValues([one]).size).toBe(0);
  });

  test('a message of the visitor ends the questions before it, unless it has failed', () => {
    const [one, two] = [question(['a']), question(['a'])];
    expect([...chosenValues([one, two, text()]).values()]).toEqual([null, null]);
    expect([...chosenValues([one, text(), two])]).toEqual([[one.key, null]]);
    expect(chosenValues([one, text({ status: 'failed' })]).size).toBe(0);
    expect([...chosenValues([one, text({ status: 'queued' })]).values()]).toEqual([null]);
    expect(chosenValues([one, row('bot', { type: 'text', text: 'More' })]).size).toBe(0);
  });

  test('an answer ends the questions before its own, and the next question those that were asked with it', () => {
    const [one, two, three] = [question(['a']), question(['b']), question(['c'])];
    const rows = [one, two, three, answer('b', two.id)];
    expect([...chosenValues(rows)]).toEqual([
      [two.key, 'b'],
      [one.key, null],
    ]);
    const again = question(['a']);
    expect(chosenValues([...rows, again]).get(three.key)).toBeNull();
    expect(chosenValues([...rows, again]).has(again.key)).toBe(false);
    // As of a tab that has not received the next question yet.
    expect(chosenValues([...rows, again, answer('b', two.id)]).has(again.key)).toBe(false);
  });

  test('a person who joins or writes ends the questions of the bot, not those of people', () => {
    const author = { kind: 'person' } as const;
    const ofPerson = { ...question(['a']), author };
    const joined = row('activity', { type: 'text', text: '', activity: { type: 'person_joined' } });
    const asked = row('activity', { type: 'text', text: '', activity: { type: 'handoff_requested' } });
    const one = question(['a']);
    expect(chosenValues([one, asked]).size).toBe(0);
    expect([...chosenValues([one, joined, ofPerson])]).toEqual([[one.key, null]]);
    const reply = row('bot', { type: 'text', text: 'Hello' }, { author });
    expect([...chosenValues([one, ofPerson, reply])]).toEqual([[one.key, null]]);
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
