// Splits a document into passages of about one paragraph, which search finds and returns.
// Why not `@langchain/textsplitters`: it splits texts in memory, and knows neither pages nor kinds of blocks (decision 152).
import type { PassageSubtype } from '../../../protocol/types/files.ts';
import { beginningOf } from '../../api/message-text.ts';

/** A part of a document, returned by the reader of its format. Titles have a level (1 is the highest). */
export type Block =
  | { subtype: 'title'; level: number; text: string; page?: number }
  | { subtype: Exclude<PassageSubtype, 'title' | 'subtitle'>; text: string; page?: number };

/** A passage before it is stored. */
export interface Passage {
  content: string;
  subtype: PassageSubtype;
  page: number | null;
  /** The titles above the passage: `Guide > Install`. A `>` between words of a title is replaced by `›`. */
  breadcrumb: string;
}

/**
 * Returns the text by which a passage is found. It includes titles, so that a passage is also found by the titles above
 * it.
 */
export const searchedText = ({ breadcrumb, content }: Pick<Passage, 'breadcrumb' | 'content'>): string =>
  `${breadcrumb}\n${content}`;

/** The number of characters up to which blocks are added to a passage. */
const target = 1_200;
/** The maximum number of characters of a part of a longer block. */
const maxLength = 2_000;
/** The maximum number of characters of a title in breadcrumbs; the rest is cut off. */
const maxTitleLength = 200;
/** The group of each block type. Blocks of one group share a passage; other types share it only with the same type. */
const groups: Partial<Record<PassageSubtype, string>> = {
  paragraph: 'text',
  list: 'text',
  blockquote: 'text',
};
const groupOf = (subtype: PassageSubtype): string => groups[subtype] ?? subtype;

/** Yields the passages of a document as its blocks are read. */
export async function* passagesOf(blocks: AsyncIterable<Block> | Iterable<Block>): AsyncGenerator<Passage> {
  const titles: string[] = [];
  /** A title that has no text below it so far. It becomes a passage if no text follows. */
  let pendingTitle: Passage | undefined;
  let open: Passage | undefined;

  for await (const block of blocks) {
    const text = clean(block.text);
    if (text === '') continue;
    if (block.subtype === 'title') {
      if (open) yield open;
      open = undefined;
      const level = Math.min(6, Math.max(1, block.level));
      // A title of a lower level contains it in the breadcrumb.
      if (pendingTitle && level <= titles.length) yield pendingTitle;
      titles.length = Math.min(titles.length, level - 1);
      pendingTitle = {
        content: beginningOf(text, maxLength),
        subtype: level === 1 ? 'title' : 'subtitle',
        page: block.page ?? null,
        breadcrumb: titles.filter(Boolean).join(' > '),
      };
      while (titles.length < level - 1) titles.push('');
      titles.push(beginningOf(text, maxTitleLength).replace(/(?<=^| )>(?= |$)/g, '›'));
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
        groupOf(open.subtype) === groupOf(subtype);
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

/** Removes characters that cannot be stored, surrounding white space and repeated blank lines. */
function clean(text: string): string {
  return (
    text
      .replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
      .split('\n')
      // `trimEnd`, because a pattern for the spaces at the end reads long ones within a line again and again.
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** Splits a long text between paragraphs, sentences or words, otherwise anywhere except within a character. */
function* pieces(text: string): Generator<string> {
  let rest = text;
  while (rest.length > maxLength) {
    const head = rest.slice(0, maxLength);
    const boundaries = [
      head.lastIndexOf('\n\n'),
      head.lastIndexOf('\n'),
      Math.max(...['. ', '! ', '? ', '。', '！', '？'].map((end) => head.lastIndexOf(end))),
      head.lastIndexOf(' '),
    ];
    let cut = boundaries.find((boundary) => boundary > maxLength / 2) ?? maxLength - 1;
    if (cut === maxLength - 1 && /[\ud800-\udbff]/.test(head[cut] ?? '')) cut -= 1;
    const piece = rest.slice(0, cut + 1).trim();
    if (piece) yield piece;
    rest = rest.slice(cut + 1);
  }
  if (rest.trim()) yield rest.trim();
}
