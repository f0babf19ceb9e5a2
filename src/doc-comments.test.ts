// Checks that every operation and every part of the client has a doc comment, which editors show. Reads sources only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
/** A doc comment with text that ends in the line before. */
const documented = String.raw`/\*\*(?:(?!\*/)[\s\S])*\w(?:(?!\*/)[\s\S])*\*/\n\s*`;

const modules = ['admin', 'chat', 'files', 'runtime', 'tables'];
const interfaces = modules.flatMap((name) =>
  [
    ...read(`client/operations/${name}.ts`).matchAll(/^export interface (\w+Methods) \{\n([\s\S]*?)^\}/gm),
  ].map(([, name = '', body = '']) => ({ name, body })),
);

test('every interface of methods is looked at', () => {
  expect(interfaces).toHaveLength(modules.length);
});

test.each(interfaces)('every method of $name has a doc comment', ({ body }) => {
  const methods = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name);
  expect(methods.length).toBeGreaterThan(10);
  expect(methods.filter((name) => !new RegExp(`${documented}${name}\\(`).test(body))).toEqual([]);
});

describe('what the client gives', () => {
  const index = read('client/index.ts');
  const exportedNames = [
    ...index.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '\.\/([\w/-]+\.ts)';$/gm),
  ].flatMap(([, names = '', file = '']) => {
    const text = read(`client/${file}`);
    const all = names === '*' ? [...text.matchAll(declaration('(\\w+)'))].map(([, name = '']) => name) : [];
    const listed = names.replace(/[{}]|\btype\b/g, '').split(',');
    return [...all, ...(names === '*' ? [] : listed)]
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => ({ name, file, text }));
  });

  test('is found in its files', () => {
    expect(exportedNames.length).toBeGreaterThan(40);
    expect(index.match(/^export /gm)?.length).toBe(new Set(exportedNames.map(({ file }) => file)).size);
  });

  test.each(exportedNames)('$name of $file', ({ name, text }) => {
    expect(text).toMatch(declaration(name));
    expect(text).toMatch(new RegExp(documented + declaration(name).source.slice(1), 'm'));
  });
});

/** How something of this name is exported where it is made. */
function declaration(name: string): RegExp {
  return new RegExp(`^export (?:abstract |async )*(?:class|function|interface|type|const) ${name}\\b`, 'gm');
}
