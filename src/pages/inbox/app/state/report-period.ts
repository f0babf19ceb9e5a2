// The period of the reports in the address of the page: a name, such as `30d`, or two dates. Pure.
import { t } from '../../../ui/texts.ts';

/** The periods that have a name. */
export const periodNames = ['7d', '30d', '90d', 'month', 'last-month'] as const;
export type PeriodName = (typeof periodNames)[number];

/** The name of a period on the page. */
export const periodNameOf = (period: PeriodName): string =>
  ({
    '7d': t('The last 7 days'),
    '30d': t('The last 30 days'),
    '90d': t('The last 90 days'),
    month: t('This month'),
    'last-month': t('The last month'),
  })[period];

export const usualPeriod: PeriodName = '30d';

/** Two dates, both inclusive, such as `2026-12-24`. */
export interface Period {
  from: string;
  to: string;
}

/** A period as it is in the address: a name, or `2026-12-01..2026-12-24`. */
export type PeriodText = PeriodName | `${string}..${string}`;

const dates = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

export const isPeriodName = (text: string): text is PeriodName => periodNames.some((name) => name === text);

/** Reads a text of the address; the usual one for all others. */
export const periodTextOf = (text: string): PeriodText =>
  isPeriodName(text) || dates.test(text) ? (text as PeriodText) : usualPeriod;

/** The dates of a period. `today`: the year, the month from 0, and the day on the calendar of the member. */
export function datesOf(
  text: PeriodText,
  today: readonly [year: number, month: number, day: number],
): Period {
  const [year, month, day] = today;
  const dateAt = (...at: [number, number, number]) => new Date(Date.UTC(...at)).toISOString().slice(0, 10);
  const to = dateAt(year, month, day);
  switch (text) {
    case '7d':
    case '30d':
    case '90d':
      return { from: dateAt(year, month, day + 1 - Number.parseInt(text, 10)), to };
    case 'month':
      return { from: dateAt(year, month, 1), to };
    case 'last-month':
      return { from: dateAt(year, month - 1, 1), to: dateAt(year, month, 0) };
  }
  const [, from = to, end = to] = dates.exec(text) ?? [];
  return { from, to: end };
}
