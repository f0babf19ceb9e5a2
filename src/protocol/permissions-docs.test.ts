// Tests that the guides name the roles that have a permission, as the table does.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isPermitted, type Permission, roles } from './permissions.ts';

const guide = (name: string) =>
  readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');
const having = (permission: string) => roles.filter((role) => isPermitted(role, permission as Permission));

test('tables.md names the roles that read and write tables', () => {
  const rules = [
    ...guide('tables').matchAll(
      /needs `([\w.]+)` and `([\w.]+)`: the bot itself, and members with the roles ([^.]+)\./g,
    ),
  ];
  expect(rules.map(([, first]) => first)).toEqual(['tables.read', 'tables.write']);
  for (const [, first = '', second = '', named = ''] of rules) {
    const sorted = [...named.split(/,\s+/)].sort();
    expect([first, sorted]).toEqual([first, [...having(first)].sort()]);
    expect([second, sorted]).toEqual([second, [...having(second)].sort()]);
  }
  expect(guide('tables')).toContain('members with the role billing have no access');
  expect(having('rows.read')).not.toContain('billing');
});

test('files.md names the roles that read and change files', () => {
  const rows = [
    ...guide('files').matchAll(/^\| ([a-z, ]+) \| (reads, lists and searches|all of) the? ?.*\|$/gm),
  ];
  const named = new Map(rows.map(([, list = '', right = '']) => [right, list.split(', ')]));
  const readers = [...(named.get('reads, lists and searches') ?? []), ...(named.get('all of') ?? [])];
  expect(readers.sort()).toEqual([...having('files.read')].sort());
  expect(named.get('all of')?.sort()).toEqual([...having('files.update')].sort());
});
