// Tests the words for names and values: of code, of any shape, and in a language.
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { language, setLanguage } from '../../i18n/current.ts';
import '../interrupts/strings.ts';
import { beginningOf, labelsOf, wordsOfValue } from './value-words.ts';

const first = language;
afterEach(() => setLanguage(first));

test('a name without a sign has a dash', () => {
  expect([labelsOf(['orderId', '']), labelsOf([' '])]).toEqual([['Order ID', '–'], ['–']]);
});

test('names whose words are the same stay as they are', () => {
  expect(labelsOf(['orderId', 'order_id', 'amount'])).toEqual(['orderId', 'order_id', 'Amount']);
});

test('values are written as in the language of the chat', () => {
  expect([true, false, null, '', '  ', undefined].map((value) => wordsOfValue(value))).toEqual([
    'Yes',
    'No',
    '–',
    '–',
    '–',
    '–',
  ]);
  setLanguage({ locale: 'de' });
  expect(wordsOfValue(1_234_567.125)).toBe('1.234.567,125');
  expect(wordsOfValue(0.1 + 0.2)).toBe('0,30000000000000004');
  expect(wordsOfValue('2026-11-20')).toBe('20.11.2026');
  expect(wordsOfValue('2026-11-20T08:30:00')).toBe('20.11.2026, 08:30');
});

test('a number that is a name has no separators', () => {
  for (const name of ['orderId', 'id', 'zip_code', 'houseNumber', 'year'])
    expect(wordsOfValue(20_261_120, name), name).toBe('20261120');
  for (const name of ['paid', 'amount', 'numbers', ''])
    expect(wordsOfValue(20_261_120, name), name).toBe('20,261,120');
});

test('a text that only looks like a date is not changed', () => {
  for (const text of ['2026-02-31', '2026-13-01', '2026-11-20T99:00:00Z', '2026-11', '20261120', 'A-1'])
    expect(wordsOfValue(text)).toBe(text);
});

test('a long text begins with 200 characters and five lines at most, and no character is cut', () => {
  expect(beginningOf('short')).toBe('short');
  expect(beginningOf('x'.repeat(500))).toHaveLength(200);
  expect([...beginningOf('😀'.repeat(500))]).toHaveLength(200);
  expect(beginningOf('a\n'.repeat(50)).split('\n')).toHaveLength(5);
});

test('names and values of any shape have words', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue({ maxDepth: 0 }), (name, value) => {
      expect(labelsOf([name])).not.toEqual(['']);
      expect(typeof wordsOfValue(value, name)).toBe('string');
    }),
  );
});
