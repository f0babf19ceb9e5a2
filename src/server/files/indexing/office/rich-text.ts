// Reads the text of Rich Text Format (.rtf): paragraphs, headings and tables. Pictures, fonts and other data are
// skipped.
// Why not `officeparser`: it needs Node 22, or installs 123 MB and holds whole documents in memory (decision 50).
import { charsetNamed, decoded } from '../../text/charsets.ts';
import { addressOfField, createLinkedText, maxCodeLength } from '../links.ts';
import type { Block } from '../passages.ts';
import { type ReadOptions, UnreadableError } from '../reader-interface.ts';

/** The maximum number of open groups. Real documents have fewer than a hundred. */
const maxDepth = 10_000;
const maxBlockLength = 20_000;

interface Group {
  isHidden: boolean;
  /** Within the table of fonts. */
  isFontTable: boolean;
  /** Within the code of a field. */
  isCode: boolean;
  /** The number of the font. */
  font: number | undefined;
  /** The number of characters that follow a Unicode character as its replacement (`\uc`). */
  replaced: number;
}

/** Yields the blocks of a document. Throws UnreadableError when it is none. */
export async function* richTextBlocks(
  bytes: AsyncIterable<Uint8Array>,
  { warn }: Pick<ReadOptions, 'warn'> = {},
): AsyncGenerator<Block> {
  const reader = createReader();
  let isFirst = true;
  // One character for each byte, because the encoding can change within the document.
  let rest = '';
  for await (const chunk of bytes) {
    rest += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    if (isFirst && !rest.trimStart().startsWith('{\\rtf')) {
      throw new UnreadableError('The file is not a Rich Text document.');
    }
    isFirst = false;
    rest = rest.slice(reader.read(rest, false));
    yield* reader.take();
  }
  if (isFirst) throw new UnreadableError('The file contains no text.');
  reader.read(rest, true);
  yield* reader.take();
  if (reader.lost() > 0)
    warn?.(`Bytes that could not be read in the code page of their font: ${reader.lost()}.`);
}

/** A word with its number, a byte, a symbol, a group or text. Longer words than those are not valid. */
const token =
  /\\([a-zA-Z]{1,40})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|[^\\{}\r\n]+|\\/gy;

