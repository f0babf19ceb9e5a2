// Formats the results next to the last recorded ones, names those that got worse, and reads and writes that record (last.json).
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import type { Verdict } from './budgets.ts';
import type { Result, Unit } from './measure.ts';

export interface Last {
  machine: { cpu: string; cores: number; node: string; browser: string; date: string };
  values: Record<string, Omit<Result, 'name'>>;
}

const file = new URL('last.json', import.meta.url);

export async function readLast(): Promise<Last | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Last);
}

/** Rewrites the record. Values that were not measured this time are kept, unless `isWhole`. */
export async function record(results: readonly Result[], browser: string, isWhole: boolean): Promise<void> {
  const last = isWhole ? undefined : await readLast();
  const values = { ...last?.values };
  for (const { name, value, unit, floor, ratio } of results) {
    values[name] = {
      value: rounded(value),
      unit,
      ...(floor !== undefined && { floor: rounded(floor) }),
      ...(ratio !== undefined && { ratio: Number(ratio.toFixed(2)) }),
    };
  }
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

/**
 * Returns by how much a result got worse since the record, 0.1 for a tenth, negative if it got better; undefined if it cannot
 * be compared: durations without a floor differ between machines.
 */
export function worsening(
  { value, unit, ratio }: Omit<Result, 'name'>,
  last: Omit<Result, 'name'> | undefined,
) {
  if (!last) return undefined;
  const hasRatios = ratio !== undefined && last.ratio !== undefined;
  if (!hasRatios && (unit === 'ms' || unit === '/s')) return undefined;
  const [now, before] = hasRatios ? [ratio, last.ratio as number] : [value, last.value];
  if (now === before) return 0;
  return unit === '/s' || unit === 'hits' ? before / now - 1 : now / before - 1;
}

/** A row got worse when it is over this. */
const tolerance = 0.1;

export function table(results: readonly Result[], last: Last | undefined): string {
  const rows = results.map((result) => {
    const { name, value, unit, floor, ratio } = result;
    const before = last?.values[name];
    const worse = worsening(result, before);
    return [
      name,
      shown(value),
      unit,
      optional(floor),
      optional(ratio),
      optional(ratio === undefined ? before?.value : before?.ratio),
      worse === undefined ? '' : percent(worse),
    ];
  });
  return columns([['measure', 'value', '', 'floor', 'ratio', 'last', 'worse by'], ...rows]);
}

/** Lists the results that got worse by more than a tenth; '' if there are none. */
export function worseRows(results: readonly Result[], last: Last | undefined): string {
  const rows = results.flatMap((result) => {
    const worse = worsening(result, last?.values[result.name]);
    return worse !== undefined && worse > tolerance ? [`  ${result.name} (${percent(worse)})`] : [];
  });
  return rows.length ? `Worse than the record by more than ${tolerance * 100} %:\n${rows.join('\n')}` : '';
}

export function verdicts(some: readonly Verdict[]): string {
  const rows = some.map(({ name, value, max, isWithinBudget }) => [
    name,
    shown(value),
    '',
    `${max}`,
    isWithinBudget ? 'kept' : 'BROKEN',
  ]);
  return columns([['budget', 'value', '', 'at most', ''], ...rows]);
}

const percent = (share: number) =>
  Number.isFinite(share) ? `${share > 0 ? '+' : ''}${Math.round(share * 100)} %` : 'from 0';

/** Small numbers with one or two decimals, others without. */
const rounded = (value: number) => Number(value.toFixed(value < 3 ? 2 : value < 20 ? 1 : 0));
export const shown = (value: number) => rounded(value).toLocaleString('en');
/** `19 ms`, `1,024 KB`, `500/s`, `3`. */
export const amount = (value: number, unit: Unit) =>
  `${shown(value)}${unit === '/s' ? '/s' : unit === 'hits' || !unit ? '' : ` ${unit}`}`;
const optional = (value: number | undefined) => (value === undefined ? '' : shown(value));

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
