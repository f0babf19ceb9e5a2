// Tests the files of src/locales: keys, placeholders and plural forms of each language, and the bytes of its texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { categoriesOf, compareKeys } from '../../../scripts/missing-texts.mjs';
import { locales } from '../../locales/index.ts';
import { chooseLocale } from '../../protocol/locale/choose-locale.ts';
import { strings as launcherStrings } from '../launcher/strings.ts';
import { interpolate, plural } from './interpolate.ts';
import { catalogues } from './load-catalogue.ts';
import { all, english, englishOf, files, names, placeholders, sections, textsOf } from './testing.ts';

test('every language has a file, and an entry in the tables of the widget and of the server', async () => {
  expect(['en', ...Object.keys(catalogues)].toSorted()).toEqual(names);
  for (const [name, load] of Object.entries(catalogues)) expect((await load()).default).toEqual(files[name]);
  expect(locales).toEqual(files);
});

test.each(names)('%s is a canonical tag: the language chooses it', (name) => {
  expect(String(new Intl.Locale(name))).toBe(name);
  expect(chooseLocale(names, [name])).toEqual({ locale: name, name });
  expect(chooseLocale(names, [String(new Intl.Locale(name).maximize())]).name).toBe(name);
});

test('a key is used in one section only: the strings of a site are flat', () => {
  const keys = Object.values(sections).flatMap((section) => Object.keys(section));
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  expect(keys.filter((key) => !/^[a-z][a-zA-Z]+(_one|_other)?$/.test(key))).toEqual([]);
});

/** The folders that use the texts of a section. */
const foldersOf: Record<string, string[]> = {
  launcher: ['launcher'],
  // The launcher has the English plural forms in its code.
  unread: [],
  hostPage: ['page/host-page'],
  chat: ['chat'],
  extras: ['extras', 'media', 'panels/menu'],
  emoji: ['media/emoji'],
  voice: ['media/voice'],
  home: ['panels/home'],
  markdown: ['markdown'],
  parts: ['answers'],
  details: ['answers/details'],
  interrupt: ['answers/interrupts'],
  app: ['answers/apps'],
  people: ['people'],
  preChatForm: ['panels/pre-chat-form'],
  push: ['people/push'],
  rating: ['people/rating'],
  conversations: ['panels/conversations'],
  ownData: ['panels/own-data'],
};

test('every text is used in the folders of its section, and no other folder loads it', () => {
  const root = join(import.meta.dirname, '..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|testing\.ts$|^i18n\//.test(file))
    .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }));
  expect(Object.keys(foldersOf)).toEqual(Object.keys(sections));
  for (const [name, section] of Object.entries(sections)) {
    const isOwn = ({ file }: { file: string }) =>
      foldersOf[name]?.some((folder) => file.startsWith(`${folder}/`));
    const loading = new RegExp(`(?<!typeof )\\ben\\.widget\\.${name}\\b`);
    expect(
      sources.filter((source) => loading.test(source.code) && !isOwn(source)).map(({ file }) => file),
      name,
    ).toEqual([]);
    if (name === 'unread') continue;
    const code = sources
      .filter(isOwn)
      .map((source) => source.code)
      .join('\n');
    const used = new Set(
      [...code.matchAll(/\bstrings\.(\w+)|'(\w+)'|\ben\.widget\.\w+\)\.(\w+)/g)].flatMap(
        ([, ...keys]) => keys,
      ),
    );
    expect(
      Object.keys(section).filter((key) => !used.has(key.replace(/_\w+$/, ''))),
      name,
    ).toEqual([]);
  }
});

describe.each(names)('%s', (name) => {
  const texts = Object.entries(textsOf(name));
  const englishTexts = textsOf('en');

  // A missing text is English: `node scripts/missing-texts.mjs` lists it.
  test('has no key that English does not have, and no plural form of another language', () => {
    expect(compareKeys(files.en, files[name], name).superfluous).toEqual([]);
  });

  test('has the placeholders of English', () => {
    for (const [key, text] of texts) {
      const expected = placeholders(englishOf(key, englishTexts) ?? '');
      // Some languages write one and two as words.
      if (/_(?!other$)/.test(key)) expect(expected, key).toEqual(expect.arrayContaining(placeholders(text)));
      else expect(placeholders(text), key).toEqual(expected);
    }
  });

  test('has all plural forms of a text or none', () => {
    const keys = texts.map(([key]) => key).filter((key) => key.includes('_'));
    for (const plural of new Set(keys.map((key) => key.split('_')[0])))
      expect(
        categoriesOf(name).filter((form) => !keys.includes(`${plural}_${form}`)),
        plural,
      ).toEqual([]);
    for (const count of [0, 1, 2, 3, 5, 11, 21, 22, 25, 100, 1_000_000]) {
      expect(plural({ ...english, ...all[name] }, 'newMessages', count, name)).not.toMatch(/[{}]|undefined/);
    }
  });

  test('has texts, and none is empty', () => {
    for (const [key, text] of texts) expect(text, key).toMatch(/\S/);
  });

  test('is at most 3,800 bytes when transferred', () => {
    expect(brotliCompressSync(JSON.stringify(all[name])).length).toBeLessThanOrEqual(3_800);
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
  expect(plural(all[name] ?? {}, 'newMessages', count, name)).toBe(expected);
});

test('the English strings of the launcher match the English catalogue', () => {
  for (const count of [1, 2, 21])
    expect(launcherStrings.unread(count)).toBe(plural(english, 'unread', count, 'en'));
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
    expect(plural({ steps_other: '{count} x' }, 'steps', 1, 'en')).toBe('1 x');
  });
});
