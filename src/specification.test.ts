// Checks docs/reference/specification.md: every statement names files that implement it, and tests that exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The sections of the specification, in its order. */
const sections = [
  'What the service does',
  'Resources and their fields',
  'States and transitions',
  'Endpoints',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
];

const namedTest = /`([^`]+)` “([^”]+)”/g;
const page = read('docs/reference/specification.md');

/** The rows of the tables in a part of the page. */
const rowsOf = (part: string) =>
  part
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Statement |'))
    .map((line) => {
      const [statement = '', implementation = '', shown = '', ...more] = line.slice(2, -2).split(' | ');
      const tests = [...shown.matchAll(namedTest)].map(([, file = '', title = '']) => ({ file, title }));
      return { line, statement, implementation, shown, tests, more };
    });
const rows = rowsOf(page);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Whether a line of the file, neither a comment nor a skipped test, has a string with this text. */
const hasTitle = (file: string, title: string) =>
  new RegExp(
    `^(?!\\s*(?://|/?\\*))(?!.*\\.(?:skip|todo|fixme)\\().*['"\`][^'"\`\\n]*${escaped(title)}`,
    'm',
  ).test(read(file));

describe('docs/reference/specification.md', () => {
  test('has the sections of the specification in its order, each with statements', () => {
    const parts = page.split(/^## /m).slice(1);
    expect(parts.map((part) => part.slice(0, part.indexOf('\n')))).toEqual(sections);
    for (const part of parts) expect(rowsOf(part)).not.toEqual([]);
    expect(rows.length).toBeGreaterThan(180);
  });

  test('every row has a statement, files that exist, and at least one test', () => {
    for (const { line, statement, implementation, shown, more } of rows) {
      expect(statement, line).toMatch(/\w.*\.$/);
      expect(implementation, line).toMatch(/^`[^`]+`(?:, `[^`]+`)*$/);
      expect(shown, line).toMatch(/^`[^`]+` “[^”]+”(?:, `[^`]+` “[^”]+”)*$/);
      expect(more, line).toEqual([]);
      const paths = [...implementation.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      expect(
        paths.filter((path) => !existsSync(join(root, path)) || /\.(test|spec|contract)\./.test(path)),
        line,
      ).toEqual([]);
    }
  });

  test('no statement is repeated in its section', () => {
    for (const part of page.split(/^#{2,3} /m)) {
      const statements = rowsOf(part).map(({ statement }) => statement);
      expect(new Set(statements).size).toBe(statements.length);
    }
  });

  test('every test that it names exists under this title', () => {
    const named = rows.flatMap(({ tests }) => tests);
    const missing = named.filter(
      ({ file, title }) =>
        !/\.(?:test|spec|contract)\.ts$/.test(file) ||
        !existsSync(join(root, file)) ||
        !hasTitle(file, title),
    );
    expect(
      missing.map(({ file, title }) => `${file}: ${title}`),
      'Write the new title of the test into docs/reference/specification.md, if it still shows the statement.',
    ).toEqual([]);
  });

  test('the check of titles finds a test, and neither a comment nor a title that does not exist', () => {
    const file = 'src/specification.test.ts';
    expect(hasTitle(file, 'no statement is repeated in its section')).toBe(true);
    // In pieces, so that this line does not contain them.
    expect(hasTitle(file, ['every statement', 'names files'].join(' '))).toBe(false);
    expect(hasTitle(file, ['no such', 'title'].join(' '))).toBe(false);
  });
});
