// Checks docs/concepts/security.md: every test that it names exists, and its table of OWASP ASVS is complete.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const document = readFileSync(new URL('docs/concepts/security.md', root), 'utf8');

test('docs/concepts/security.md: every test file that it names exists', () => {
  const named = [...document.matchAll(/`((?:src|e2e|scripts)\/[\w./-]+\.(?:ts|tsx|mjs))`/g)];
  const paths = [...new Set(named.map(([, path = '']) => path))];
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test('docs/concepts/security.md: every requirement of the ASVS table has an answer, and a test or a dash', () => {
  const table = document.slice(document.indexOf('## OWASP ASVS, level 2'));
  const rows = table.split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const [requirement, answer, shown, ...more] = row.slice(2, -2).split(' | ');
    expect(requirement, row).toMatch(/^\d+\.\d+\.?\d*/);
    expect(answer, row).toMatch(/\w/);
    expect(shown, row).toMatch(/^(?:`[\w./-]+`(?:, )?)+$|^—$/);
    expect(more, row).toEqual([]);
  }
});
