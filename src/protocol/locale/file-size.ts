// Formats file sizes. Pure.

/** For example `1.2 MB`. Decimal units, as in operating systems. `locale`: BCP 47. */
export function formatBytes(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step ? 'short' : 'long',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}
