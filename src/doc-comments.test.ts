// What an editor shows to who calls an operation or uses the client: each has a doc comment. Reads sources only.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adminOperations } from './protocol/admin-operations.ts';
import { chatOperations } from './protocol/chat-operations.ts';
import { fileOperations } from './protocol/file-operations.ts';
import { runtimeOperations } from './protocol/runtime-operations.ts';
import { tableOperations } from './protocol/table-operations.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
/** A doc comment that says something, and ends in the line before. */
const documented = String.raw`/\*\*(?:(?!\*/)[\s\S])*\w(?:(?!\*/)[\s\S])*\*/\n\s*`;

/** Interface -> its operations by name. */
const tables: Record<string, object> = {
  AdminOperations: adminOperations,
  ChatOperations: chatOperations,
  FileOperations: fileOperations,
  RuntimeOperations: runtimeOperations,
  TableOperations: tableOperations,
};
const interfaces = readdirSync(join(import.meta.dirname, 'protocol'))
  .map((file) => read(`protocol/${file}`))
  .flatMap((text) => [...text.matchAll(/^export interface (\w+Operations) \{\n([\s\S]*?)^\}/gm)])
  .map(([, name = '', body = '']) => ({ name, body }));

test('every interface of operations is looked at', () => {
  expect(interfaces.map(({ name }) => name).sort()).toEqual(Object.keys(tables).sort());
});

test.each(interfaces)('every operation of $name', ({ name, body }) => {
  const missing = Object.keys(tables[name] ?? {}).filter(
    (operation) => !new RegExp(`${documented}${operation}: \\[`).test(body),
  );
  expect(missing).toEqual([]);
});

describe('what the client gives', () => {
  const index = read('client/index.ts');
  const given = [...index.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '\.\/([\w-]+\.ts)';$/gm)].flatMap(
    ([, names = '', file = '']) => {
      const text = read(`client/${file}`);
      const all = names === '*' ? [...text.matchAll(declaration('(\\w+)'))].map(([, name = '']) => name) : [];
      const listed = names.replace(/[{}]|\btype\b/g, '').split(',');
      return [...all, ...(names === '*' ? [] : listed)]
        .map((name) => name.trim())
        .filter(Boolean)
        .map((name) => ({ name, file, text }));
    },
  );

  test('is found in its files', () => {
    expect(given.length).toBeGreaterThan(40);
    expect(index.match(/^export /gm)?.length).toBe(new Set(given.map(({ file }) => file)).size);
  });

  test.each(given)('$name of $file', ({ name, text }) => {
    expect(text).toMatch(declaration(name));
    expect(text).toMatch(new RegExp(documented + declaration(name).source.slice(1), 'm'));
  });
});

/** How something of this name is exported where it is made. */
function declaration(name: string): RegExp {
  return new RegExp(`^export (?:abstract |async )*(?:class|function|interface|type|const) ${name}\\b`, 'gm');
}
