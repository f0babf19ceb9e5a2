// The character sets that documents declare in their first bytes, which are read as ISO-8859-1.

/** Returns the set of an XML declaration (`<?xml version="1.0" encoding="…"?>`). */
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
