// Keeps docs/guides/languages.md up to date (`npm run generate` writes its table): every language, from the first lines of the
// catalogues.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { directionOf } from '../../protocol/locale/choose-locale.ts';
import { names } from './testing.ts';

const read = (path: string) => readFileSync(path, 'utf8');

/** The first line of a catalogue: its language, the kind of it, and how it addresses the visitor. */
function headOf(name: string) {
  if (name === 'en') return { language: 'English', kind: ', built in', register: 'neutral (you)' };
  const [head = ''] = read(`src/widget/i18n/catalogues/${name}.ts`).split('\n');
  const [, language = '', kind = '', register = ''] =
    /^\/\/ (\S+(?: \S+)?) strings(, .+?)?\. Register: (.+)\.$/.exec(head) ?? [];
  return { language, kind, register };
}

const ownNameOf = (name: string) =>
  new Intl.DisplayNames(name, { type: 'language', languageDisplay: 'standard' }).of(name);

test('docs/guides/languages.md lists every language (npm run generate writes the list)', async () => {
  const rows = names.map((name) => {
    const { language, kind, register } = headOf(name);
    const direction = directionOf(name) === 'rtl' ? ', right to left' : '';
    return `| \`${name}\` | ${language}${kind}${direction} | ${ownNameOf(name)} | ${register} |`;
  });
  const table = ['| Name | Language | Its own name | Address |', '|---|---|---|---|', ...rows].join('\n');
  const generated = /(<!-- languages: .* -->\n)[\s\S]*(<!-- \/languages -->\n)/;
  const page = read('docs/guides/languages.md');
  expect(page).toMatch(generated);
  const current = page.replace(generated, (_, from, to) => `${from}\n${table}\n\n${to}`);
  await expect(current).toMatchFileSnapshot('../../../docs/guides/languages.md');
});

test.each(names)(
  '%s: the first line of its catalogue names the language and how visitors are addressed',
  (name) => {
    expect(headOf(name)).toMatchObject({
      language: expect.stringMatching(/^[A-Z]/),
      register: expect.stringMatching(/^[a-z]/),
    });
  },
);

test('README and guide state the numbers of languages and of those from right to left', () => {
  const languages = new Set(names.map((name) => new Intl.Locale(name).language)).size;
  const rightToLeft = names.filter((name) => directionOf(name) === 'rtl').length;
  expect(read('README.md')).toContain(
    `**Languages**: ${languages}, ${rightToLeft} of them written from right to left`,
  );
  expect(read('docs/guides/languages.md')).toContain(`available in ${languages} languages`);
});
