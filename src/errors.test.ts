// Keeps docs/reference/errors.md up to date (`npm run generate` writes its tables): every code, from the tables and their doc comments.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorTypes, type PlatformErrorCode, platformError } from './protocol/error.ts';
import { findings } from './widget/diagnostics/findings.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const source = read('src/protocol/error.ts');

/** The text between two strings of the source. */
const between = (from: string, to: string) => source.split(from)[1]?.split(to)[0] ?? '';

/** Doc comments and the names after them. */
const commented = (text: string, name: RegExp): [name: string, comment: string][] =>
  [...text.matchAll(new RegExp(`/\\*\\*([\\s\\S]*?)\\*/\\s*${name.source}`, 'g'))].map(
    ([, comment = '', code = '']) => [
      code,
      comment
        .replace(/^\s*\* ?/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ],
  );

const codes = commented(between('export type PlatformErrorCode =', ';\n\n'), /\| '(\w+)'/);
const types = commented(between('export const errorTypes = {', '\n} as const'), /(\w+): \d+/);

const table = (heads: string[], rows: string[][]) =>
  [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
    .replace(/^\| --- .*$/m, (line) => line.replaceAll(' ', ''));

const tables: Record<string, string> = {
  'page codes': table(
    ['Code', 'When', 'Retryable', 'What to do'],
    codes.map(([code, comment]) => {
      const [when = '', cure = ''] = comment.split(' Cure: ');
      const { retryable } = platformError(code as PlatformErrorCode, '');
      return [`\`${code}\``, when, retryable ? 'yes' : '', cure];
    }),
  ),
  findings: table(
    ['Code', 'Severity', 'Meaning', 'Cure'],
    Object.entries(findings).map(([code, [severity, ...texts]]) => [
      `\`${code}\``,
      severity,
      ...texts.map(safe),
    ]),
  ),
  'wire types': table(
    ['Type', 'Status', 'Meaning'],
    types.map(([type, meaning]) => [
      `\`${type}\``,
      String(errorTypes[type as keyof typeof errorTypes]),
      meaning,
    ]),
  ),
};

/** A tag in a text is none of the page's. */
function safe(text: string): string {
  return text.replaceAll('<', '&lt;');
}

test('docs/reference/errors.md has the current tables (npm run generate writes them)', async () => {
  let page = read('docs/reference/errors.md');
  for (const [name, text] of Object.entries(tables)) {
    const generated = new RegExp(`(<!-- ${name}: .* -->\n)[\\s\\S]*(<!-- /${name} -->\n)`);
    expect(page).toMatch(generated);
    page = page.replace(generated, (_, from, to) => `${from}\n${text}\n\n${to}`);
  }
  await expect(page).toMatchFileSnapshot('../docs/reference/errors.md');
});

test('every code and every type has its words', () => {
  expect(types.map(([type]) => type)).toEqual(Object.keys(errorTypes));
  // As many as the union has members: a code without a comment cannot slip through.
  const members = between('export type PlatformErrorCode =', ';\n\n').match(/^ {2}\| '/gm);
  expect(codes).toHaveLength(members?.length ?? -1);
  for (const [code, comment] of codes) expect(comment, code).toMatch(/^[A-Z].*\. Cure: [A-Z`].*\.$/);
  for (const [type, comment] of types) expect(comment, type).toMatch(/^[A-Z].*\.$/);
  for (const [code, [, meaning, cure]] of Object.entries(findings)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const text of [meaning, cure]) expect(text, code).toMatch(/^[A-Z<`a-z].*\.$/);
  }
});

test('a code of the page that the doctor has, too, means the same there', () => {
  const both = codes.map(([code]) => code).filter((code) => code in findings);
  expect(both).toEqual(['not_initialized', 'chunk_failed', 'internal']);
});
