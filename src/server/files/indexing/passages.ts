// Cuts a document into passages: pieces of about a paragraph, which are searched and shown.
import type { PassageSubtype } from '../../../protocol/file.ts';

/** A part of a document, from the reader of its format; titles have a level (1 is the highest). */
export type Block =
  | { subtype: 'title'; level: number; text: string; page?: number }
  | { subtype: Exclude<PassageSubtype, 'title' | 'subtitle'>; text: string; page?: number };

/** A passage before it is stored. */
export interface Passage {
  content: string;
  subtype: PassageSubtype;
  page: number | null;
  /** The titles above it, `Guide > Install`. */
  breadcrumb: string;
}

/** Characters that a passage grows to. */
const target = 1_200;
/** Characters of a piece of a longer block. */
const longest = 2_000;
/** Characters of a title in breadcrumbs; the rest is cut off. */
const longestTitle = 200;
/** Which blocks share a passage: running text and lists; other types only with the same type. */
const kin: Partial<Record<PassageSubtype, string>> = { paragraph: 'text', list: 'text', blockquote: 'text' };
const kinOf = (subtype: PassageSubtype): string => kin[subtype] ?? subtype;

/** Yields the passages of a document while its blocks arrive. */
export async function* passagesOf(blocks: AsyncIterable<Block> | Iterable<Block>): AsyncGenerator<Passage> {
  const titles: string[] = [];
  /** A title without text below it so far: it becomes a passage if none follows. */
  let pendingTitle: Passage | undefined;
  let open: Passage | undefined;

  for await (const block of blocks) {
    const text = clean(block.text);
    if (text === '') continue;
    if (block.subtype === 'title') {
      if (open) yield open;
      open = undefined;
      const level = Math.min(6, Math.max(1, block.level));
      // A lower title has it in its breadcrumb.
      if (pendingTitle && level <= titles.length) yield pendingTitle;
      titles.length = Math.min(titles.length, level - 1);
      pendingTitle = {
        content: text.slice(0, longest),
        subtype: level === 1 ? 'title' : 'subtitle',
        page: block.page ?? null,
        breadcrumb: titles.filter(Boolean).join(' > '),
      };
      while (titles.length < level - 1) titles.push('');
      titles.push(text.slice(0, longestTitle));
      continue;
    }
    pendingTitle = undefined;
    const { subtype, page = null } = block;
    const breadcrumb = titles.filter(Boolean).join(' > ');
    for (const content of pieces(text)) {
      const fits =
        open !== undefined &&
        open.content.length + content.length <= target &&
        open.page === page &&
        kinOf(open.subtype) === kinOf(subtype);
      if (open && fits) {
        open.content += (subtype === 'table' ? '\n' : '\n\n') + content;
        if (open.subtype !== subtype) open.subtype = 'paragraph';
      } else {
        if (open) yield open;
        open = { content, subtype, page, breadcrumb };
      }
    }
  }
  if (open) yield open;
  if (pendingTitle) yield pendingTitle;
}

/** Without characters that cannot be stored, blank ends and repeated blank lines. */
function clean(text: string): string {
  return text
    .replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A long text cut between paragraphs, sentences or words; else anywhere except within a character. */
function* pieces(text: string): Generator<string> {
  let rest = text;
  while (rest.length > longest) {
    const head = rest.slice(0, longest);
    const places = [
      head.lastIndexOf('\n\n'),
      head.lastIndexOf('\n'),
      Math.max(...['. ', '! ', '? ', '。', '！', '？'].map((end) => head.lastIndexOf(end))),
      head.lastIndexOf(' '),
    ];
    let cut = places.find((place) => place > longest / 2) ?? longest - 1;
    if (cut === longest - 1 && /[\ud800-\udbff]/.test(head[cut] ?? '')) cut -= 1;
    const piece = rest.slice(0, cut + 1).trim();
    if (piece) yield piece;
    rest = rest.slice(cut + 1);
  }
  if (rest.trim()) yield rest.trim();
}
