// Reads plain text: the lines of a file in any common encoding, and their paragraphs. The file is never completely in
// memory.
import { beginningOf } from '../../api/message-text.ts';
import type { Block } from './passages.ts';

/** The maximum number of characters of a line. Longer text continues in the next line, from the last space if it is not too early. */
const maxLineLength = 20_000;
/** The maximum number of characters of a paragraph; longer text continues in the next paragraph. */
const maxParagraphLength = 20_000;

/**
 * Yields the text of a file in chunks. The encoding is that of the byte order mark, otherwise UTF-8 if it is valid,
 * otherwise Windows-1252.
 */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  const end = decoder?.decode();
  if (end) yield end;
}

function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  try {
    // As a stream, because the last character may be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Yields the lines of a text without line ends. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    rest += chunk;
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
    while (rest.length > maxLineLength) {
      const space = rest.lastIndexOf(' ', maxLineLength - 1);
      const line = space > maxLineLength / 2 ? rest.slice(0, space) : beginningOf(rest, maxLineLength);
      yield line;
      rest = rest.slice(line.length);
    }
  }
  yield rest.replace(/\r$/, '');
}

/** Yields the paragraphs, which are separated by blank lines. */
export async function* textBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  let text = '';
  for await (const line of linesOf(textOf(bytes))) {
    if (line.trim() === '' || text.length > maxParagraphLength) {
      yield { subtype: 'paragraph', text };
      text = '';
    }
    text += `${line}\n`;
  }
  yield { subtype: 'paragraph', text };
}
