// Checks that the page about performance shows the record (last.json), the scripts of others (field.json) and the limits; `npm run generate` writes them.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as figures from '../scripts/docs/figures.mjs';
import { checkBudgets } from './budgets.ts';
import type { Result } from './measure.ts';
import { amount, type Last, readLast, shown } from './table.ts';

interface Figures {
  fieldDate: string;
  rows: { name: string; note: string; bytes: number }[];
}
const { readFigures } = figures as unknown as { readFigures(): Figures };

const markdown = (heads: string[], rows: string[][]) => {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  const isText = (head: string) => ['case', 'measure', 'limit', 'script', 'part'].includes(head);
  const rule = `|${heads.map((head) => (isText(head) ? '---' : '--:')).join('|')}|`;
  return [line(heads), rule, ...rows.map(line)].join('\n');
};

function recordTable({ machine, values }: Last): string {
  let before = '';
  const rows = Object.entries(values).map(([name, { value, unit, floor, ratio }]) => {
    const [one = '', measure = ''] = name.split(': ');
    const title = one === before ? '' : one;
    before = one;
    return [
      title,
      measure,
      amount(value, unit),
      floor === undefined ? '' : amount(floor, unit),
      ratio === undefined ? '' : shown(ratio),
    ];
  });
  const { cpu, cores, node, browser, date } = machine;
  return `Measured on ${date}: ${cpu}, ${cores} cores, Node ${node.slice(1)}, ${browser}.\n\n${markdown(
    ['case', 'measure', 'value', 'floor', 'ratio'],
    rows,
  )}`;
}

function fieldTable(): string {
  const { fieldDate, rows } = readFigures();
  const cells = rows.map(({ name, note, bytes }) => [name, note, bytes.toLocaleString('en')]);
  return `Packages as they were on npm on ${fieldDate}.\n\n${markdown(['script', 'part', 'bytes'], cells)}`;
}

function limitTable({ values }: Last): string {
  const results: Result[] = Object.entries(values).map(([name, rest]) => ({ name, ...rest }));
  return markdown(
    ['limit', 'value', 'at most'],
    checkBudgets(results).map(({ name, value, max }) => [name, shown(value), max.toLocaleString('en')]),
  );
}

test('docs/reference/performance.md shows the record, the scripts of others and the limits', async () => {
  const last = await readLast();
  if (!last) throw new Error('bench/last.json is missing.');
  let page = await readFile(new URL('../docs/reference/performance.md', import.meta.url), 'utf8');
  for (const [name, text] of [
    ['limits', limitTable(last)],
    ['field', fieldTable()],
    ['record', recordTable(last)],
  ] as const) {
    const part = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
    expect(page).toMatch(part);
    page = page.replace(part, (_, begin, end) => `${begin}\n${text}\n\n${end}`);
  }
  await expect(page).toMatchFileSnapshot('../docs/reference/performance.md');
});
