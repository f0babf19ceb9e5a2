// Sizes of files in words, in the browser's language. Pure.

/** Such as `1.2 MB`. Decimal units, as systems show them. */
export function sizeText(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step ? 'short' : 'long',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}
