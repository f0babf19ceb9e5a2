// Estimates how many random bits a text has, so that a secret which can be guessed is refused.

/** Bits of a character that those before it make likely. */
const likelyBits = 1;
/** Bits of a repetition: where the earlier part begins and how long it is. */
const repeatBits = 4;
/** Characters from which on an earlier part of the text counts as repeated. */
const repeatLength = 3;
/** Bits of a word between separators: one of a list of 4,096. */
const wordBits = 12;
/** Bits of a date with a time: one of the milliseconds of a week. */
const dateBits = 30;

/**
 * Estimated bits that a secret needs. Texts of 128 random bits are estimated at 70 to 130 bits, because some of them have
 * repetitions and parts of words by chance: fewer than one in ten million is estimated at less than this.
 */
const leastBits = 64;

const separator = /[-_ .,:;/+=@]/;
const word = /^(?:[A-Z]?[a-z]{2,14}|[A-Z]{3,15})$/;
const dateTime = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;

/** Whether nobody can find this text by trying likely ones. */
export const isRandomEnough = (text: string): boolean => estimateEntropy(text) >= leastBits;

/**
 * The estimated entropy of a text, in bits. Each character counts as a random one of the alphabet that the text uses; those
 * that continue a repetition, a sequence ("aaa", "1234"), or letters as in English words count less. The estimate is
 * low for what is not random, except that nothing tells a published secret from a new one.
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

/** The bits of each character. */
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

/** How many characters the usual alphabets have that the text is made of. */
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

/** How many characters from `at` on stand earlier in the text, too. */
function repeatedFrom(text: string, at: number): number {
  let length = 0;
  while (at + length < text.length && text.indexOf(text.slice(at, at + length + 1)) < at) length += 1;
  return length;
}

/** Whether the characters beside this one make it likely. */
function isLikely(text: string, at: number): boolean {
  if (separator.test(text[at] ?? '')) return true;
  const step = stepTo(text, at);
  if (step === 0 || (Math.abs(step) === 1 && stepTo(text, at - 1) === step)) return true;
  if (at > 1 && keyboardRuns.includes(text.slice(at - 2, at + 1).toLowerCase())) return true;
  // Three letters, because one pair is frequent in random letters, too.
  return isWordPair(text, at) && (isWordPair(text, at - 1) || isWordPair(text, at + 1));
}

/** Whether half of the pairs of letters are frequent ones. */
function isWord(text: string): boolean {
  const pairs = [...text].filter((_, at) => isWordPair(text, at)).length;
  return word.test(text) && pairs * 2 >= text.length - 1;
}

/** Keys that lie beside each other: rows, columns, and two rows in turns. */
const keyboardRuns = 'qwertyuiop asdfghjkl zxcvbnm 1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p q1w2e3r4t5y6u7i8o9p0';

const stepTo = (text: string, at: number): number => text.charCodeAt(at) - text.charCodeAt(at - 1);

/** Whether the letter at `at` and the one before are a frequent pair; in a word only the first letter may be a capital. */
function isWordPair(text: string, at: number): boolean {
  const pair = text.slice(Math.max(0, at - 1), at + 1);
  return /^(?:[a-zA-Z][a-z]|[A-Z]{2})$/.test(pair) && wordPairs.has(pair.toLowerCase());
}

/** The most frequent pairs of letters in English, and some of the words "password", "key", "admin", "change". */
const wordPairs = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ' +
    'ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so ' +
    'rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ke ev ir su id ye ag ay tt av ck ' +
    'op up do ld os cr rd ry am ks ds gh ht qu ui bo bl mp pl ap ey ba da fi cu wo sw sp vi va ga gr ep oo od sa'
  ).split(' '),
);
