// Reads the text of a PDF, page by page. Nothing is rendered, executed or fetched; scans contain no text.
import { readFile } from 'node:fs/promises';
import { getResolvedPDFJS } from 'unpdf';
import type { Block } from './passages.ts';
import { UnreadableError } from './unreadable-error.ts';

/** The maximum number of pages that are read. */
const maxPages = 5_000;

/**
 * Yields the paragraphs of each page with the page number. Throws UnreadableError when the file is not a PDF or
 * requires a password.
 */
export async function* pdfBlocks(path: string): AsyncGenerator<Block> {
  const { getDocument } = await getResolvedPDFJS();
  const loading = getDocument({
    data: new Uint8Array(await readFile(path)),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  try {
    const document = await loading.promise.catch((error: Error) => {
      if (error.name === 'PasswordException') throw new UnreadableError('The PDF is locked with a password.');
      throw new UnreadableError('The file is not a readable PDF.');
    });
    if (document.numPages > maxPages) throw new UnreadableError(`The PDF has more than ${maxPages} pages.`);
    for (let number = 1; number <= document.numPages; number += 1) {
      // An unreadable page does not prevent reading the others.
      const page = await document.getPage(number).catch(() => undefined);
      const content = await page?.getTextContent().catch(() => undefined);
      for (const text of paragraphsOf((content?.items ?? []) as Item[])) {
        yield { subtype: 'paragraph', text, page: number };
      }
      page?.cleanup();
    }
  } finally {
    await loading.destroy();
  }
}

/** A run of text: `transform[5]` is its vertical position on the page. */
interface Item {
  str?: string;
  height?: number;
  hasEOL?: boolean;
  transform?: number[];
}

/** Yields paragraphs: a gap that is larger than the height of a line begins a new one. */
function* paragraphsOf(items: Item[]): Generator<string> {
  let text = '';
  let line = '';
  let last: number | undefined;
  let height = 0;
  for (const { str = '', height: own = 0, hasEOL, transform } of items) {
    const baseline = transform?.[5];
    if (line === '' && str.trim() !== '' && baseline !== undefined) {
      if (last !== undefined && Math.abs(last - baseline) > 2 * Math.max(height, own, 1)) {
        yield text;
        text = '';
      }
      last = baseline;
      height = own;
    }
    line += str;
    if (hasEOL) {
      text = join(text, line);
      line = '';
    }
  }
  yield join(text, line);
}

/** Joins a word that is hyphenated at the end of a line. */
function join(text: string, line: string): string {
  if (line.trim() === '') return text;
  if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line.trim();
  return text === '' ? line.trim() : `${text}\n${line.trim()}`;
}
