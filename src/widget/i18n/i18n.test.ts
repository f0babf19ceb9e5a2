// Tests the choice of the language, and that any strings of a site are accepted safely.
import { describe, expect, test } from 'vitest';
import { chooseLocale, directionOf } from '../../protocol/locale/choose-locale.ts';
import { override } from './site-strings.ts';

const available = [
  'en',
  'de',
  'fa',
  'he',
  'hi',
  'id',
  'it',
  'nb',
  'pt',
  'pt-PT',
  'ro',
  'ru',
  'zh',
  'zh-Hant',
];

test.each([
  [['de'], 'de', 'de'],
  [['de-AT', 'en'], 'de-AT', 'de'],
  [['DE-at'], 'de-AT', 'de'],
  [['de-u-nu-latn'], 'de-u-nu-latn', 'de'],
  [[undefined, '', 'de'], 'de', 'de'],
  [['sv', 'sv-FI', 'it'], 'it', 'it'],
  [['sv'], 'en', 'en'],
  [[], 'en', 'en'],
  // Two catalogues of one language: by region, as CLDR has the parents of the locales.
  [['pt'], 'pt', 'pt'],
  [['pt-BR'], 'pt-BR', 'pt'],
  [['pt-Latn-BR'], 'pt-Latn-BR', 'pt'],
  [['pt-PT'], 'pt-PT', 'pt-PT'],
  [['pt-AO'], 'pt-AO', 'pt-PT'],
  // Two scripts of one language: by script, which the region implies.
  [['zh'], 'zh', 'zh'],
  [['zh-CN'], 'zh-CN', 'zh'],
  [['zh-SG'], 'zh-SG', 'zh'],
  [['zh-Hans-TW'], 'zh-Hans-TW', 'zh'],
  [['zh-Hant'], 'zh-Hant', 'zh-Hant'],
  [['zh-TW'], 'zh-TW', 'zh-Hant'],
  [['zh-HK'], 'zh-HK', 'zh-Hant'],
  [['zh-MO'], 'zh-MO', 'zh-Hant'],
  [['zh-Hant-TW'], 'zh-Hant-TW', 'zh-Hant'],
  [['zh-hant-cn'], 'zh-Hant-CN', 'zh-Hant'],
  // Another name of the language, and languages that are read as another one.
  [['cmn-TW'], 'zh-TW', 'zh-Hant'],
  [['yue'], 'yue', 'zh-Hant'],
  [['yue-Hans-CN'], 'yue-Hans-CN', 'zh'],
  [['nb'], 'nb', 'nb'],
  [['no'], 'no', 'nb'],
  [['no-NO'], 'no-NO', 'nb'],
  [['nn-NO'], 'nn-NO', 'nb'],
  [['iw'], 'he', 'he'],
  [['iw-IL'], 'he-IL', 'he'],
  [['in'], 'id', 'id'],
  [['mo'], 'ro', 'ro'],
  [['prs'], 'fa-AF', 'fa'],
  // The right language in other letters, and languages without a catalogue: the next one.
  [['hi-Latn'], 'en', 'en'],
  [['hi-Latn', 'hi-IN'], 'hi-IN', 'hi'],
  [['ru-Latn', 'de'], 'de', 'de'],
  [['zh-Latn-pinyin', 'it'], 'it', 'it'],
  [['sr-Latn', 'de'], 'de', 'de'],
  [['sr', 'ru'], 'ru', 'ru'],
  [['fil'], 'en', 'en'],
  [['tl-PH', 'id'], 'id', 'id'],
  [['en-Shaw', 'de'], 'de', 'de'],
  // Begins like a known language, but is another one.
  [['des', 'deutsch', 'it'], 'it', 'it'],
  [['zhx', 'ptx-PT', 'nbx', 'it'], 'it', 'it'],
  [['tostring', 'valueof', '__proto__', 'de'], 'de', 'de'],
  [['not a language', 'en_US', 'de;q=1', '<b>', '-de', 'x-de', '*', 'und', 'root', 'de'], 'de', 'de'],
  [[5, {}, [], null, Symbol.iterator, () => 'de'], 'en', 'en'],
])('%j: the locale %s, the strings of %s', (tags, locale, name) =>
  expect(chooseLocale(available, tags)).toEqual({ locale, name }),
);

test('a language of which only another script or region is known is skipped or taken as it is', () => {
  expect(chooseLocale(['zh', 'de'], ['zh-TW', 'de'])).toEqual({ locale: 'de', name: 'de' });
  expect(chooseLocale(['pt'], ['pt-PT'])).toEqual({ locale: 'pt-PT', name: 'pt' });
});

test.each([
  ['rtl', ['ar', 'ar-EG', 'he', 'he-IL', 'fa', 'fa-AF', 'fa-u-nu-latn']],
  ['ltr', ['en', 'de', 'zh', 'zh-TW', 'hi', 'no', 'fi', 'ar-Latn']],
])('direction is %s in %j', (direction, locales) => {
  for (const locale of locales) expect(directionOf(locale), locale).toBe(direction);
});

describe('strings of the site', () => {
  const texts = { send: 'Send', news_one: '1 new', news_other: '{count} new' };

  test('strings and single plural forms are replaced', () => {
    expect(override(texts, { send: 'Go', news: { one: 'a new one' } })).toEqual({
      send: 'Go',
      news_one: 'a new one',
      news_other: '{count} new',
    });
    expect(override(texts, { news: 'Unread: {count}' })).toEqual({
      send: 'Send',
      news_one: 'Unread: {count}',
      news_other: 'Unread: {count}',
    });
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
    { news_one: 'x', news_other: 'x' },
    { unknown: 'x', constructor: 'x', __proto__: { send: 'inherited' } },
    { send: () => 'x', news: { other: { other: 'x' } } },
    JSON.parse('{"__proto__": {"send": "x"}}'),
  ])('%j changes nothing', (replacements) => expect(override(texts, replacements)).toEqual(texts));
});
