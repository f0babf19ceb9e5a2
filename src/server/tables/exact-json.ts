// Reads numbers without changing them silently: those that a JavaScript number cannot keep are marked, so that the check of their
// row refuses them with the row and the column.

/** A number of a text that differs from each JavaScript number: too large, too small, or with too many digits. */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the number as `JSON.parse` reads it. */
  toJSON(): number {
    return Number(this.text);
  }
}

/** Returns the number of a decimal text, or its mark. */
export const readNumber = (text: string): number | InexactNumber =>
  isExact(text) ? Number(text) : new InexactNumber(text);

/** Whether the shortest text of the number is the same decimal. Zeros at the beginning or the end do not matter. */
function isExact(text: string): boolean {
  // Most numbers: 15 digits are always kept (IEEE 754).
  if (text.length <= 15 && !/e/i.test(text)) return true;
  const number = Number(text);
  return Number.isFinite(number) && canonical(text) === canonical(String(number));
}

/** Returns the digits without zeros at both ends, and the power of ten of the last one. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}

/** More digits than each number keeps, or an exponent. Also found in texts, which are then read more slowly. */
const mayBeInexact = /\d[\d.]{15}|\de/i;
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gis;

/** Parses JSON as `JSON.parse` does, with an `InexactNumber` for each number that cannot be kept. */
export function parseExact(text: string): unknown {
  if (!mayBeInexact.test(text)) return JSON.parse(text);
  // First the errors of syntax, because numbers become texts below.
  const value: unknown = JSON.parse(text);
  const inexact: string[] = [];
  const mark = `inexact ${crypto.randomUUID()} `;
  const marked = text.replace(tokens, (token) => {
    if (token.startsWith('"') || isExact(token)) return token;
    inexact.push(token);
    return `"${mark}${inexact.length - 1}"`;
  });
  if (inexact.length === 0) return value;
  return JSON.parse(marked, (_, part: unknown) =>
    typeof part === 'string' && part.startsWith(mark)
      ? new InexactNumber(inexact[Number(part.slice(mark.length))] ?? '')
      : part,
  );
}

/** Returns the first number within a value that cannot be kept. */
export function inexactIn(value: unknown, path: string): { number: InexactNumber; path: string } | undefined {
  if (value instanceof InexactNumber) return { number: value, path };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = inexactIn(part, `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}
