// Formats the results next to the last recorded ones, and reads and writes that record (last.json).
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import type { Verdict } from './budgets.ts';
import type { Result, Unit } from './measure.ts';

export interface Last {
  machine: { cpu: string; cores: number; node: string; browser: string; date: string };
  values: Record<string, { value: number; unit: Unit }>;
}

const file = 'bench/last.json';

export async function readLast(): Promise<Last | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Last);
}

/** Rewrites the record. Values that were not measured this time are kept, unless `isWhole`. */
export async function record(results: readonly Result[], browser: string, isWhole: boolean): Promise<void> {
  const last = isWhole ? undefined : await readLast();
  const values = { ...last?.values };
  for (const { name, value, unit } of results) values[name] = { value: Number(shown(value)), unit };
  const [cpu] = cpus();
  const machine = {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    node: process.version,
    browser,
    date: new Date().toISOString().slice(0, 10),
  };
  await writeFile(file, `${JSON.stringify({ machine, values }, null, 2)}\n`);
}

export function table(results: readonly Result[], last: Last | undefined): string {
  const rows = results.map(({ name, value, unit }) => {
    const before = last?.values[name]?.value;
    const change = before ? Math.round((value / before - 1) * 100) : 0;
    const sign = change > 0 ? '+' : '';
    return [
      name,
      shown(value),
      unit,
      before === undefined ? '' : shown(before),
      before ? `${sign}${change} %` : '',
    ];
  });
  return columns([['measure', 'value', '', 'last', 'change'], ...rows]);
}

export function verdicts(some: readonly Verdict[]): string {
  const rows = some.map(({ name, value, max, isKept }) => [
    name,
    shown(value),
    '',
    `${max}`,
    isKept ? 'kept' : 'BROKEN',
  ]);
  return columns([['budget', 'value', '', 'at most', ''], ...rows]);
}

/** Small numbers with one or two decimals, others without. */
const shown = (value: number) => String(Number(value.toFixed(value < 3 ? 2 : value < 20 ? 1 : 0)));

/** Aligns the first column to the left and numbers to the right. */
function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const isNumber = (column: number) => column === 1 || column > 2;
  return rows
    .map((row) =>
      row
        .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
