// Detects the character set of a text that does not declare one.
import { isAscii, isUtf8 } from 'node:buffer';
import { charsetNamed, decoded, decoderOf } from './charsets.ts';

/** The sets that are looked for: those of browsers. Others, such as those of DOS, are too similar for short texts. */
const looked = [
  ...[
    'CP932',
    'SHIFT_JIS',
    'EUC-JP',
    'ISO-2022-JP',
    'GB18030',
    'Big5',
    'CP949',
    'EUC-KR',
    'KOI8-R',
    'KOI8-U',
    'CP874',
  ],
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => `Windows-${page}`),
  ...[2, 5, 7, 15].map((part) => (part === 15 ? 'iso8859-15' : `ISO-8859-${part}`)),
];
/** Encodings of them whose letters are mostly those of ASCII, and others whose characters may end with a byte of ASCII. */
const latin = [1250, 1252, 1254, 1257].map((page) => `Windows-${page}`).concat('ISO-8859-2', 'iso8859-15');
const halfAscii = ['Big5', 'CP932', 'SHIFT_JIS'];
/** Fewer words make no guess certain. */
const leastConfidence = 0.003;
/** A guess counts if it is this much more certain than Western Europe, whose set is the most frequent one. */
const leastRatio = 2;
const leastRatioOfHalfAscii = 4;

/**
 * Returns the character set of a text. `sample` is a part of the text. `isStart`: it begins like the text; `isWhole`: it also ends like
 * it. Otherwise the last character may be incomplete.
 */
export async function detectCharset(
  sample: Uint8Array,
  { isStart, isWhole }: { isStart: boolean; isWhole: boolean },
): Promise<string> {
  const wide = isStart ? wideCharset(sample) : undefined;
  if (wide) return wide;
  const complete = isWhole ? sample : withoutIncomplete(sample);
  const hasEscapes = complete.includes(0x1b);
  if (isUtf8(complete) && !hasEscapes) return 'utf-8';
  // A few damaged bytes do not make another set of a text in UTF-8.
  const { valid, damaged } = countUtf8(complete);
  if (damaged <= valid && valid > 0) return 'utf-8';
  // Loaded with the first text in another set, because its tables take 100 ms.
  const { detectAll } = await import('jschardet');
  const areAlone = areAccents(complete);
  const guesses = detectAll(linesWithSigns(complete), {
    detectEncodings: areAlone ? [...latin, ...halfAscii] : looked,
    minimumThreshold: 0,
  });
  const western = guesses.find(({ encoding }) => encoding === 'Windows-1252')?.confidence ?? 0;
  for (const { encoding, confidence } of guesses) {
    const charset = charsetNamed(encoding?.replace(/^iso8859/, 'iso-8859') ?? '');
    const ratio = areAlone && halfAscii.includes(encoding ?? '') ? leastRatioOfHalfAscii : leastRatio;
    if (charset === undefined || confidence < Math.max(leastConfidence, ratio * western)) continue;
    // The last character may be incomplete.
    if (isPlausible(isWhole ? decoded(complete, charset) : decoderOf(charset).write(complete)))
      return charset === 'windows-1252' ? westernCharset(complete) : charset;
  }
  return isUtf8(complete) ? 'utf-8' : westernCharset(complete);
}

/** UTF-16 or UTF-32 without a byte order mark: every second byte of most texts is zero. */
function wideCharset(sample: Uint8Array): string | undefined {
  const zeros = [0, 0, 0, 0];
  const length = Math.min(sample.length, 4_096) & ~3;
  const end = length === 0 ? Math.min(sample.length, 4_096) & ~1 : length;
  for (let index = 0; index < end; index += 1)
    if (sample[index] === 0) zeros[index & 3] = (zeros[index & 3] ?? 0) + 1;
  const [a = 0, b = 0, c = 0, d = 0] = zeros;
  const quarter = end / 4;
  // A zero byte here and there does not make two bytes of each character.
  if (a + b + c + d <= end / 5)
    return a + b + c + d === 0 ? undefined : wideScript(sample.subarray(0, end & ~1));
  if (length >= 8 && a > 0.9 * quarter && b > 0.9 * quarter && d === 0) return 'utf-32be';
  if (length >= 8 && d > 0.9 * quarter && c > 0.9 * quarter && a === 0) return 'utf-32le';
  const charset = a + c === 0 ? 'utf-16le' : b + d === 0 ? 'utf-16be' : undefined;
  if (charset === undefined) return undefined;
  return isPlausible(decoded(sample.subarray(0, end), charset)) ? charset : undefined;
}

