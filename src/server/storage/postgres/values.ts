// Converts values between JavaScript and PostgreSQL, as the interface of storage demands (database.ts).
import type { Parameter } from '../database.ts';

/** Object ids of types (pg_type.dat of PostgreSQL), which never change. */
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, numeric: 1700 };

/** Throws for a number that JavaScript would round. A sum of integers is `numeric`. */
function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`The number ${text} of the database is not exact.`);
  return number;
}

/** The text of a bytea is `\x` and hexadecimal digits. */
function bytesOf(text: string): Uint8Array {
  const buffer = Buffer.from(text.slice(2), 'hex');
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

const parsers = new Map<number, (text: string) => unknown>([
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.bytea, bytesOf],
  [oids.int8, wholeNumber],
  [oids.int2, Number],
  [oids.int4, Number],
  [oids.numeric, wholeNumber],
]);

const asText = (text: string): string => text;

/** How `pg` reads columns: all other types as their text. */
export const columnTypes = { getTypeParser: (oid: number) => parsers.get(oid) ?? asText } as const;

/** Rejects texts with a NUL, which PostgreSQL does not store. `pg` encodes an unpaired surrogate as U+FFFD. */
export function checkedValues(values: Parameter[]): Parameter[] {
  if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
    throw new Error('A text with a NUL cannot be bound.');
  }
  return values;
}
