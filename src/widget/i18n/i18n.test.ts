// Tests the choice of the language, and that any strings of a site are accepted safely.
import { describe, expect, test } from 'vitest';
import { chooseLocale, directionOf } from './choose-locale.ts';
import { override } from './site-strings.ts';

const known = ['en', 'de', 'pt', 'he', 'zh', 'it'];

test.each([
  [['de'], 'de'],
  [['de-AT', 'en'], 'de-AT'],
  [['DE-at'], 'de-AT'],
  [['pt-BR'], 'pt-BR'],
  [['zh-Hant-TW'], 'zh-Hant-TW'],
  [['iw'], 'he'],
  [[undefined, '', 'de'], 'de'],
  [['sv', 'sv-FI', 'it'], 'it'],
  [['sv'], 'en'],
  [[], 'en'],
  // Begins like a known language, but is another one.
  [['des', 'deutsch', 'it'], 'it'],
  [['not a language', 'en_US', 'de;q=1', '<b>', '-de', 'x-de', '*', 'de'], 'de'],
  [[5, {}, [], null, Symbol.iterator, () => 'de'], 'en'],
])('%j: %s', (tags, expected) => expect(chooseLocale(known, tags)).toBe(expected));

test('Arabic and Hebrew are right to left in any region', () => {
  expect(['ar', 'ar-EG', 'he', 'he-IL', 'en', 'de', 'zh'].map(directionOf)).toEqual([
    'rtl',
    'rtl',
    'rtl',
    'rtl',
    'ltr',
    'ltr',
    'ltr',
  ]);
});

describe('strings of the site', () => {
  const texts = { send: 'Send', news: { one: '1 new', other: '{count} new' } };

  test('strings and single plural forms are replaced', () => {
    expect(override(texts, { send: 'Go', news: { one: 'a new one' } })).toEqual({
      send: 'Go',
      news: { one: 'a new one', other: '{count} new' },
    });
    expect(override(texts, { news: 'Unread: {count}' })).toEqual({ send: 'Send', news: 'Unread: {count}' });
  });

  test.each([
    undefined,
    null,
    5,
    'text',
    [],
    ['a'],
    {},
    { send: '' },
    { send: 5, news: 7 },
    { send: null, news: null },
    { send: { one: 'x', other: 'y' } },
    { send: ['x'], news: ['x'] },
    { news: { one: 1, other: null } },
    { news: { few: 'nobody asked', constructor: 'x' } },
    { unknown: 'x', constructor: 'x', __proto__: { send: 'inherited' } },
    { send: () => 'x', news: { other: { other: 'x' } } },
    JSON.parse('{"__proto__": {"send": "x"}}'),
  ])('%j changes nothing', (given) => expect(override(texts, given)).toEqual(texts));
});
