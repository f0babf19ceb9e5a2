// Formats file sizes in the language of the chat. Pure.
import { language } from '../../i18n/current.ts';

/** For example `1.2 MB`. Decimal units, as in operating systems. */
export function formatFileSize(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language.locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step ? 'short' : 'long',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}
