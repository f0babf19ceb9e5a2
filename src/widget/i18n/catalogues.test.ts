// Tests the catalogues: every language has all strings, the same placeholders and the plurals it needs, and is small.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { chooseLocale } from '../../protocol/locale/choose-locale.ts';
import { strings as launcherStrings } from '../launcher/strings.ts';
import { unread } from './en/launcher.ts';
import { interpolate } from './interpolate.ts';
import { catalogues } from './load-catalogue.ts';
import { all, english, formsOf, names, placeholders, sections } from './testing.ts';

test('every language has a file and an entry in the table', () => {
  const files = readdirSync(join(import.meta.dirname, 'catalogues')).map((file) => file.replace('.ts', ''));
  expect(files.toSorted()).toEqual(Object.keys(catalogues).toSorted());
});

test.each(names)('%s is a canonical tag: the language chooses it', (name) => {
  expect(String(new Intl.Locale(name))).toBe(name);
  expect(chooseLocale(names, [name])).toEqual({ locale: name, name });
  expect(chooseLocale(names, [String(new Intl.Locale(name).maximize())]).name).toBe(name);
});

test('a key is used in one section only: the strings of a site are flat', () => {
  const keys = Object.values(sections).flatMap((section) => Object.keys(section));
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  expect(keys.filter((key) => !/^[a-z][a-zA-Z]+$/.test(key))).toEqual([]);
});

test('every string is used in its own bundle, and only there', () => {
  const folder = join(import.meta.dirname, '..');
  const codeOf = (name: string) =>
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .map((file) => readFileSync(join(folder, name, file), 'utf8'))
      .join('\n');
  const used = (...folders: string[]) =>
    new Set(
      [
        ...folders
          .map(codeOf)
          .join('\n')
          .matchAll(/\bstrings\.(\w+)|'(\w+)'/g),
      ].map(([, a, b]) => a ?? b ?? ''),
    );
  const uses = {
    launcher: used('launcher'),
    hostPage: used('page/host-page'),
    chat: used('chat'),
    extras: used('extras', 'media', 'panels/menu'),
    emoji: used('media/emoji'),
    voice: used('media/voice'),
    homeScreen: used('panels/home'),
    markdown: used('markdown'),
    parts: used('answers'),
    details: used('answers/details'),
    interrupt: used('answers/interrupts'),
    app: used('answers/apps'),
    handling: used('people'),
    preChatForm: used('panels/pre-chat-form'),
    push: used('people/push'),
    rating: used('people/rating'),
    conversations: used('panels/conversations'),
    ownData: used('panels/own-data'),
  };
  for (const [name, section] of Object.entries(sections)) {
    const own = uses[name as keyof typeof uses];
    expect(
      Object.keys(section).filter((key) => !own.has(key)),
      name,
    ).toEqual([]);
  }
});

/** The plural categories of the whole numbers, and `other`, which is used if one is missing. Fractions are never counted. */
function categoriesOf(name: string): string[] {
  const rules = new Intl.PluralRules(name);
  const counts = [...Array(1_001).keys(), 1_000_000, 2_000_000, 1_000_001];
  return [...new Set([...counts.map((count) => rules.select(count)), 'other'])].sort();
}

describe.each(names)('%s', (name) => {
  const catalogue = all[name] ?? {};

  test('has every string, and no other', () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(Object.keys(english).toSorted());
  });

  test('has the placeholders of English', () => {
    for (const [key, text] of Object.entries(catalogue)) {
      const expected = placeholders(formsOf(english[key])[0] ?? '');
      const [first] = Object.entries(typeof text === 'object' ? text : { other: text }).toReversed();
      expect(placeholders(first?.[1] ?? ''), key).toEqual(expected);
      // One and two may be written as words.
      for (const form of formsOf(text))
        expect(expected, key).toEqual(expect.arrayContaining(placeholders(form)));
    }
  });

  test('has plurals where English has, in the categories of the language', () => {
    const categories = categoriesOf(name);
    for (const [key, text] of Object.entries(catalogue)) {
      const isPlural = typeof english[key] === 'object';
      expect(typeof text === 'object', key).toBe(isPlural);
      if (typeof text === 'object') expect(Object.keys(text).sort(), key).toEqual(categories);
    }
    for (const count of [0, 1, 2, 3, 5, 11, 21, 22, 25, 100, 1_000_000]) {
      expect(interpolate(catalogue.newMessages ?? '', { count }, name)).not.toMatch(/[{}]|undefined/);
    }
  });

  test('is at most 3,800 bytes when transferred', () => {
    expect(brotliCompressSync(JSON.stringify(catalogue)).length).toBeLessThanOrEqual(3_800);
  });
});

test.each([
  ['ar', 3, '3 رسائل جديدة'],
  ['ar', 11, '11 رسالة جديدة'],
  ['bn', 3, '৩টি নতুন বার্তা'],
  ['cs', 1, '1 nová zpráva'],
  ['cs', 2, '2 nové zprávy'],
  ['cs', 5, '5 nových zpráv'],
  ['es', 1_000_000, '1.000.000 de mensajes nuevos'],
  ['fa', 2, '۲ پیام تازه'],
  ['hi', 1, '1 नया संदेश'],
  ['hi', 2, '2 नए संदेश'],
  ['ja', 22, '新しいメッセージ 22 件'],
  ['pl', 1, '1 nowa wiadomość'],
  ['pl', 22, '22 nowe wiadomości'],
  ['pl', 112, '112 nowych wiadomości'],
  ['pt-PT', 0, '0 mensagens novas'],
  ['ro', 2, '2 mesaje noi'],
  ['ro', 20, '20 de mesaje noi'],
  ['ro', 101, '101 mesaje noi'],
  ['ru', 1, '1 новое сообщение'],
  ['ru', 3, '3 новых сообщения'],
  ['ru', 11, '11 новых сообщений'],
  ['ru', 21, '21 новое сообщение'],
  ['uk', 2, '2 нові повідомлення'],
  ['uk', 12, '12 нових повідомлень'],
])('plurals of %s: %d', (name, count, expected) => {
  expect(interpolate(all[name]?.newMessages ?? '', { count }, name)).toBe(expected);
});

test('the English strings of the launcher match the English catalogue', () => {
  for (const count of [1, 2, 21])
    expect(launcherStrings.unread(count)).toBe(interpolate(unread, { count }, 'en'));
});

describe('interpolate', () => {
  test('values replace their placeholders; braces in a value are not replaced', () => {
    const values = { name: '{text} $& $1', text: 'said' };
    expect(interpolate('{name}: {text} {name}', values, 'en')).toBe('{text} $& $1: said {text} $& $1');
  });
  test('a placeholder without a value is kept', () =>
    expect(interpolate('{nobody} {}', {}, 'en')).toBe('{nobody} {}'));
  test('numbers have the format of the language', () => {
    expect(interpolate('{count}', { count: 1_234_567 }, 'de')).toBe('1.234.567');
    expect(interpolate('{count}', { count: 1_234_567 }, 'en')).toBe('1,234,567');
  });
  test('a missing plural form falls back to `other`', () => {
    expect(interpolate({ other: '{count} x' }, { count: 1 }, 'en')).toBe('1 x');
  });
});
