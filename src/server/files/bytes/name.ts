// The name of a file in addresses and in Content-Disposition. It is never used as a path.

/** Characters that separate paths, end a header (controls) or change the reading direction. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069/\\]/gu;

/**
 * Returns a name under which a visitor can save the file. Letters of every script are kept; misleading characters
 * become `_`.
 */
export function fileName(key: string): string {
  const name = key.replace(unfit, '_').trim();
  return /^\.*$/.test(name) ? 'file' : name;
}

/** Percent-encoded for an address and for RFC 8187: also the characters that encodeURIComponent keeps (`'()*!`). */
export function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The header (RFC 6266): the name in ASCII for old clients, and in UTF-8 (RFC 8187) for all others. */
export function contentDisposition(key: string, inline: boolean): string {
  const name = fileName(key);
  const plain = name.replace(/[^\x20-\x7e]|["%;]/gu, '_');
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`;
}
