// The characters of fonts whose codes are not those of Unicode: Symbol, and the usual ones of Wingdings.

/** The characters of Symbol from 0x20 to 0x7e, and from 0xa0 to 0xfe. A space: none, or a piece of a large bracket. */
const symbolLow =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const symbolHigh = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈… ―↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑           〉∫⌠ ⌡';

const wingdings: Readonly<Record<number, string>> = {
  ...{ 40: '☎', 42: '✉', 74: '☺', 76: '☹', 108: '●', 110: '■', 111: '□', 113: '❑', 118: '❖', 159: '•' },
  ...{ 161: '○', 167: '▪', 168: '◻', 171: '★', 216: '➢', 223: '←', 224: '→', 225: '↑', 226: '↓' },
  ...{ 232: '➔', 251: '✗', 252: '✓', 253: '☒', 254: '☑' },
};

/** Returns the character of a symbol of a font; '' for one that is not known. `code`: hexadecimal digits. */
export function symbolText(font = '', code = ''): string {
  const given = Number.parseInt(code, 16);
  if (Number.isNaN(given) || given > 0xffff) return '';
  // Word adds 0xf000 to the codes of these fonts.
  const low = given >= 0xf000 && given <= 0xf0ff ? given - 0xf000 : given;
  if (/^symbol/i.test(font))
    return (low < 0xa0 ? symbolLow.charAt(low - 0x20) : symbolHigh.charAt(low - 0xa0)).trim();
  if (/^wingdings$/i.test(font)) return wingdings[low] ?? '';
  const isPrivate = (given >= 0xe000 && given <= 0xf8ff) || (given >= 0xd800 && given <= 0xdfff);
  return isPrivate || given < 0x20 ? '' : String.fromCharCode(given);
}
