// The one decoder of text in files: of imports, of the index, and of the parts of archives.
import { isAscii } from 'node:buffer';
import { charsetNamed, type Decoder, decoderOf } from './charsets.ts';
import { detectCharset } from './detection.ts';

export interface DecodeOptions {
  /** The `charset` of the content type that the owner of the file has declared. */
  charset?: string | undefined;
  /** Returns the charset that a document declares in its first bytes, which are read as ISO-8859-1. */
  declaredIn?: ((head: string) => string | undefined) | undefined;
  /** Receives a sentence for the owner of the file about text that may be wrong. */
  warn?: ((problem: string) => void) | undefined;
  /** Whether `warn` is called for bytes that are not a character; otherwise the caller looks for U+FFFD. Default: true. */
  warnsOfLosses?: boolean;
}

/** The number of bytes by which the character set is detected, and at the start of a document that may declare it. */
const sampleBytes = 65_536;
const headBytes = 32_768;

/**
 * Yields the text of a file in chunks, without a byte order mark. The character set is that of the byte order mark, otherwise
 * the declared one, otherwise the one that the document declares, otherwise the detected one. Bytes that are not
 * a character become U+FFFD, and `warn` is called.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  { charset, declaredIn, warn, warnsOfLosses = true }: DecodeOptions = {},
): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let name = 'utf-8';
  let isStart = true;
  let declared: Declared | undefined;
  let held: Uint8Array[] = [];
  let size = 0;
  let isSampling = false;
  const losses = countLosses();

  async function choose(sample: Uint8Array, isWhole: boolean): Promise<string> {
    name = await chooseCharset(sample, { declared, isStart, isWhole, warn });
    decoder = decoderOf(name);
    return losses.count(decoder.write(sample));
  }

  for await (const chunk of bytes) {
    if (decoder) {
      yield losses.count(decoder.write(chunk));
      continue;
    }
    held.push(chunk);
    size += chunk.length;
    // Until the document may have declared its set, and then until bytes outside of ASCII have come, which decide.
    if (size < (isSampling ? sampleBytes : isStart ? headBytes : 1)) continue;
    const open: Uint8Array = held.length === 1 ? chunk : Buffer.concat(held);
    held = [open];
    if (isStart && declared === undefined) declared = declaredCharset(open, charset, declaredIn);
    if (isStart && (isDecided(declared) || markOf(open) !== undefined)) {
      yield withoutMark(await choose(open, false));
      held = [];
      isStart = false;
    } else if (isPlainAscii(open)) {
      yield losses.count(Buffer.from(open.buffer, open.byteOffset, open.byteLength).toString('latin1'));
      held = [];
      size = 0;
      isStart = false;
    } else if (size < sampleBytes) isSampling = true;
    else {
      const text = await choose(open, false);
      yield isStart ? withoutMark(text) : text;
      held = [];
      isStart = false;
    }
  }
  if (!decoder) {
    const open = Buffer.concat(held);
    declared ??= declaredCharset(open, charset, declaredIn);
    const text = await choose(open, true);
    yield isStart ? withoutMark(text) : text;
  }
  const rest = losses.count(decoder?.end() ?? '');
  if (rest) yield rest;
  const problem = losses.problem(name);
  if (problem && warnsOfLosses) warn?.(problem);
}

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** Without zeros, which are those of UTF-16, and escapes, which are those of ISO-2022. */
const isPlainAscii = (bytes: Uint8Array): boolean =>
  isAscii(bytes) && !bytes.includes(0) && !bytes.includes(0x1b);

/** False also for UTF-8: the bytes show whether that is true. */
const isDecided = (declared: Declared | undefined): boolean =>
  declared?.name !== undefined && declared.name !== 'utf-8';

interface Declared {
  /** Undefined when no set is declared, or none that is known. */
  name: string | undefined;
  /** The declared set if it is not known. */
  unknown: string | undefined;
}

function declaredCharset(
  head: Uint8Array,
  charset: string | undefined,
  declaredIn: DecodeOptions['declaredIn'],
): Declared {
  const named = charset === undefined ? undefined : charsetNamed(charset);
  if (named !== undefined) return { name: named, unknown: undefined };
  const inDocument = declaredIn?.(Buffer.from(head.subarray(0, headBytes)).toString('latin1'));
  const name = inDocument === undefined ? undefined : charsetNamed(inDocument);
  // A declaration that can be read as ASCII is not in UTF-16 (HTML, 13.2.3.2).
  const isWide = name !== undefined && /^utf-(?:16|32)/.test(name);
  return { name: isWide ? 'utf-8' : name, unknown: charset ?? (name === undefined ? inDocument : undefined) };
}

interface Choice {
  declared: Declared | undefined;
  isStart: boolean;
  isWhole: boolean;
  warn: DecodeOptions['warn'];
}

async function chooseCharset(
  sample: Uint8Array,
  { declared, isStart, isWhole, warn }: Choice,
): Promise<string> {
  const mark = isStart ? markOf(sample) : undefined;
  if (mark) return mark;
  const name = declared?.name;
  if (name === undefined) {
    const found = await detectCharset(sample, { isStart, isWhole });
    if (declared?.unknown !== undefined)
      warn?.(`The charset ${JSON.stringify(declared.unknown)} is not known; the text was read as ${found}.`);
    return found;
  }
  // Without a byte order mark, the order of the bytes is that of the zeros.
  if (/^(?:utf-16|utf-32)$/.test(name)) {
    const found = await detectCharset(sample, { isStart, isWhole });
    return found.startsWith(name) ? found : `${name}le`;
  }
  if (name !== 'utf-8') return name;
  const found = await detectCharset(sample, { isStart, isWhole });
  if (found !== 'utf-8') warn?.(`The text is declared as utf-8, which it is not; it was read as ${found}.`);
  return found;
}

/** Returns the set of the byte order mark at the start of a text. */
function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
  if (a === 0x84 && b === 0x31 && c === 0x95 && d === 0x33) return 'gb18030';
  return undefined;
}

/** Counts the characters that could not be read, and the lines up to the first one. */
function countLosses() {
  let lost = 0;
  let lines = 1;
  let before = '';
  return {
    count(text: string): string {
      let at = text.indexOf('\ufffd');
      if (lost === 0) {
        const validText = at < 0 ? text : text.slice(0, at);
        lines += validText.match(/\r\n|\n|\r/g)?.length ?? 0;
        if (before === '\r' && validText.startsWith('\n')) lines -= 1;
        before = validText.at(-1) ?? before;
      }
      for (; at >= 0; at = text.indexOf('\ufffd', at + 1)) lost += 1;
      return text;
    },
    problem(charset: string): string | undefined {
      if (lost === 0) return undefined;
      const count = lost === 1 ? 'One character' : `${lost} characters`;
      return `${count} could not be read as ${charset}, the first one in line ${lines}: they are shown as \ufffd.`;
    },
  };
}
