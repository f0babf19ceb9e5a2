// Finds the texts of the console in its sources: the first argument of `t`, the second and third of `counted`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const pages = join(import.meta.dirname, '..');
const folders = ['console', 'inbox', 'session', 'ui'];

const literal = String.raw`'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"`;
const single = new RegExp(String.raw`(?<![\w.])t\(\s*(?:${literal})`, 'g');
const plural = new RegExp(String.raw`(?<![\w.])counted\(\s*[^'"]*?,\s*(?:${literal}),\s*(?:${literal})`, 'g');

const textOf = (found: readonly (string | undefined)[]): string =>
  (found.find((each) => each !== undefined) ?? '').replace(/\\(.)/g, '$1');

/** The English texts of the sources: those of `t`, and those of `counted` by their plural. */
export function consoleTexts(): { plain: Set<string>; counted: Map<string, string> } {
  const plain = new Set<string>();
  const counted = new Map<string, string>();
  for (const folder of folders) {
    for (const file of readdirSync(join(pages, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file) || /\.(test|testing)\.tsx?$/.test(file)) continue;
      const source = readFileSync(join(pages, folder, file), 'utf8');
      for (const [, ...found] of source.matchAll(single)) plain.add(textOf(found));
      for (const [, ...found] of source.matchAll(plural))
        counted.set(textOf(found.slice(2)), textOf(found.slice(0, 2)));
    }
  }
  return { plain, counted };
}
