// The codes of fields in documents of Word and in Rich Text: `HYPERLINK "https://example.com" \\l "part"`.
import { linkAddress } from '../links.ts';

/** The maximum number of characters of a code that are read. */
export const maxCodeLength = 10_000;

/** Returns the address of a HYPERLINK field; undefined for another one, and for a link within the document. */
export function addressOfField(code: string): string | undefined {
  const [, options] = /^\s*HYPERLINK\s+(.*)$/is.exec(code.slice(0, maxCodeLength)) ?? [];
  if (options === undefined) return undefined;
  let address: string | undefined;
  let anchor: string | undefined;
  let before = '';
  for (const [word, quoted] of options.matchAll(/\\[a-z]|"((?:[^"\\]|\\.)*)"|[^\s"\\]+/gi)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? word;
    if (/^\\l$/i.test(before)) anchor = value;
    // The values of the other options: the place of the window, the tip.
    else if (!/^\\[a-z]$/i.test(word) && !/^\\[ot]$/i.test(before)) address ??= value;
    before = word;
  }
  if (address === undefined) return undefined;
  return linkAddress(anchor === undefined ? address : `${address}#${anchor}`);
}
