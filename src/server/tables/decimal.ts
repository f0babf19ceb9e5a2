// Adds and multiplies numbers as the decimals that people read: 0.1 + 0.2 is 0.3, as spreadsheets show it.

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
