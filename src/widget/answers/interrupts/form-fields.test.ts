// @vitest-environment jsdom
// Tests the fields of a form: controls, values from the browser, words of errors, and schemas of any shape.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { checkResponse } from '../../../protocol/response-schema.ts';
import type { ResponseSchema } from '../../../protocol/types/interrupts.ts';
import {
  type Control,
  type Field,
  initialText,
  readFields,
  readValue,
  shownValue,
  wordsOf,
} from './form-fields.ts';

const schemaOf = (properties: ResponseSchema['properties'], required: string[] = []): ResponseSchema => ({
  type: 'object',
  properties,
  required,
});
const fieldOf = (property: ResponseSchema['properties'][string], isRequired = false): Field =>
  readFields(schemaOf({ it: property }, isRequired ? ['it'] : []))?.[0] as Field;
const control = (value: string, more: Partial<Control> & { badInput?: boolean } = {}): Control => ({
  value,
  checked: false,
  validity: { badInput: more.badInput === true } as ValidityState,
  ...more,
});

describe('the fields of a form', () => {
  test('have the control of their type, and the name of their property without a title', () => {
    const fields = readFields(
      schemaOf(
        {
          name: { type: 'string', title: 'Your name', description: 'As on the order' },
          mail: { type: 'string', format: 'email' },
          page: { type: 'string', format: 'uri' },
          day: { type: 'string', format: 'date' },
          time: { type: 'string', format: 'date-time' },
          color: { type: 'string', enum: ['red', 'green'] },
          size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] },
          weight: { type: 'number' },
          count: { type: 'integer' },
          gift: { type: 'boolean' },
          extras: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A card' }] } },
        },
        ['name', 'gift'],
      ),
    );
    expect(fields?.map(({ label, control, isRequired }) => [label, control, isRequired])).toEqual([
      ['Your name', 'text', true],
      ['mail', 'email', false],
      ['page', 'url', false],
      ['day', 'date', false],
      ['time', 'datetime-local', false],
      ['color', 'one', false],
      ['size', 'one', false],
      ['weight', 'number', false],
      ['count', 'number', false],
      // A box that is not checked is an answer, too.
      ['gift', 'checkbox', false],
      ['extras', 'several', false],
    ]);
    expect(fields?.[0]?.description).toBe('As on the order');
    expect(fields?.[6]?.choices).toEqual([{ value: 's', title: 'Small' }]);
  });

  test('a schema of any shape gives fields or nothing, and never throws', () => {
    const values = fc.oneof(fc.anything(), fc.record({ properties: fc.anything(), required: fc.anything() }));
    fc.assert(
      fc.property(values, (schema) => {
        const fields = readFields(Object(schema) as ResponseSchema);
        for (const field of fields ?? []) {
          expect(typeof field.label).toBe('string');
          expect(typeof initialText(field, field.property.default)).toBe('string');
        }
      }),
    );
    expect(readFields({ properties: { a: { type: 'array' } } } as unknown as ResponseSchema)).toBeUndefined();
    expect(readFields('x' as unknown as ResponseSchema)).toBeUndefined();
  });
});

