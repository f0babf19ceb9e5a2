// Times, dates and sizes in the language of the console.
import { textLanguage } from './texts.ts';

/** A time with its date, such as "Dec 1, 2026, 2:05 PM". */
export const timeText = (iso: string): string =>
  new Date(iso).toLocaleString(textLanguage(), { dateStyle: 'medium', timeStyle: 'short' });

export const dateText = (iso: string): string =>
  new Date(iso).toLocaleDateString(textLanguage(), { dateStyle: 'medium' });

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size, such as "1.2 MB". */
export function sizeText(bytes: number): string {
  let value = bytes;
  let index = 0;
  while (value >= 1_000 && index < units.length - 1) {
    value /= 1_000;
    index += 1;
  }
  return new Intl.NumberFormat(textLanguage(), {
    style: 'unit',
    unit: units[index] ?? 'byte',
    unitDisplay: index === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && index > 0 ? 1 : 0,
  }).format(value);
}
