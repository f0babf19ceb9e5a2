// Tests the catalogues: every language has all strings, the same placeholders and the plurals it needs, and is small.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { strings as launcherStrings } from '../launcher/strings.ts';
import type { PluralForms } from './catalogue.ts';
import { chat } from './en/chat.ts';
import { extras } from './en/extras.ts';
import { hostPage } from './en/host-page.ts';
import { launcher, unread } from './en/launcher.ts';
import { markdown } from './en/markdown.ts';
import { interpolate } from './interpolate.ts';
import { catalogues } from './load-catalogue.ts';

const sections = { launcher: { ...launcher, unread }, hostPage, chat, extras, markdown };
const english: Record<string, string | PluralForms> = Object.assign({}, ...Object.values(sections));
const all: Record<string, Record<string, string | PluralForms>> = { en: english };
for (const [name, load] of Object.entries(catalogues)) all[name] = (await load()).default;

const formsOf = (text: string | PluralForms | undefined): string[] =>
  typeof text === 'object' ? Object.values(text) : [text ?? ''];
const placeholders = (text: string) => [...text.matchAll(/\{\w*\}/g)].map(([name]) => name).sort();

test('there are thirteen languages, each with a file and an entry in the table', () => {
  const files = readdirSync(join(import.meta.dirname, 'catalogues')).filter((file) =>
    /^[a-z]{2}\.ts$/.test(file),
  );
  expect(Object.keys(all).length).toBe(13);
  expect(files.sort()).toEqual(
    Object.keys(catalogues)
      .map((name) => `${name}.ts`)
      .sort(),
  );
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
  const used = (name: string) =>
    new Set([...codeOf(name).matchAll(/\bstrings\.(\w+)|'(\w+)'/g)].map(([, a, b]) => a ?? b ?? ''));
  const uses = {
    launcher: used('launcher'),
    hostPage: used('host-page'),
    chat: used('chat'),
    extras: used('extras'),
    markdown: used('markdown'),
  };
  for (const [name, section] of Object.entries(sections)) {
    const own = uses[name as keyof typeof uses];
    expect(
      Object.keys(section).filter((key) => !own.has(key)),
      name,
    ).toEqual([]);
  }
});

describe.each(Object.keys(all))('%s', (name) => {
  const catalogue = all[name] ?? {};

  test('has every string, and no other', () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(Object.keys(english).toSorted());
    for (const [key, text] of Object.entries(catalogue)) {
      for (const form of formsOf(text)) expect(form, key).toMatch(/^\S(.*\S)?$/);
    }
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
    const categories = new Intl.PluralRules(name).resolvedOptions().pluralCategories;
    for (const [key, text] of Object.entries(catalogue)) {
      const isPlural = typeof english[key] === 'object';
      expect(typeof text === 'object', key).toBe(isPlural);
      if (typeof text === 'object') expect(Object.keys(text).sort(), key).toEqual([...categories].sort());
    }
    for (const count of [0, 1, 2, 3, 5, 11, 21, 22, 25, 100, 1_000_000]) {
      expect(interpolate(catalogue.newMessages ?? '', { count }, name)).not.toMatch(/[{}]|undefined/);
    }
  });

  test('is at most 3,000 bytes when transferred', () => {
    expect(brotliCompressSync(JSON.stringify(catalogue)).length).toBeLessThanOrEqual(3_000);
  });
});

test.each([
  [
    'pl',
    [
      '1 nowa wiadomość',
      '2 nowe wiadomości',
      '5 nowych wiadomości',
      '22 nowe wiadomości',
      '112 nowych wiadomości',
    ],
  ],
  [
    'ja',
    [
      '新しいメッセージ 1 件',
      '新しいメッセージ 2 件',
      '新しいメッセージ 5 件',
      '新しいメッセージ 22 件',
      '新しいメッセージ 112 件',
    ],
  ],
])('plurals of %s', (name, expected) => {
  expect(
    [1, 2, 5, 22, 112].map((count) => interpolate(all[name]?.newMessages ?? '', { count }, name)),
  ).toEqual(expected);
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