describe('the value of a field', () => {
  test('is left out where nothing was written or chosen', () => {
    for (const property of [
      { type: 'string' },
      { type: 'number' },
      { type: 'string', enum: ['a'] },
    ] as const) {
      expect(readValue(fieldOf(property as Field['property'], true), [control('')])).toBeUndefined();
    }
    const list = { type: 'array', items: { enum: ['a'] } } as const;
    expect(readValue(fieldOf(list as unknown as Field['property']), [control('a')])).toBeUndefined();
    expect(readValue(fieldOf(list as unknown as Field['property'], true), [control('a')])).toEqual([]);
  });

  test('is of the type of its property', () => {
    expect(readValue(fieldOf({ type: 'integer' }), [control('12')])).toBe(12);
    expect(readValue(fieldOf({ type: 'boolean' }), [control('on', { checked: true })])).toBe(true);
    expect(readValue(fieldOf({ type: 'boolean' }), [control('on')])).toBe(false);
    const list = fieldOf({ type: 'array', items: { enum: ['a', 'b', 'c'] } });
    const boxes = ['a', 'b', 'c'].map((value) => control(value, { checked: value !== 'b' }));
    expect(readValue(list, boxes)).toEqual(['a', 'c']);
    // The time of this device.
    const time = readValue(fieldOf({ type: 'string', format: 'date-time' }), [control('2026-03-01T12:30')]);
    expect(time).toBe(new Date('2026-03-01T12:30').toISOString());
  });

  test('what the browser cannot read is refused by the check of the server', () => {
    const ruleOf = (property: Field['property']) => {
      const value = readValue(fieldOf(property), [control('', { badInput: true })]);
      return checkResponse(schemaOf({ it: property }), { it: value })[0]?.rule;
    };
    expect(ruleOf({ type: 'number' })).toBe('type');
    expect(ruleOf({ type: 'string', format: 'date' })).toBe('format');
    expect(ruleOf({ type: 'string', format: 'date-time' })).toBe('format');
    const late = readValue(fieldOf({ type: 'string', format: 'date-time' }), [control('275760-12-31T00:00')]);
    expect(
      checkResponse(schemaOf({ it: { type: 'string', format: 'date-time' } }), { it: late })[0]?.rule,
    ).toBe('format');
  });

  test('a default fills its control, a time in the zone of this device', () => {
    const time = fieldOf({ type: 'string', format: 'date-time' });
    const text = initialText(time, '2026-03-01T12:30:00Z');
    expect(readValue(time, [control(text)])).toBe('2026-03-01T12:30:00.000Z');
    expect(initialText(time, 'never')).toBe('');
    expect(initialText(fieldOf({ type: 'number' }), 0)).toBe('0');
    expect(initialText(fieldOf({ type: 'string' }), undefined)).toBe('');
  });

  // Before a clock is set back and forward, and on a day that Apia left out.
  test.each([
    ['Europe/Berlin', '2026-10-24T23:30:00Z', '2026-10-25T01:30'],
    ['Europe/Berlin', '2026-03-29T00:30:00Z', '2026-03-29T01:30'],
    ['America/St_Johns', '2026-11-01T03:00:00Z', '2026-11-01T00:30'],
    ['Pacific/Apia', '2011-12-30T09:59:00Z', '2011-12-29T23:59'],
    ['Asia/Kolkata', '2026-03-01T12:30:00Z', '2026-03-01T18:00'],
  ])('a default time has the wall time of %s: %s is %s', (timeZone, time, expected) => {
    vi.stubEnv('TZ', timeZone);
    const field = fieldOf({ type: 'string', format: 'date-time' });
    expect(initialText(field, time)).toBe(expected);
    expect(readValue(field, [control(expected)])).toBe(new Date(time).toISOString());
    vi.unstubAllEnvs();
  });
});

test('each rule that an answer breaks has words, with its limit', () => {
  const words = (property: Field['property'], value: unknown, isRequired = false) => {
    const [issue] = checkResponse(schemaOf({ it: property }, isRequired ? ['it'] : []), { it: value });
    return issue && wordsOf(issue, fieldOf(property));
  };
  expect(words({ type: 'string' }, undefined, true)).toBe('Please fill in this field');
  expect(words({ type: 'string', enum: ['a'] }, 'b')).toBe('Please fill in this field');
  expect(words({ type: 'string', minLength: 3 }, 'ab')).toBe('Minimum length: 3');
  expect(words({ type: 'string', maxLength: 1 }, 'ab')).toBe('Maximum length: 1');
  expect(words({ type: 'string', format: 'email' }, 'ab')).toBe('Please enter an e-mail address');
  expect(words({ type: 'string', format: 'uri' }, 'ab')).toBe('Please enter a complete web address');
  expect(words({ type: 'string', format: 'date' }, 'ab')).toBe('Please enter a date');
  expect(words({ type: 'number' }, Number.NaN)).toBe('Please enter a number');
  expect(words({ type: 'integer' }, 1.5)).toBe('Please enter a whole number');
  expect(words({ type: 'number', minimum: 1_000 }, 1)).toBe('Minimum: 1,000');
  expect(words({ type: 'number', maximum: 1 }, 2)).toBe('Maximum: 1');
  expect(words({ type: 'array', items: { enum: ['a'] }, minItems: 1 }, [])).toBe('Minimum: 1');
  expect(words({ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'])).toBe('Maximum: 1');
});

test('an answer is shown with the titles of choices, and in the formats of the language', () => {
  const shown = (property: Field['property'], value: unknown) => shownValue(fieldOf(property), value);
  expect(shown({ type: 'boolean' }, true)).toBe('Yes');
  expect(shown({ type: 'boolean' }, false)).toBe('No');
  expect(shown({ type: 'number' }, 1_234.5)).toBe('1,234.5');
  expect(shown({ type: 'string', oneOf: [{ const: 's', title: 'Small' }] }, 's')).toBe('Small');
  expect(
    shown(
      {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'A' },
            { const: 'b', title: 'B' },
          ],
        },
      },
      ['a', 'b'],
    ),
  ).toBe('A, B');
  expect(shown({ type: 'string', format: 'date' }, '2026-03-01')).toBe('3/1/2026');
  // A text that looks like a date stays as it was written.
  expect(shown({ type: 'string' }, '2026')).toBe('2026');
  expect(shown({ type: 'string' }, null)).toBe('');
});
