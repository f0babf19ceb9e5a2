// Checks that llms.txt lists every page of the documentation once, and that the served pages link only to served pages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as docs from '../scripts/docs-pages.mjs';

const { addressOf, docsPages, llmsText, servedFiles, servedPage } = docs as unknown as {
  docsPages: Record<string, Record<string, [string, string]>>;
  servedFiles: string[];
  addressOf(file: string): string;
  llmsText(): string;
  servedPage(file: string, text: string): string;
};
const root = join(import.meta.dirname, '..');
const listed = Object.values(docsPages).flatMap((section) => Object.keys(section));

test('every page of the documentation is listed once; without the archive of decisions', () => {
  const pages = [
    ...readdirSync(root).filter((file) => file.endsWith('.md')),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.startsWith('decisions/archive/'))
      .map((file) => `docs/${file}`),
  ];
  expect(listed.toSorted(), 'Add the page to the table in scripts/docs-pages.mjs.').toEqual(pages.toSorted());
  expect(new Set(listed.map(addressOf)).size).toBe(listed.length);
  for (const section of Object.values(docsPages)) {
    for (const [title, sentence] of Object.values(section)) {
      expect(title).not.toBe('');
      expect(sentence).toMatch(/^[A-Z].{10,120}\.$/);
    }
  }
});

test('public/llms.txt is current (npm run generate writes it)', async () => {
  await expect(llmsText()).toMatchFileSnapshot('../public/llms.txt');
});

test.each(servedFiles)('the served form of %s links only to served pages, and keeps its code', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const served = servedPage(file, text);
  const addresses = servedFiles.map(addressOf);
  const links = [...served.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s#]+)/g)].map(
    ([, target]) => target,
  );
  expect(
    links.filter((target) => !/^(https?|mailto):/.test(target ?? '') && !addresses.includes(target ?? '')),
  ).toEqual([]);
  const blocks = (page: string) => page.match(/^```[\s\S]*?^```$/gm) ?? [];
  expect(blocks(served)).toEqual(blocks(text));
});
