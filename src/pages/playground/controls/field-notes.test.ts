// Tests the reader of doc comments, and checks the tables of docs/reference/configuration.md (`npm run generate` writes them).
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';
import { expect, test } from 'vitest';
import type { FieldName } from '../../../protocol/page-api/config.ts';
import { fieldNames, fields, readLayer } from '../../../protocol/page-api/config-layers.ts';
import { readText } from '../../../protocol/page-api/field-kinds.ts';
import { codeParts, readFieldNotes } from './field-notes.ts';
import { fieldTables } from './field-tables.ts';
import { controlOf, defaultOf, valueDescriptionOf } from './fields.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const groups = readFieldNotes(read('../../../protocol/page-api/configuration.ts'));
const notes = groups.flatMap((group) => group.notes);

test('field notes: every field of the configuration has one, and nothing else has', () => {
  expect(notes.map(({ name }) => name).toSorted()).toEqual(fieldNames.toSorted());
  for (const { name, text } of notes) {
    expect(text, name).toMatch(/^[A-Z`].*\.$/);
    expect(text, name).not.toMatch(/[*@]|\s{2}/);
    expect(codeParts(text).length % 2, name).toBe(1);
  }
});

test('field groups: each has a title and at least one field', () => {
  expect(groups.map(({ title }) => title)).toContain('The bot');
  for (const { title, notes } of groups) {
    expect(title).toMatch(/^[A-Z]/);
    expect(notes.length, title).toBeGreaterThan(0);
  }
});

test('field notes: are read from comments of one or several lines, with or without @deprecated', () => {
  const source = `
/** Not this one. */
export interface Other { a?: string; }
export interface Configuration {
  // First things
  /** One line, with \`code\`. */
  a?: string;
  b?: { c?: string; d: number };
  /**
   * Two
   * lines: 2 * 3.
   */
  e: string;

  // Others // and more
  /** @deprecated Use \`a\`. */
  f?: 'x' | 'y';
}
export interface Later {
  /** Nor this one. */
  g?: string;
}
`;
  expect(readFieldNotes(source)).toEqual([
    {
      title: 'First things',
      notes: [
        { name: 'a', text: 'One line, with `code`.', isDeprecated: false },
        { name: 'b', text: '', isDeprecated: false },
        { name: 'e', text: 'Two lines: 2 * 3.', isDeprecated: false },
      ],
    },
    { title: 'Others // and more', notes: [{ name: 'f', text: 'Use `a`.', isDeprecated: true }] },
  ]);
});

test('field notes: a source without the interface is rejected', () => {
  expect(() => readFieldNotes('export interface Configurations {\n}')).toThrow('no interface Configuration');
});

test('field controls: every kind of field has a control and a description of its values', () => {
  const controls = Object.fromEntries(fieldNames.map((name) => [name, controlOf(fields[name][0])]));
  expect(controls).toMatchObject({
    botName: 'text',
    botAvatar: 'text',
    color: 'color',
    themeMode: 'choice',
    radius: 'number',
    launcher: 'flag',
    starters: 'list',
    strings: 'object',
    footer: 'clearable',
    phone: 'link',
    showPoweredBy: 'none',
  });
  for (const name of fieldNames) expect(valueDescriptionOf(fields[name][0]), name).not.toBe('');
  expect(valueDescriptionOf(fields.radius[0])).toBe('a number from 0.5 to 4');
  expect(valueDescriptionOf(fields.variant[0])).toBe('`solid`, `soft`');
  expect([defaultOf('feedbackEnabled'), defaultOf('radius'), defaultOf('botAvatar')]).toEqual([
    'false',
    '4',
    '',
  ]);
});

test('docs/reference/configuration.md has the current tables (npm run generate writes them)', async () => {
  const page = read('../../../../docs/reference/configuration.md');
  const generated = /(<!-- fields: .* -->\n)[\s\S]*(<!-- \/fields -->\n)/;
  expect(page).toMatch(generated);
  const current = page.replace(generated, (_, from, to) => `${from}\n${fieldTables(groups)}\n\n${to}`);
  await expect(current).toMatchFileSnapshot('../../../../docs/reference/configuration.md');
});

test('the example of docs/reference/configuration.md is a valid configuration', () => {
  const html = /```html\n([\s\S]*?)```/.exec(read('../../../../docs/reference/configuration.md'))?.[1] ?? '';
  const { chatUrl, ...texts } = { ...new JSDOM(html).window.document.querySelector('script')?.dataset };
  expect(chatUrl).toBe('https://chat.example.com/chat/demo');
  const values = Object.entries(texts).map(([name, text = '']) => [
    name,
    readText(fields[name as FieldName][0], text),
  ]);
  const problems: unknown[] = [];
  expect(readLayer(Object.fromEntries(values), (problem) => problems.push(problem))).toEqual({
    botName: 'Ada',
    feedbackEnabled: true,
    launcher: false,
    starters: ['Prices', 'Opening hours'],
    phone: { title: 'Call us', link: 'tel:+3112345678' },
  });
  expect(problems).toEqual([]);
});
