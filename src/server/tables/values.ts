// Values of rows: sums and products of numbers as decimals, as spreadsheets show them (0.1 + 0.2 is 0.3), the nesting of values,
// and instants in the stored form.

interface Decimal {
  digits: bigint;
  /** The power of ten of the last digit. */
  power: number;
}

/** Returns the shortest decimal of a number that is finite. */
function decimalOf(number: number): Decimal {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
}

const numberOf = ({ digits, power }: Decimal): number => Number(`${digits}e${power}`);

/** Returns the sum; ±Infinity when it is too large for a number. */
export function add(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isFinite(sum) || (Number.isSafeInteger(a) && Number.isSafeInteger(b))) return sum;
  const [one, other] = [decimalOf(a), decimalOf(b)];
  const power = Math.min(one.power, other.power);
  const scaled = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.power - power);
  return numberOf({ digits: scaled(one) + scaled(other), power });
}

/** Returns the product; ±Infinity when it is too large for a number. */
export function multiply(a: number, b: number): number {
  const product = a * b;
  if (!Number.isFinite(product) || (Number.isSafeInteger(a) && Number.isSafeInteger(b))) return product;
  const [one, other] = [decimalOf(a), decimalOf(b)];
  return numberOf({ digits: one.digits * other.digits, power: one.power + other.power });
}

/** True when objects and arrays are nested more than `levels` deep. Without recursion, so that a value can be too deep for it. */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
    level = level.filter((part) => typeof part === 'object' && part !== null);
  }
  return false;
}

/** A date, or date and time with an optional offset (ISO 8601, RFC 3339). */
const pattern = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Returns the instant as UTC with milliseconds, such as `2025-01-31T08:00:00.000Z`, so that the order of texts is the
 * order of instants. Returns undefined when the text is not an instant. Without an offset the text is UTC.
 */
export function readInstant(text: string): string | undefined {
  if (!pattern.test(text)) return undefined;
  const day = text.slice(0, 10);
  const rest = text.slice(11).toUpperCase();
  const time = rest === '' || /Z$|[+-]\d{2}:?\d{2}$/.test(rest) ? rest : `${rest}Z`;
  const instant = new Date(time === '' ? day : `${day}T${time.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  // V8 accepts 30 February.
  const days = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
  if (Number.isNaN(instant.getTime()) || Number(day.slice(8)) > days) return undefined;
  return instant.toISOString();
}
