// The character sets of text files: the decoder of a name, and the character set that a document declares. Names are those of the WHATWG
// Encoding Standard, and the code pages of Windows and DOS.
// Why not `TextDecoder`: that of Node 20 to 24 reads windows-1252 as ISO-8859-1, and 0x80 not as the euro sign.
import iconv from 'iconv-lite';

/** Decodes the bytes of one text in pieces. A byte that is not a character becomes U+FFFD. */
export interface Decoder {
  write(bytes: Uint8Array): string;
  /** Returns the rest, with U+FFFD for an incomplete character. */
  end(): string;
}

/** Names whose usual meaning differs from that of iconv-lite: browsers and Windows read a superset of the set of that name. */
const supersets: Record<string, string> = {
  ascii: 'windows-1252',
  'us-ascii': 'windows-1252',
  latin1: 'windows-1252',
  l1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'iso8859-1': 'windows-1252',
  iso88591: 'windows-1252',
  'iso_8859-1': 'windows-1252',
  'x-cp1252': 'windows-1252',
  'iso-8859-9': 'windows-1254',
  latin5: 'windows-1254',
  'iso-8859-11': 'windows-874',
  'tis-620': 'windows-874',
  'iso-8859-8-i': 'iso-8859-8',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  gb_2312: 'gb18030',
  'gb_2312-80': 'gb18030',
  'x-gbk': 'gb18030',
  cp936: 'gb18030',
  'x-sjis': 'shift_jis',
  ms_kanji: 'shift_jis',
  'windows-31j': 'shift_jis',
  cp932: 'shift_jis',
  'x-euc-jp': 'euc-jp',
  cp949: 'euc-kr',
  'windows-949': 'euc-kr',
  'ks_c_5601-1987': 'euc-kr',
  johab: 'windows-1361',
  'x-x-big5': 'big5',
  cp950: 'big5',
  koi8: 'koi8-r',
  'x-mac-roman': 'macintosh',
  macroman: 'macintosh',
  'x-mac-cyrillic': 'maccyrillic',
  utf8: 'utf-8',
  'unicode-1-1-utf-8': 'utf-8',
  utf16: 'utf-16',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  unicode: 'utf-16',
  'ucs-2': 'utf-16',
  utf32: 'utf-32',
  'ucs-4': 'utf-32',
  'iso-10646-ucs-2': 'utf-16',
  'iso-10646-ucs-4': 'utf-32',
  cp65001: 'utf-8',
  ...{
    ansi: 'windows-1252',
    'ansi_x3.4-1968': 'windows-1252',
    cp819: 'windows-1252',
    ibm819: 'windows-1252',
  },
  ...{ csisolatin1: 'windows-1252', 'iso-ir-100': 'windows-1252', 'iso_8859-1:1987': 'windows-1252' },
  ...{ 'dos-874': 'windows-874', 'iso_8859-9': 'windows-1254', l5: 'windows-1254', csshiftjis: 'shift_jis' },
};

/** A name without the signs that people write in different ways: `latin-1`, `Latin 1`. */
const plain = (name: string): string => name.replace(/[^a-z\d]/g, '');
const plainSupersets = new Map(Object.entries(supersets).map(([name, set]) => [plain(name), set]));

/** Sets whose bytes have a state, which iconv-lite does not know. */
const ofNode = new Set(['iso-2022-jp']);

/** Returns the usual name of a set; undefined when no decoder knows it. UTF-7 is left out, because it hides ASCII. */
export function charsetNamed(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  const canonical = plainSupersets.get(plain(name)) ?? name;
  if (/^utf-?7/.test(canonical) || /^(?:base64|hex|binary)$/.test(canonical)) return undefined;
  return ofNode.has(canonical) || iconv.encodingExists(canonical) ? canonical : undefined;
}

/** Returns the decoder of a set that `charsetNamed` has returned. It keeps a byte order mark. */
export function decoderOf(charset: string): Decoder {
  if (charset === 'utf-8' || ofNode.has(charset)) {
    const decoder = new TextDecoder(charset, { ignoreBOM: true });
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  }
  const decoder = iconv.getDecoder(charset, { stripBOM: false });
  /** The number of bytes of a unit. iconv-lite leaves out an incomplete one at the end. */
  const unit = charset.startsWith('utf-16') ? 2 : charset.startsWith('utf-32') ? 4 : 1;
  let size = 0;
  return {
    write(bytes) {
      size += bytes.length;
      return decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
    end: () => (decoder.end() ?? '') + (size % unit === 0 ? '' : '\ufffd'),
  };
}

/** Decodes a whole text. */
export function decoded(bytes: Uint8Array, charset: string): string {
  const decoder = decoderOf(charset);
  return decoder.write(bytes) + decoder.end();
}

/**
 * Returns the set of an XML declaration (`<?xml version="1.0" encoding="…"?>`). `head`: the first bytes of the document, read
 * as ISO-8859-1.
 */
export function xmlCharset(head: string): string | undefined {
  return /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1];
}

/** Returns the set of HTML: that of `<meta charset>`, of `<meta http-equiv content>`, or of an XML declaration (HTML, 13.2.3.2). */
export function htmlCharset(head: string): string | undefined {
  const text = head.replace(/<!--.*?-->/gs, '');
  for (const [tag] of text.matchAll(/<meta\s(?:[^>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,2000}>?/gi)) {
    const charset = attributeOf(tag, 'charset');
    if (charset) return charset;
    // Other contents, such as descriptions, may speak of a set.
    if (!/^content-type$/i.test(attributeOf(tag, 'http-equiv') ?? '')) continue;
    const declared = /\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(attributeOf(tag, 'content') ?? '')?.[1];
    if (declared) return declared;
  }
  return xmlCharset(text);
}

function attributeOf(tag: string, wanted: string): string | undefined {
  for (const [, name = '', double, single, plain] of tag.matchAll(
    /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g,
  ))
    if (name.toLowerCase() === wanted) return (double ?? single ?? plain)?.trim();
  return undefined;
}
