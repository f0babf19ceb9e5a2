// Reads the text and the headings of Markdown, line by line. Inline syntax such as emphasis is not parsed.
// Why not `marked`: it needs the whole document in memory (decision 152).
import { decodeText } from '../text/decode.ts';
import type { Block } from './passages.ts';
import type { ReadOptions } from './reader-interface.ts';
import { linesOf } from './text.ts';

/** The maximum number of characters of a block; longer text continues in the next block. */
const maxBlockLength = 20_000;
/** The maximum number of lines of front matter. */
const maxFrontLines = 100;

type Kind = 'paragraph' | 'list' | 'table' | 'blockquote' | 'code';

/** Yields the blocks of a document. */
export async function* markdownBlocks(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<Block> {
  let lines: string[] = [];
  let kind: Kind = 'paragraph';
  let size = 0;
  /** The end marker of the open code block. */
  let fence: string | undefined;

  const flush = (): Block => {
    const block = { subtype: kind, text: lines.join('\n') };
    lines = [];
    size = 0;
    return block;
  };

  for await (const line of withoutFrontMatter(linesOf(decodeText(bytes, options)))) {
    if (fence !== undefined) {
      if (line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())) {
        fence = undefined;
        yield flush();
        kind = 'paragraph';
        continue;
      }
    } else {
      const [, marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
      if (marks !== undefined) {
        yield flush();
        kind = 'code';
        fence = marks;
        continue;
      }
      const title = titleOf(line);
      const under = kind === 'paragraph' && lines.length === 1 ? /^ {0,3}(=+|-+)\s*$/.exec(line)?.[1] : '';
      if (under) {
        const [text = ''] = lines;
        lines = [];
        yield { subtype: 'title', level: under.startsWith('=') ? 1 : 2, text };
        continue;
      }
      if (title) {
        yield flush();
        kind = 'paragraph';
        yield title;
        continue;
      }
      if (line.trim() === '') {
        yield flush();
        kind = 'paragraph';
        continue;
      }
      const own = kindOf(line);
      if (lines.length === 0) kind = own;
      // A line that follows a list or a quote without a blank line belongs to it.
      else if (own !== kind && own !== 'paragraph') {
        yield flush();
        kind = own;
      }
    }
    lines.push(plain(line, kind));
    size += line.length;
    if (size > maxBlockLength) yield flush();
  }
  yield flush();
}

/**
 * Leaves out front matter: the lines from `---` at the beginning to `---` or `...`. Without such an end, and before a blank
 * line, the first line is a horizontal rule, and the others are text.
 */
async function* withoutFrontMatter(lines: AsyncIterable<string>): AsyncGenerator<string> {
  /** The lines after the first one, until it is known what they are. */
  let held: string[] | undefined;
  let isFirst = true;
  for await (const line of lines) {
    const text = line.trimEnd();
    if (isFirst && text === '---') held = [];
    else if (held === undefined) yield line;
    else if (text === '---' || text === '...') held = undefined;
    else {
      held.push(line);
      if (held.length === maxFrontLines || held[0]?.trim() === '') {
        yield* held;
        held = undefined;
      }
    }
    isFirst = false;
  }
  if (held) yield* held;
}

function titleOf(line: string): Block | undefined {
  const [, marks = '', text = ''] = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line) ?? [];
  if (marks === '') return undefined;
  return { subtype: 'title', level: marks.length, text: text.trimEnd().replace(/(?:^|[ \t])#+$/, '') };
}

function kindOf(line: string): Kind {
  const text = line.trimStart();
  if (/^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text)) return 'list';
  if (text.startsWith('|')) return 'table';
  if (text.startsWith('>')) return 'blockquote';
  return 'paragraph';
}

/** Removes the markers of the block, and replaces images by their alternative text. */
function plain(line: string, kind: Kind): string {
  if (kind === 'code') return line;
  const text = kind === 'blockquote' ? line.replace(/^[ \t]*>+[ \t]?/, '') : line;
  return text.replace(/!\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1');
}
