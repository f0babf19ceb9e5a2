// Tests the sentence for a reached limit in the languages of the window.
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { limitMessage, limitTexts } from './limits.ts';

test('the sentence exists in each language that the window has', async () => {
  const catalogues = await readdir(new URL('../../../widget/i18n/catalogues/', import.meta.url));
  expect(catalogues.length).toBeGreaterThan(30);
  const languages = catalogues.map((file) => file.replace(/\.ts$/, ''));
  expect(Object.keys(limitTexts).sort()).toEqual(['en', ...languages].sort());
  expect(new Set(Object.values(limitTexts)).size).toBe(languages.length + 1);
});

test.each([
  [['de-AT'], limitTexts.de],
  [['zh-TW'], limitTexts['zh-Hant']],
  [['pt-BR'], limitTexts.pt],
  [[undefined, 'fr'], limitTexts.fr],
  [['tlh', 'pl'], limitTexts.pl],
  [['toString', '__proto__'], limitTexts.en],
  [[], limitTexts.en],
])('the languages %j get %s', (languages, text) => {
  expect(limitMessage(languages)).toEqual({ type: 'text', text });
});
