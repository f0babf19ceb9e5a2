// Tests the table of docs/guides/languages.md: every language with its own name, its direction and its form of address.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { directionOf } from '../../protocol/locale/choose-locale.ts';
import { names } from './testing.ts';

const read = (path: string) => readFileSync(path, 'utf8');

const ownNameOf = (name: string) =>
  new Intl.DisplayNames(name, { type: 'language', languageDisplay: 'standard' }).of(name);

test('docs/guides/languages.md has a row for every language, in the order of their names', () => {
  const rows = [
    ...read('docs/guides/languages.md').matchAll(/^\| `([\w-]+)` \| (.+?) \| (.+?) \| (.+?) \|$/gm),
  ];
  const languages = rows.map(([, name = '', language = '', ownName = '', address = '']) => {
    expect(language, name).toMatch(/^[A-Z]/);
    expect(language.endsWith(', right to left') ? 'rtl' : 'ltr', name).toBe(directionOf(name));
    expect(ownName).toBe(ownNameOf(name));
    expect(address, name).toMatch(/^[a-z]/);
    return name;
  });
  expect(languages).toEqual(names);
});

test('README and guide state the numbers of languages and of those from right to left', () => {
  const languages = new Set(names.map((name) => new Intl.Locale(name).language)).size;
  const rightToLeft = names.filter((name) => directionOf(name) === 'rtl').length;
  expect(read('README.md')).toContain(
    `**Languages**: ${languages}, ${rightToLeft} of them written from right to left`,
  );
  expect(read('docs/guides/languages.md')).toContain(`available in ${languages} languages`);
});
