// Any text for property tests. `fc.string({ unit: 'binary' })` generates the same texts, but first makes a map of all 1.1 million code
// points, which takes a second of processor time and 100 MB in each process of the tests.
import fc from 'fast-check';

/** Code units of UTF-16 that are only halves of a character, and not code points of a text. */
const firstSurrogate = 0xd800;
const surrogates = 0x800;

const codePoint = fc.nat({ max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  // For shrinking.
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character)
      throw new Error('Not a code point.');
    return point < firstSurrogate ? point : point - surrogates;
  },
);

/** Generates texts of any code points. */
export const anyText = (limits: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...limits, unit: codePoint });
