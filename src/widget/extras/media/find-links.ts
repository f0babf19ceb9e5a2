// Finds addresses in plain text. Pure: text in, pieces out.

export type Piece = string | { href: string; text: string };

// An address begins with a letter, a digit or [ (IPv6). The part before @ has at most 64 characters (RFC 5321,
// 4.5.3.1.1): without that bound `a.a.a…` takes quadratic time, seconds for one long message.
const address =
  /\b(?:https?:\/\/|www\.)(?=[\p{L}\p{N}[])[^\s<>"'`“”‘’«»]+|\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/giu;

/** Splits text into plain pieces and links (http, https, mailto). Punctuation that ends a sentence stays outside. */
export function findLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const found = trimEnd(match[0]);
    pieces.push(text.slice(end, match.index));
    pieces.push({ href: hrefOf(found), text: found });
    end = match.index + found.length;
  }
  pieces.push(text.slice(end));
  return pieces.filter((piece) => piece !== '');
}

const hrefOf = (found: string) =>
  /^https?:/i.test(found)
    ? found
    : found.includes('@') && !/^www\./i.test(found)
      ? `mailto:${found}`
      : `https://${found}`;

/** Without closing punctuation; a bracket stays when its partner is inside (…/wiki/Chat_(software)). */
function trimEnd(found: string): string {
  let alone = found.split(')').length - found.split('(').length;
  for (let end = found.length; ; end--) {
    const last = found.charAt(end - 1);
    if (last === ')' && alone > 0) alone--;
    else if (!'.,;:!?…'.includes(last)) return found.slice(0, end);
  }
}
