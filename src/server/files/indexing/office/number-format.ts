// Shows the numbers of a workbook as a spreadsheet shows them (ECMA-376, part 1, 18.8.30 and 18.8.31). Dates are written as in
// ISO 8601, durations as hours, minutes and seconds.

/** The maximum number of characters of a number format. Excel allows 255. */
const maxFormatLength = 1_000;

/** How the cells of a style show their values. Undefined for the format "General". */
export type CellFormat = 'date' | 'duration' | Formatter | undefined;
/** Returns the text of a number or a text; undefined if the format cannot be used. */
export type Formatter = (value: number | string) => string | undefined;

/** Returns the formats of cells by the number of a format and its code, if the workbook defines it. */
export async function createFormats(): Promise<(id: number, code: string | undefined) => CellFormat> {
  // Loaded with the first workbook.
  const { format, getFormatFromId } = await import('numfmt');
  const formats = new Map<string, CellFormat>();
  return (id, custom) => {
    if (custom === undefined) {
      if (id === 46) return 'duration';
      // From 27 on those of East Asia.
      if ((id >= 14 && id <= 22) || id === 45 || id === 47) return 'date';
      if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date';
      if (id > 49) return undefined;
    }
    const code = withoutLocales((custom ?? getFormatFromId(id) ?? 'General').slice(0, maxFormatLength));
    if (/^(?:general|@)?$/i.test(code)) return undefined;
    if (!formats.has(code)) formats.set(code, timeFormatOf(code) ?? formatterOf(code, format));
    return formats.get(code);
  };
}

/** Formats show a currency, but not the separators of its country: those are settings of the reader's system. */
const withoutLocales = (code: string): string =>
  code.replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, currency: string) =>
    currency === '' ? '' : `"${currency}"`,
  );

function formatterOf(code: string, format: (code: string, value: number | string) => string): Formatter {
  return (value) => {
    // Without a section for them, texts are shown as they are.
    if (typeof value === 'string' && !code.includes('@')) return value;
    try {
      return format(code, value);
    } catch {
      // Not a format that a spreadsheet knows.
      return undefined;
    }
  };
}

/**
 * Returns what a number format of a time shows. Its quoted texts do not count, and neither do characters that are escaped,
 * repeated (`*`), or only as wide as shown (`_`). Letters in brackets do not stop at a full hour or minute, so they show a
 * duration.
 */
function timeFormatOf(code: string): 'date' | 'duration' | undefined {
  const letters = code.replace(/"[^"]*"|[\\*_]./g, '');
  if (/\[(?:h+|m+|s+)\]/i.test(letters)) return 'duration';
  // The letters of the format "General" are none of a date.
  return /[ymdhs]/i.test(letters.replace(/\[[^\]]*\]|general/gi, '')) ? 'date' : undefined;
}

/**
 * Returns a number as a wide cell of the format "General" shows it: with 15 significant digits, and without an exponent up to
 * 21 digits. A text that is not a number is returned as it is.
 */
export function generalText(text: string): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  const shown = String(Number(value.toPrecision(15)));
  // Spreadsheets write exponents with two digits.
  return shown.replace(/e([+-])(\d)$/, 'e$10$2').replace('e', 'E');
}

/** The day with the number 0 of workbooks that do not count from 1904. */
export const epoch1900 = Date.UTC(1899, 11, 30);

/** The number of the last day of the year 9999. */
const maxDays = 2_958_466;

/** Returns a day, with the time if it has one; `text` when the number is not a date. */
export function dateOf(days: number, epoch: number, text: string): string {
  // Excel has a 29th of February in 1900, with the number 60. The epoch fits the days after it.
  const shift = epoch === epoch1900 && days < 60 ? 1 : 0;
  const date = new Date(epoch + Math.round((days + shift) * 86_400) * 1_000);
  if (Number.isNaN(date.getTime()) || days < 0 || days > maxDays) return text;
  const iso = date.toISOString();
  if (days < 1) return iso.slice(11, 16);
  return iso.slice(0, 10) + (days % 1 === 0 ? '' : ` ${iso.slice(11, 16)}`);
}

/** Returns hours, minutes and seconds; `text` when the number is not a duration. */
export function durationOf(days: number, text: string): string {
  if (!(days >= 0 && days <= maxDays)) return text;
  const seconds = Math.round(days * 86_400);
  const two = (value: number) => `${value % 60}`.padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60))}:${two(seconds)}`;
}
