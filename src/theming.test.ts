// Tests that docs/guides/theming.md, the contract with designers, names every part and every custom property there is.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resolveConfiguration } from './protocol/page-api/config-layers.ts';
import { themeCss } from './widget/launcher/theme.ts';

const docs = readFileSync('docs/guides/theming.md', 'utf8');
const sources = readdirSync('src/widget', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(`src/widget/${file}`, 'utf8'))
  .join('\n');

/** Names between backticks in the first column of a table. */
const named = (text: string) =>
  [...text.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

/** The names with `-` are only in the code, those with `+` only in the page. */
const cure =
  'Change the tables of docs/guides/theming.md: a name with - has no row, a name with + is not in the code.';

test('every part of the widget is on the page, and no other', () => {
  const literal = [...sources.matchAll(/\bpart(?:=|: | = |\.add\(|['"], )["']([\w-]+)["']/g)].map(
    ([, name]) => name,
  );
  // Set by a variable, which the test cannot find: Media.tsx, Header.tsx.
  const used = new Set([...literal, 'audio', 'video', 'bubble', 'more', 'contact', 'restart']);
  expect(literal.length).toBeGreaterThan(30);
  expect(
    named(docs)
      .filter((name) => !name.startsWith('--'))
      .sort(),
    cure,
  ).toEqual([...used].sort());
});

test('every custom property of the widget is on the page, and no other', () => {
  const css = themeCss(resolveConfiguration(), 'light') + sources;
  const used = new Set([...css.matchAll(/var\((--pw-[a-z-]+)/g)].map(([, name]) => name));
  expect(
    named(docs)
      .filter((name) => name.startsWith('--'))
      .sort(),
    cure,
  ).toEqual([...used].sort());
});
