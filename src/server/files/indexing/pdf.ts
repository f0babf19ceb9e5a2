// Reads the text of a PDF, page by page. Nothing is rendered, executed or fetched; scans contain no text.
import { readFile } from 'node:fs/promises';
import { getResolvedPDFJS } from 'unpdf';
import { createLinkedText, linkAddress } from './links.ts';
import type { Block } from './passages.ts';
import { type ReadOptions, UnreadableError } from './reader-interface.ts';

/** The maximum number of pages that are read. */
const maxPages = 5_000;

/**
 * The tables of predefined encodings of East Asian fonts (`UniGB-UCS2-H`, `90ms-RKSJ-H`), which are not in the PDF. The build copies
 * them from the package of pdf.js.
 */
const encodings = import.meta.url.endsWith('.ts')
  ? new URL('../../../../node_modules/pdfjs-dist/cmaps/', import.meta.url)
  : new URL('../../../../cmaps/', import.meta.url);

/** Reads the tables for pdf.js, which asks for no other name than those it knows. */
class EncodingFiles {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    if (!/^[\w-]+\.bcmap$/.test(filename)) throw new Error('Not the name of an encoding.');
    return new Uint8Array(await readFile(new URL(filename, encodings)));
  }
}

/**
 * Yields the paragraphs of each page with the page number. `warn` is called for pages without text, and for text that cannot be
 * read. Throws UnreadableError when the file is not a PDF or requires a password.
 */
export async function* pdfBlocks(
  path: string,
  { warn }: Pick<ReadOptions, 'warn'> = {},
): AsyncGenerator<Block> {
  const { getDocument } = await getResolvedPDFJS();
  const loading = getDocument({
    data: new Uint8Array(await readFile(path)),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    cMapUrl: encodings.href,
    cMapPacked: true,
    BinaryDataFactory: EncodingFiles,
    stopAtErrors: false,
    verbosity: 0,
  });
  const problems = createPageProblems();
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
      if (!content) problems.unreadable.push(number);
      const annotations: Annotation[] = (await page?.getAnnotations().catch(() => [])) ?? [];
      const links = linksOf(annotations);
      const items = (content?.items ?? []) as Item[];
      if (content && !items.some(({ str = '' }) => str.trim() !== '')) problems.empty.push(number);
      if (items.some(({ str = '' }) => isWithoutMeaning.test(str))) problems.unmapped.push(number);
      for (const text of paragraphsOf(links.length > 0 ? withLinks(items, links) : items)) {
        yield { subtype: 'paragraph', text, page: number };
      }
      for (const text of textsOf(annotations)) yield { subtype: 'paragraph', text, page: number };
      page?.cleanup();
    }
    for (const problem of problems.sentences()) warn?.(problem);
  } finally {
    await loading.destroy();
  }
}

/** Characters of fonts that do not say which letters their shapes are. */
const isWithoutMeaning = /\ufffd|\p{Co}|(?!\s)\p{Cc}/u;

function createPageProblems() {
  const unreadable: number[] = [];
  const empty: number[] = [];
  const unmapped: number[] = [];
  const sentence = (pages: number[], problem: string) =>
    pages.length === 0 ? [] : [`${listed(pages)}: ${problem}`];
  return {
    unreadable,
    empty,
    unmapped,
    sentences: () => [
      ...sentence(unreadable, 'damaged, not read.'),
      ...sentence(empty, 'no text; images of pages are not read.'),
      ...sentence(
        unmapped,
        'a font does not say which letters its shapes are, so some of the text cannot be found.',
      ),
    ],
  };
}

/** The maximum number of pages that a sentence names. */
const maxNamed = 10;

