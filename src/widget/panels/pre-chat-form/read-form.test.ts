// Tests what the form asks: of any configuration, only what the server would accept, and what the answers become.
import { expect, test } from 'vitest';
import { answersOf, problemsOf } from './check-answers.ts';
import { readForm } from './read-form.ts';

const names = (input: unknown) => readForm(input).fields.map(({ name }) => name);

test('the questions are in one order, with the labels, choices and limits of the site', () => {
  const { text, fields, problems } = readForm({
    consent: ' I agree. ',
    fields: [
      { name: 'order', label: 'Order number', required: true },
      { name: 'plan', options: ['Free', 'Pro'] },
    ],
    topics: ['Prices', { label: 'Bestellung', value: 'order' }],
    email: 'required',
    name: 'optional',
    text: ' Hello \n you ',
  });
  expect([text, problems]).toEqual(['Hello \n you', []]);
  const options = [
    { label: 'Prices', value: 'Prices' },
    { label: 'Bestellung', value: 'order' },
  ];
  expect(fields).toMatchObject([
    { kind: 'name', isRequired: false, maxLength: 200 },
    { kind: 'email', isRequired: true, maxLength: 254 },
    { kind: 'topic', isRequired: true, options },
    { kind: 'field', name: 'field order', label: 'Order number', isRequired: true },
    { kind: 'field', name: 'field plan', label: 'plan', isRequired: false, options: [{}, {}] },
    { kind: 'consent', label: 'I agree.', isRequired: true },
  ]);
});

test('what is not valid is left out and reported by its name, whatever it is', () => {
  const long = 'x'.repeat(10_000);
  const bad: [string, unknown][] = [
    ...[true, 'yes', 1, {}, []].flatMap((value): [string, unknown][] => [
      ['name', value],
      ['email', value],
    ]),
    ...[
      '',
      'x',
      7,
      {},
      [],
      [''],
      [7],
      [null],
      [{}],
      [{ label: 'x' }],
      [{ value: 'x' }],
      ['a\nb'],
      ['<b>'],
      [long],
    ].map((value): [string, unknown] => ['topics', value]),
    ['topics', Array.from({ length: 51 }, (_, index) => `${index}`)],
    ...['x', 7, {}, [7], [null], [{}], [{ name: '' }], [{ name: long }], [{ name: 'x', options: [] }]].map(
      (value): [string, unknown] => ['fields', value],
    ),
    ['fields', Array.from({ length: 11 }, (_, index) => ({ name: `f${index}` }))],
    ...[true, '', ' ', 7, {}, 'a\nb', '<a href="/">x</a>', long].map((value): [string, unknown] => [
      'consent',
      value,
    ]),
    ...[true, 7, {}, []].map((value): [string, unknown] => ['text', value]),
  ];
  for (const [name, value] of bad) {
    const { problems, text } = readForm({ [name]: value });
    expect([name, value, problems, text]).toEqual([name, value, [expect.stringContaining(`.${name}'`)], '']);
  }
  for (const input of [undefined, null, 'x', 7, true, [], [{ name: 'required' }], () => {}])
    expect(readForm(input)).toEqual({ text: '', fields: [], problems: [] });
  expect(names({ name: null, email: '' })).toEqual([]);
});

test('names on the prototype of all objects are not read', () => {
  const prototype = Object.prototype as { consent?: string };
  prototype.consent = 'You agree to everything.';
  try {
    expect(names({ name: 'required' })).toEqual(['name']);
  } finally {
    delete prototype.consent;
  }
});

const { fields } = readForm({
  name: 'required',
  email: 'optional',
  topics: [{ label: 'Prices', value: 'prices' }],
  fields: [{ name: 'constructor' }, { name: '__proto__' }],
  consent: 'I agree.',
});

test('answers are checked as the server checks them', () => {
  expect(problemsOf(fields, {})).toEqual({ name: 'missing', topic: 'missing', consent: 'missing' });
  const good = { name: ' Ann ', topic: 'prices', consent: 'yes' };
  expect(problemsOf(fields, good)).toEqual({});
  expect(answersOf(fields, good)).toEqual({ name: 'Ann', topic: 'prices', consent: 'I agree.' });
  const bad: [object, string][] = [
    [{ name: 'a\u0000b' }, 'characters'],
    [{ name: '<b>Ann</b>' }, 'characters'],
    [{ name: '\u202eAnn' }, 'characters'],
    [{ name: 'x'.repeat(201) }, 'long'],
    [{ email: 'ann' }, 'email'],
    [{ email: 'ann@example.com\nBcc: bea@example.com' }, 'email'],
    [{ email: `${'x'.repeat(10_000)}@example.com` }, 'email'],
    [{ topic: 'not offered any more' }, 'missing'],
    [{ consent: '' }, 'missing'],
  ];
  for (const [change, problem] of bad)
    expect([change, problemsOf(fields, { ...good, ...change })]).toEqual([
      change,
      { [Object.keys(change)[0] as string]: problem },
    ]);
});

test('fields of the site can have any name', () => {
  const typed = {
    name: 'Ann',
    topic: 'prices',
    consent: 'yes',
    'field constructor': 'x',
    'field __proto__': 'y',
  };
  const answers = answersOf(fields, typed);
  expect(Object.entries(answers.fields ?? {})).toEqual([
    ['constructor', 'x'],
    ['__proto__', 'y'],
  ]);
});
