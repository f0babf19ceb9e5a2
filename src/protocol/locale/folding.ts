// The one form of letters that all searches compare: the server and the pages use the same rule. Pure.

/**
 * Accents and points of Latin, Greek, Cyrillic, Hebrew and Arabic letters, which people often omit, and characters that nobody
 * sees: soft hyphens, joiners, marks of direction, and the line that makes an Arabic word longer.
 */
const dropped =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u00ad\u0640\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+|[\ufe00-\ufe0f]+/g;

/** Letters that Unicode does not decompose, and those that differ by their place or by the keyboard; quotes and hyphens. */
const letters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ı: 'i', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ł: 'l', ŧ: 't', þ: 'th', ŋ: 'n' },
  ...{ ς: 'σ', ґ: 'г' },
  ...{ ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' },
  ...{ ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ہ: 'ه', ھ: 'ه', ٱ: 'ا' },
  ...{
    '‘': "'",
    '’': "'",
    '‛': "'",
    ʼ: "'",
    '′': "'",
    ʻ: "'",
    '“': '"',
    '”': '"',
    '„': '"',
    '«': '"',
    '»': '"',
  },
  ...{ '‐': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-', '⁄': '/' },
};
const replaced = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');
const digit = /\p{Nd}/u;
const digits = /(?![0-9])\p{Nd}/gu;

/** The ten digits of a script follow each other from a code point that ends with 0 or 6. */
function digitValue(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const last = code & 15;
  return String(digit.test(String.fromCodePoint(code - last)) ? last : last - 6);
}

/**
 * Returns a text as searches compare it: without case, accents and the width of characters, with ß as ss, letters like ø, ł and ı
 * as o, l and i, all digits as 0 to 9, and one space for each blank. It can be shorter or longer than the text.
 */
export function fold(text: string): string {
  const plain = /[^\t-~]/.test(text)
    ? text
        .normalize('NFKD')
        .replace(dropped, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(replaced, (letter) => letters[letter] ?? letter)
        .replace(digits, digitValue)
    : text.toLowerCase();
  return plain.replace(/\s+/g, ' ');
}

/** Characters of a text that are folded at once, and those of the next part: a found word can begin in one and end in the other. */
const partLength = 1_000;
const overlap = 500;

/** Returns where a text first has another one for a search; -1 if nowhere, or if nothing is left of the other one. */
export function findFolded(text: string, wanted: string): number {
  const folded = fold(wanted).trim();
  for (let begin = 0; folded !== '' && begin < text.length; begin += partLength) {
    const part = text.slice(begin, begin + partLength + overlap);
    const at = fold(part).indexOf(folded);
    if (at >= 0) return begin + placeIn(part, at);
  }
  return -1;
}

/** The place in a text from which the character at this place of the folded text comes: each is folded by itself. */
function placeIn(text: string, at: number): number {
  let folded = '';
  let place = 0;
  for (const char of text) {
    // Of several blanks, the first one counts.
    folded = (folded + fold(char)).replace(/\s+/g, ' ');
    if (folded.length > at) break;
    place += char.length;
  }
  return place;
}
