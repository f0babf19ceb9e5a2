// Reads Markdown line by line for its words and its outline. It is not a parser of the language: emphasis stays as it is.
import type { Block } from './passages.ts';
import { linesOf, textOf } from './text.ts';

/** Characters of a block; a longer one goes on as the next. */
const longestBlock = 20_000;

type Kind = 'paragraph' | 'list' | 'table' | 'blockquote' | 'code';

/** The blocks of a document. */
export async function* markdownBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  let lines: string[] = [];
  let kind: Kind = 'paragraph';
  let size = 0;
  /** What ends the block of code that is open. */
  let fence: string | undefined;
  /** The first lines may be settings between `---`. */
  let place = 0;
  let isFront = false;

  const flush = (): Block => {
    const block = { subtype: kind, text: lines.join('\n') };
    lines = [];
    size = 0;
    return block;
  };

  for await (const line of linesOf(textOf(bytes))) {
    place += 1;
    if (place === 1 && line === '---') {
      isFront = true;
      continue;
    }
    if (isFront) {
      if (line === '---' || place > 100) isFront = false;
      continue;
    }
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
      // What follows a list or a quote without a blank line belongs to it.
      else if (own !== kind && own !== 'paragraph') {
        yield flush();
        kind = own;
      }
    }
    lines.push(plain(line, kind));
    size += line.length;
    if (size > longestBlock) yield flush();
  }
  yield flush();
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

/** Without the marks of the block, and pictures as their words. */
function plain(line: string, kind: Kind): string {
  if (kind === 'code') return line;
  const text = kind === 'blockquote' ? line.replace(/^[ \t]*>+[ \t]?/, '') : line;
  return text.replace(/!\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1');
}