function createReader() {
  let ready: Block[] = [];
  const groups: Group[] = [];
  let group: Group = { isHidden: false, isFontTable: false, isCode: false, font: undefined, replaced: 1 };
  /** The code page of the document, and those of its fonts by their numbers. */
  let codePage = 'windows-1252';
  const fonts = new Map<number, string>();
  const text = createLinkedText();
  /** The code of the last field, and the depths of the groups of fields with the addresses of their links. */
  let code = '';
  const links: { depth: number; address: string | undefined }[] = [];
  let cells: string[] = [];
  let isInTable = false;
  let level: number | undefined;
  let isStart = false;
  let skipped = 0;
  /** The number of characters that could not be read. */
  let lost = 0;
  /** The bytes of a text in the encoding of the document, which can have several per character. */
  let pending: number[] = [];
  /** Bytes of binary data that follow (`\bin`). */
  let binary = 0;

  function flushBytes(): void {
    if (pending.length === 0) return;
    const text = decoded(Uint8Array.from(pending), fonts.get(group.font ?? -1) ?? codePage);
    pending = [];
    lost += group.isHidden ? 0 : text.split('\ufffd').length - 1;
    add(text);
  }
  function add(part: string): void {
    if (group.isCode && code.length < maxCodeLength) code += part;
    if (group.isHidden) return;
    text.add(part, links.at(-1)?.address);
    // The second half of a character comes with the next control word.
    const isHalf = /[\ud800-\udbff]$/.test(part) && text.length < 2 * maxBlockLength;
    if (text.length > maxBlockLength && !isHalf) emitText();
  }
  function write(part: string): void {
    flushBytes();
    add(part);
  }
  function emitText(): void {
    const { hasWords } = text;
    const whole = text.take();
    if (!hasWords) return;
    ready.push(
      level === undefined ? { subtype: 'paragraph', text: whole } : { subtype: 'title', level, text: whole },
    );
  }
  function endParagraph(): void {
    flushBytes();
    // The paragraphs of a cell are one text.
    if (isInTable) text.add(' ');
    else emitText();
  }
  function endRow(): void {
    flushBytes();
    const rest = text.take().trim();
    if (rest) cells.push(rest);
    if (cells.some(Boolean)) ready.push({ subtype: 'table', text: cells.join(' | ') });
    cells = [];
  }
  function setFont(word: string, number = 0): void {
    const charset = word === 'cpg' ? charsetOfPage(number) : charsetOfPage(pagesOfFonts[number]);
    if (charset && group.font !== undefined) fonts.set(group.font, charset);
  }
  function control(word: string, number: number | undefined): void {
    if (word === 'bin') binary = Math.max(0, number ?? 0);
    else if (word === 'u' && number !== undefined) {
      write(String.fromCharCode(number < 0 ? number + 65_536 : number));
      skipped = group.replaced;
    } else if (word === 'uc') group.replaced = Math.min(10, Math.max(0, number ?? 1));
    else if (word === 'ansicpg') codePage = charsetOfPage(number) ?? 'windows-1252';
    else if (Object.hasOwn(ofSystems, word)) codePage = ofSystems[word] ?? codePage;
    else if (word === 'f') {
      flushBytes();
      group.font = number;
    } else if (group.isFontTable && /^(?:fcharset|cpg)$/.test(word)) setFont(word, number);
    else if (group.isHidden) return;
    else if (word === 'par' || word === 'sect' || word === 'page') endParagraph();
    else if (word === 'pard') {
      // The first paragraph after a table, or without the format of the one before.
      level = undefined;
      isInTable = false;
    } else if (word === 'intbl') isInTable = true;
    else if (word === 'outlinelevel') level = number !== undefined && number < 9 ? number + 1 : undefined;
    else if (word === 'cell' || word === 'nestcell') {
      flushBytes();
      cells.push(text.take().trim());
    } else if (word === 'row' || word === 'nestrow') endRow();
    else if (Object.hasOwn(characters, word)) write(characters[word] ?? '');
  }

  return {
    lost: () => lost,
    take(): Block[] {
      const blocks = ready;
      ready = [];
      return blocks;
    },
    /** Reads the complete tokens of a text and returns their length. */
    read(input: string, isEnd: boolean): number {
      token.lastIndex = 0;
      let end = 0;
      while (end < input.length) {
        if (binary > 0) {
          const length = Math.min(binary, input.length - end);
          binary -= length;
          end += length;
          continue;
        }
        // A token at the end may continue in the next chunk.
        if (!isEnd && input.length - end < 64) break;
        token.lastIndex = end;
        const match = token.exec(input);
        if (!match) break;
        end = token.lastIndex;
        const [all, word, number, hex, symbol, brace] = match;
        if (brace === '{') {
          flushBytes();
          if (groups.length > maxDepth) throw new UnreadableError('The document is nested too deep.');
          groups.push(group);
          group = { ...group };
          isStart = true;
          skipped = 0;
          continue;
        }
        if (brace === '}') {
          flushBytes();
          if (links.at(-1)?.depth === groups.length) links.pop();
          group = groups.pop() ?? group;
          skipped = 0;
        } else if (word !== undefined) {
          if (isStart && hidden.has(word)) group.isHidden = true;
          if (isStart && word === 'fonttbl') group.isFontTable = true;
          if (word === 'fldinst') {
            group.isCode = true;
            code = '';
          } else if (isStart && word === 'fldrslt')
            links.push({ depth: groups.length, address: addressOfField(code) });
          if (skipped > 0) skipped -= 1;
          else control(word, number === undefined ? undefined : Number(number));
        } else if (hex !== undefined) {
          if (skipped > 0) skipped -= 1;
          else pending.push(Number.parseInt(hex, 16));
        } else if (symbol === '*') {
          group.isHidden = true;
        } else if (symbol !== undefined) {
          if (skipped > 0) skipped -= 1;
          else if (symbol === '~') write(' ');
          else if (symbol === '_') write('-');
          else if (symbol === '\r' || symbol === '\n') endParagraph();
          else if (symbol !== '-') write(symbol);
        } else if (!/^[\r\n\\]/.test(all)) {
          const shown = all.slice(skipped);
          skipped = Math.max(0, skipped - all.length);
          if (shown) for (const character of shown) pending.push(character.charCodeAt(0));
        }
        isStart = false;
      }
      if (isEnd) {
        flushBytes();
        if (cells.length > 0) endRow();
        isInTable = false;
        endParagraph();
      }
      return end;
    },
  };
}

/** Groups whose text is not part of the document. A group that begins with `\*` is one of them, too. */
export const hidden = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'header',
  'headerl',
  'headerr',
  'headerf',
  'footer',
  'footerl',
  'footerr',
  'footerf',
  'fldinst',
  'listtable',
  'listoverridetable',
  'rsidtbl',
  'themedata',
  'datastore',
  'xmlnstbl',
  'generator',
  'filetbl',
  'revtbl',
  'annotation',
  'nonshppict',
  'xe',
  'tc',
  'bkmkstart',
  'bkmkend',
]);
/** Control words for characters. */
export const characters: Record<string, string> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  cell: '',
  nestcell: '',
};
/** The code pages of documents of other systems. */
export const ofSystems: Record<string, string> = { mac: 'macintosh', pc: 'cp437', pca: 'cp850' };

/** The code pages of fonts by their `\\fcharset`; that of 0 and 1 is the one of the document. */
export const pagesOfFonts: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};

/** Returns the character set of a code page of Windows; undefined when it is not known. */
export function charsetOfPage(page: number | undefined): string | undefined {
  if (page === undefined || page === 0) return undefined;
  const names: Record<number, string> = { 932: 'shift_jis', 10000: 'macintosh', 65001: 'utf-8' };
  return charsetNamed(names[page] ?? `windows-${page}`) ?? charsetNamed(`cp${page}`);
}
