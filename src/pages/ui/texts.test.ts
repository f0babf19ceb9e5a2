// Tests the texts of the console and their translations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { consoleTexts } from './text-sources.testing.ts';
import { chooseLanguage, consoleLanguages, counted, type Translations, t, useLanguage } from './texts.ts';

afterEach(() => useLanguage('en'));

const translated = consoleLanguages.filter((language) => language !== 'en');
const fileOf = (language: string): Translations =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../locales/console', `${language}.json`), 'utf8'),
  ) as Translations;
const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([name]) => name).sort();
const texts = consoleTexts();

test('the texts of the sources are found', () => {
  expect(texts.plain.size).toBeGreaterThan(50);
  expect(texts.plain).toContain('First steps');
});

test.each(translated)('%s has a translation of each text of the console, and no others', (language) => {
  const file = fileOf(language);
  const expected = [...texts.plain, ...texts.counted.keys()];
  expect(expected.filter((text) => file[text] === undefined)).toEqual([]);
  expect(Object.keys(file).filter((text) => !expected.includes(text))).toEqual([]);
});

test.each(translated)(
  'the translations of %s have the values and the plural forms of their texts',
  (language) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    for (const [english, found] of Object.entries(fileOf(language))) {
      if (typeof found === 'string') {
        expect([english, namesIn(found)]).toEqual([english, namesIn(english)]);
        continue;
      }
      expect([english, Object.keys(found).sort()]).toEqual([english, categories]);
      for (const name of namesIn(english).filter((each) => each !== '{count}'))
        for (const text of Object.values(found)) expect(text).toContain(name);
    }
  },
);

test('a text without a translation is English, with its values', () => {
  expect(t('Nobody has translated {this}.', { this: 'me' })).toBe('Nobody has translated me.');
  expect(counted(1, '{count} sheep alone', '{count} sheep')).toBe('1 sheep alone');
  expect(counted(1_200, '{count} sheep alone', '{count} sheep')).toBe('1,200 sheep');
});

test('the language is the first of the wanted ones that the console has', async () => {
  expect(chooseLanguage(['tlh', 'pt-BR', 'de'])).toBe('pt');
  expect(chooseLanguage(['tlh'])).toBe('en');
  await useLanguage('de');
  expect(t('Cancel')).toBe('Abbrechen');
});