/** UTF-16 of a script whose characters have no zero bytes: those of spaces, digits and line ends are left. */
function wideScript(sample: Uint8Array): string | undefined {
  // A text of single bytes in which some are zero.
  if (isUtf8(sample) && unusualIn(decoded(sample, 'utf-8')) * 10 < sample.length) return undefined;
  const found = ['utf-16le', 'utf-16be'].find((charset) => {
    const text = decoded(sample, charset);
    return (
      countOf(text, /[\t\n\r -~]/g) > 0 && countOf(text, /[\ufffd\p{C}]/gu) === countOf(text, /[\t\n\r]/g)
    );
  });
  return found;
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Leaves out the bytes after the last one of ASCII, if they are few: they may be a part of a character. */
function withoutIncomplete(sample: Uint8Array): Uint8Array {
  for (let cut = 0; cut < 4 && cut < sample.length; cut += 1) {
    const byte = sample[sample.length - 1 - cut] ?? 0;
    if (byte < 0x80) return sample.subarray(0, sample.length - cut);
    // The first byte of a character of UTF-8.
    if (byte >= 0xc0 && isUtf8(sample.subarray(0, sample.length - 1 - cut)))
      return sample.subarray(0, sample.length - 1 - cut);
  }
  return sample;
}

function countUtf8(bytes: Uint8Array): { valid: number; damaged: number } {
  let valid = 0;
  let damaged = 0;
  for (const character of decoded(bytes, 'utf-8')) {
    if (character === '\ufffd') damaged += 1;
    else if (character > '\x7f') valid += 1;
  }
  return { valid, damaged };
}

/** True when most bytes outside of ASCII have no other one beside them, as in "Köln". */
function areAccents(bytes: Uint8Array): boolean {
  let alone = 0;
  let all = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] ?? 0) < 0x80) continue;
    all += 1;
    if ((bytes[index - 1] ?? 0) < 0x80 && (bytes[index + 1] ?? 0) < 0x80) alone += 1;
  }
  return alone > all / 2;
}

/** The number of bytes by which a set is guessed: more contain more damaged ones, by which the right set would be excluded. */
const guessedBytes = 8_192;

/** Returns the first lines with bytes that are not ASCII, or escapes: others make a guess less certain. */
function linesWithSigns(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < guessedBytes; ) {
    const end = bytes.indexOf(0x0a, start) + 1 || bytes.length;
    const line = bytes.subarray(start, end);
    if (!isAscii(line) || line.includes(0x1b)) {
      lines.push(line);
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}

/** Control characters that texts contain: tabs, line ends, escapes, the next line. */
const usualControls = new Set('\t\n\v\f\r\x1b\x85');

/** The number of characters that no text contains: damaged ones, private ones, other control characters. */
function unusualIn(text: string): number {
  let count = 0;
  for (const [character] of text.matchAll(/\ufffd|\p{Co}|\p{Cc}/gu))
    if (!usualControls.has(character)) count += 1;
  return count;
}

/** False for a text with many characters that no text contains. */
function isPlausible(text: string): boolean {
  return unusualIn(text) * 500 <= text.length;
}

/** Signs between letters, and capitals within words, as the letters of another set look. */
const strange =
  /\p{L}(?!['’&@/.:_+*|^~\\-])[\p{S}\p{Po}¨¸]\p{L}|\ufffd|\p{Ll}(?![A-Z])\p{Lu}|\p{Lu}(?!\p{Lu}\p{Lu})[ŸŽŠ]\p{Ll}|[\x80-\x9f]/gu;

/** Returns the set of a text in a language of Western Europe: that of Windows, or that of a Mac if only it makes words. */
function westernCharset(bytes: Uint8Array): string {
  const lines = linesWithSigns(bytes);
  const strangeIn = (charset: string) => countOf(decoded(lines, charset), strange);
  return strangeIn('windows-1252') > 0 && strangeIn('macintosh') === 0 ? 'macintosh' : 'windows-1252';
}
