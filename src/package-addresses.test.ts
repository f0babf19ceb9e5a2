// Writes the version of the repository into the addresses of packages in the documentation (npm run generate): a reader copies
// commands that work with a server of this version.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const address = /(?<=\/webchat\/)[^/\s]+(?=\/packages\/)/g;
const pages = ['docs/guides', 'src/packages']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => name.endsWith('.md'))
  .filter((page) => readFileSync(page, 'utf8').match(address));

test('the recipes of frameworks are among the pages with addresses of packages', () => {
  expect(pages).toEqual(expect.arrayContaining(['docs/guides/react.md', 'docs/guides/recipes/next.md']));
});

test.each(pages)('the addresses of packages in %s have the version of the repository', async (page) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const text = readFileSync(page, 'utf8').replaceAll(address, (old) => (old === 'latest' ? old : version));
  await expect(text).toMatchFileSnapshot(resolve(page));
});
