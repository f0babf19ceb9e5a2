// The character sets that documents declare in their first bytes, which are read as ISO-8859-1.

/** Returns the set of an XML declaration (`<?xml version="1.0" encoding="…"?>`). */
export function xmlCharset(head: string): string | undefined {
  return /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1];
}

/** Returns the set of HTML: that of `<meta charset>`, of `<meta http-equiv content>`, or of an XML declaration (HTML, 13.2.3.2). */
export function htmlCharset(head: string): string | undefined {
  const text = head.replace(/<!--.*?-->/gs, '');
  return /<meta\s[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text)?.[1] ?? xmlCharset(text);
}
