// Reads plain text: the lines of a file in any common encoding, and their paragraphs. The file is never completely in
// memory.
import { isAscii } from 'node:buffer';
import { beginningOf } from '../../api/message-text.ts';
import type { Block } from './passages.ts';

/** The maximum number of characters of a line. Longer text continues in the next line, from the last space if it is not too early. */
const maxLineLength = 20_000;
/** The maximum number of characters of a paragraph; longer text continues in the next paragraph. */
const maxParagraphLength = 20_000;

/**
 * Yields the text of a file in chunks. The encoding is that of the byte order mark, otherwise UTF-8 if it is valid in the
 * first chunk with other characters than ASCII, otherwise Windows-1252.
 */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isStart = true;
  /** The last bytes, which do not decide about the encoding: their character may be incomplete. */
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of bytes) {
    if (decoder) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    const open = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = isAscii(open) ? open.length : open.findIndex((byte) => byte > 0x7f);
    if (end > 0) {
      yield ascii.decode(open.subarray(0, end));
      isStart = false;
    }
    rest = open.subarray(end);
    if (rest.length < maxCharacterBytes) continue;
    decoder = new TextDecoder(encodingOf(rest, { isStart, isEnd: false }));
    yield decoder.decode(rest, { stream: true });
  }
  const last = decoder
    ? decoder.decode()
    : new TextDecoder(encodingOf(rest, { isStart, isEnd: true })).decode(rest);
  if (last) yield last;
}

const ascii = new TextDecoder();
/** The maximum number of bytes of a character in UTF-8. */
const maxCharacterBytes = 4;

function encodingOf(bytes: Uint8Array, { isStart, isEnd }: { isStart: boolean; isEnd: boolean }): string {
  if (isStart && bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (isStart && bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    // As a stream, because the last character may be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isEnd });
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
