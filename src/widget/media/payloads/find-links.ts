// Finds addresses in plain text. Pure.
import { addressPattern } from '../../../protocol/locale/unspaced-scripts.ts';

export type Piece = string | { href: string; text: string };

// An address begins with a letter, a digit or [ (IPv6). The part before @ has at most 64 characters (RFC 5321,
// 4.5.3.1.1): without that bound `a.a.a…` takes quadratic time, seconds for one long message.
const address = new RegExp(
  `\\b(?:https?:\\/\\/|www\\.)(?=[\\p{L}\\p{N}[])${addressPattern('\\s<>"\'`“”‘’«»')}|` +
    '\\b[\\w.+-]{1,64}@[\\w-]+(?:\\.[\\w-]+)+',
  'giu',
);

/** Each address contains one of these. */
const hint = /:\/\/|www\.|@/i;

/** Splits text into plain pieces and links (http, https, mailto). Punctuation at the end of a sentence is excluded. */
export function findLinks(text: string): Piece[] {
  // The machine code of the expression is 80 KB.
  if (!hint.test(text)) return text ? [text] : [];
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const link = trimEnd(match[0]);
    pieces.push(text.slice(end, match.index));
    pieces.push({ href: hrefOf(link), text: link });
    end = match.index + link.length;
  }
  pieces.push(text.slice(end));
  return pieces.filter((piece) => piece !== '');
}

const hrefOf = (link: string) =>
  /^https?:/i.test(link)
    ? link
    : link.includes('@') && !/^www\./i.test(link)
      ? `mailto:${link}`
      : `https://${link}`;

/** Removes closing punctuation. A closing bracket stays if it has an opening one (…/wiki/Chat_(software)). */
function trimEnd(link: string): string {
  let alone = link.split(')').length - link.split('(').length;
  for (let end = link.length; ; end--) {
    const last = link.charAt(end - 1);
    if (last === ')' && alone > 0) alone--;
    else if (!'.,;:!?…'.includes(last)) return link.slice(0, end);
  }
}