function listed(pages: number[]): string {
  const named = pages.slice(0, maxNamed).join(', ');
  const more = pages.length > maxNamed ? ` and ${pages.length - maxNamed} more` : '';
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${named}${more}`;
}

/** A run of text: `transform` has its horizontal and vertical position on the page at 4 and 5. */
interface Item {
  str?: string;
  width?: number;
  height?: number;
  hasEOL?: boolean;
  transform?: number[];
  /** The address of the link that covers it. */
  address?: string | undefined;
}

/** A link on a page: left, bottom, right, top. */
interface Link {
  rect: number[];
  address: string;
}

/** An object on a page: a link, a note, a field of a form. */
interface Annotation {
  subtype?: string;
  url?: string;
  rect?: number[];
  fieldType?: string;
  fieldValue?: unknown;
  contentsObj?: { str?: string };
}

/** Yields the texts that are drawn on a page, and those of the fields of a form. Passwords are not shown. */
function* textsOf(annotations: Annotation[]): Generator<string> {
  for (const { subtype, fieldType, fieldValue, contentsObj, ...others } of annotations) {
    if (subtype === 'FreeText' && contentsObj?.str) yield contentsObj.str;
    const isShown = fieldType === 'Tx' || fieldType === 'Ch';
    if (subtype !== 'Widget' || !isShown || ('password' in others && others.password)) continue;
    for (const value of [fieldValue].flat()) if (typeof value === 'string' && value) yield value;
  }
}

/** The maximum number of links of a page, each of which is compared with each run of text. */
const maxLinks = 1_000;

function linksOf(annotations: Annotation[]): Link[] {
  return annotations.slice(0, maxLinks).flatMap(({ subtype, url, rect = [] }) => {
    const address = subtype === 'Link' ? linkAddress(url) : undefined;
    return address === undefined ? [] : [{ rect, address }];
  });
}

/** The address of the link that covers the middle of a run belongs to it; that of a part of the run follows it. */
function* withLinks(items: Item[], links: Link[]): Generator<Item> {
  for (const item of items) {
    const { str = '', width = 0, height = 0, transform: [, , , , x = 0, y = 0] = [] } = item;
    const middle = y + height / 2;
    const onLine = links.filter(({ rect: [, bottom = 0, , top = 0] }) => bottom <= middle && middle <= top);
    const isAt = (at: number) =>
      onLine.find(({ rect: [left = 0, , right = 0] }) => left <= at && at <= right);
    const address = isAt(x + width / 2)?.address;
    if (str.trim() === '' || onLine.length === 0) yield item;
    else if (address !== undefined && covers(isAt(x + width / 2), x, width)) yield { ...item, address };
    else {
      const within = onLine.filter(
        ({ rect: [left = 0, , right = 0] }) => x <= (left + right) / 2 && (left + right) / 2 <= x + width,
      );
      const addresses = [...new Set(within.map((link) => link.address))];
      yield { ...item, str: [str, ...addresses.map((one) => `(${one})`)].join(' ') };
    }
  }
}

/** Whether a link is about as wide as a run, and not only a part of it. */
function covers(link: Link | undefined, x: number, width: number): boolean {
  const [left = 0, , right = 0] = link?.rect ?? [];
  return Math.min(right, x + width) - Math.max(left, x) > 0.8 * width;
}

/** Yields paragraphs: a gap that is larger than the height of a line begins a new one. */
export function* paragraphsOf(items: Iterable<Item>): Generator<string> {
  let lines: string[] = [];
  const line = createLinkedText();
  let last: number | undefined;
  let height = 0;
  for (const { str = '', height: own = 0, hasEOL, transform, address } of items) {
    const baseline = transform?.[5];
    if (line.length === 0 && str.trim() !== '' && baseline !== undefined) {
      if (last !== undefined && Math.abs(last - baseline) > 2 * Math.max(height, own, 1)) {
        yield joined(lines);
        lines = [];
      }
      last = baseline;
      height = own;
    }
    line.add(str, address);
    if (hasEOL) lines.push(line.take());
  }
  lines.push(line.take());
  yield joined(lines);
}

/** Joins lines, and words that are hyphenated at the end of one. */
function joined(lines: string[]): string {
  const parts: string[] = [];
  for (const line of lines.map((one) => one.trim()).filter(Boolean)) {
    const before = parts.at(-1);
    if (before === undefined) parts.push(line);
    else if (/\p{Ll}-$/u.test(before.slice(-3)) && /^\p{Ll}/u.test(line)) {
      parts[parts.length - 1] = before.slice(0, -1);
      parts.push(line);
    } else parts.push('\n', line);
  }
  return parts.join('');
}
