// Keeps the list of all operations in the documentation up to date: `npm run generate` writes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis } from './apis.ts';

const page = join(import.meta.dirname, '../../../docs/reference/operations.md');

/** The first sentence is enough to find an operation; the reference of the server has all of them. */
const firstSentence = (summary: string) => summary.replace(/(?<=[^.]{2}\.) .*$/s, '').replaceAll('|', '\\|');

const sections = apis.map(({ title, description, base, operations }) => {
  const rows = operations.map(
    ({ id, method, path, summary }) =>
      `| \`${id}\` | \`${method} ${base}${path}\` | ${firstSentence(summary)} |`,
  );
  return [
    `## ${title}`,
    '',
    description,
    '',
    '| Operation | Request | Purpose |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
});

test('docs/reference/operations.md lists every operation (npm run generate writes it)', async () => {
  const text = readFileSync(page, 'utf8');
  const generated = /(<!-- operations: .* -->\n)[\s\S]*(<!-- \/operations -->\n)/;
  expect(text).toMatch(generated);
  const current = text.replace(generated, (_, from, to) => `${from}\n${sections.join('\n\n')}\n\n${to}`);
  await expect(current).toMatchFileSnapshot(page);
});
