// Checks that the page about performance names the current limits; `npm run generate` writes them.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { byteLimits } from '../e2e/embedding/byte-limits.ts';

/** The beginning of each row of the table of bytes, and the limit in its last column. */
const rows = {
  'until the launcher shows': byteLimits.launcher,
  'until the window is open': byteLimits.window,
  'for Markdown': byteLimits.markdown,
};

test('docs/reference/performance.md names the limits of bytes', async () => {
  let page = await readFile(new URL('../docs/reference/performance.md', import.meta.url), 'utf8');
  for (const [name, limit] of Object.entries(rows)) {
    const row = new RegExp(`^(\\| ${name}\\b.*\\| )[\\d,]+( \\|)$`, 'm');
    expect(page).toMatch(row);
    page = page.replace(row, (_, before, after) => `${before}${limit.toLocaleString('en')}${after}`);
  }
  await expect(page).toMatchFileSnapshot('../docs/reference/performance.md');
});
