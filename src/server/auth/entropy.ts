// Estimates the entropy of a text, so that weak secrets are rejected.
// Why not `zxcvbn`: it has 1.5 MB of words of passwords, and secrets are random texts (decision 152).

/** Bits of a character that is predictable from those before it. */
const likelyBits = 1;
/** Bits of a repetition: the position and the length of the earlier part. */
const repeatBits = 4;
/** The shortest part, in characters, that counts as a repetition. */
const repeatLength = 3;
/** Bits of a word between separators: one out of 4,096. */
const wordBits = 12;
/** Bits of a date with a time: one out of the milliseconds of a week. */
const dateBits = 30;

/**
 * The required entropy of a secret. Texts of 128 random bits are estimated at 70 to 130 bits, because some contain
 * repetitions and parts of words by chance: fewer than one in ten million is estimated below this value. In base64url,
 * a separator and ten or more lower-case letters can look like a word: 3 of 4,254,000 texts.
 */
const minBits = 64;

const separator = /[-_ .,:;/+=@]/;
const word = /^(?:[A-Z]?[a-z]{2,14}|[A-Z]{3,15})$/;
const dateTime = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;

/** True when the text is too random to be guessed. */
export const isRandomEnough = (text: string): boolean => estimateEntropy(text) >= minBits;

/**
 * The estimated entropy of a text in bits. Each character counts as a random one of the alphabet of the text. Characters
 * that continue a repetition, a sequence ("aaa", "1234") or an English word count less. Published secrets cannot be
 * detected.
 */
export function estimateEntropy(text: string): number {
  const dates = text.match(dateTime)?.length ?? 0;
  const rest = text.replace(dateTime, ' ');
  const bits = bitsOf(rest);
  let sum = dates * dateBits;
  for (const { 0: part, index } of rest.matchAll(/[^-_ .,:;/+=@]+|[-_ .,:;/+=@]/g)) {
    const own = bits.slice(index, index + part.length).reduce((total, value) => total + value, 0);
    if (isWord(part)) sum += Math.min(own, wordBits);
    else if (/^\d+$/.test(part)) sum += Math.min(own, part.length * Math.log2(10));
    else sum += own;
  }
  return sum;
}

/** The estimated bits of each character. */
function bitsOf(text: string): number[] {
  const lower = text.toLowerCase();
  const symbolBits = Math.log2(alphabetSize(text));
  const bits: number[] = [];
  while (bits.length < text.length) {
    const at = bits.length;
    const repeated = repeatedFrom(lower, at);
    if (repeated >= repeatLength) {
      bits.push(Math.min(repeatBits, symbolBits), ...Array<number>(repeated - 1).fill(0));
    } else {
      bits.push(isLikely(text, at) ? Math.min(likelyBits, symbolBits) : symbolBits);
    }
  }
  return bits;
}

/** The number of characters in the common alphabets that the text uses. */
function alphabetSize(text: string): number {
  const symbols = text.replace(new RegExp(separator, 'g'), '');
  if (/^\d*$/.test(symbols)) return 10;
  if (/^[\da-f]*$/.test(symbols) || /^[\dA-F]*$/.test(symbols)) return 16;
  const classes: [RegExp, number][] = [
    [/\d/, 10],
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[^\da-zA-Z]/, 32],
  ];
  return classes.reduce((sum, [pattern, size]) => sum + (pattern.test(symbols) ? size : 0), 0);
}

/** The number of characters from `at` on that also occur earlier in the text. */
function repeatedFrom(text: string, at: number): number {
  let length = 0;
  while (at + length < text.length && text.indexOf(text.slice(at, at + length + 1)) < at) length += 1;
  return length;
}

/** True when the neighboring characters make this one predictable. */
function isLikely(text: string, at: number): boolean {
  if (separator.test(text[at] ?? '')) return true;
  const step = stepTo(text, at);
  if (step === 0 || (Math.abs(step) === 1 && stepTo(text, at - 1) === step)) return true;
  if (at > 1 && keyboardRuns.includes(text.slice(at - 2, at + 1).toLowerCase())) return true;
  // Three letters, because single pairs are also frequent in random text.
  return isWordPair(text, at) && (isWordPair(text, at - 1) || isWordPair(text, at + 1));
}

/** True when at least half of the pairs of letters are frequent in English. */
function isWord(text: string): boolean {
  const pairs = [...text].filter((_, at) => isWordPair(text, at)).length;
  return word.test(text) && pairs * 2 >= text.length - 1;
}

/** Neighboring keys: rows, columns, and two rows alternately. */
const keyboardRuns = 'qwertyuiop asdfghjkl zxcvbnm 1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p q1w2e3r4t5y6u7i8o9p0';

const stepTo = (text: string, at: number): number => text.charCodeAt(at) - text.charCodeAt(at - 1);

/** True when the letter at `at` and the one before are a frequent pair; only the first letter of a word can be a capital. */
function isWordPair(text: string, at: number): boolean {
  const pair = text.slice(Math.max(0, at - 1), at + 1);
  return /^(?:[a-zA-Z][a-z]|[A-Z]{2})$/.test(pair) && wordPairs.has(pair.toLowerCase());
}

/** The most frequent letter pairs in English, and some pairs of "password", "key", "admin" and "change". */
const wordPairs = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ' +
    'ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so ' +
    'rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ke ev ir su id ye ag ay tt av ck ' +
    'op up do ld os cr rd ry am ks ds gh ht qu ui bo bl mp pl ap ey ba da fi cu wo sw sp vi va ga gr ep oo od sa'
  ).split(' '),
);
