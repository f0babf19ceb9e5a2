// Text with the addresses of its links beside the words, in the notation of Markdown: `[book a visit](https://example.com/visit)`;
// and the codes of links in documents of Word and in Rich Text: `HYPERLINK "https://example.com" \\l "part"`.

/** The maximum number of characters of an address, and of the words of a link that are held until it ends. */
const maxAddressLength = 2_000;
const maxWords = 20_000;

const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * Returns the address of a link as it is written beside its words; undefined for an address that is not absolute, or of
 * another kind than http, https, mailto and tel. `base`: the address of the document, if it is known.
 */
export function linkAddress(href: string | undefined, base?: string): string | undefined {
  // Browsers leave out line ends and tabs (URL, 4.4).
  const text = href?.replace(/[\t\r\n]/g, '').trim();
  if (!text || text.length > maxAddressLength) return undefined;
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(text);
  try {
    const url = new URL(text, base);
    if (!schemes.has(url.protocol)) return undefined;
    // As it is written by its author, with the characters encoded that would end it.
    return (isAbsolute ? text : url.href).replace(
      /[\s()<>[\]\\"]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
  } catch {
    return undefined;
  }
}

/** A text that grows, parts of which belong to a link. */
export interface LinkedText {
  /** The number of characters. */
  readonly length: number;
  /** Whether it has a character that is not blank. */
  readonly hasWords: boolean;
  /** Adds text; `address`: that of its link (`linkAddress`). */
  add(text: string, address?: string): void;
  /** Returns the text, and begins a new one. */
  take(): string;
}

export function createLinkedText(): LinkedText {
  let parts: string[] = [];
  /** The words of the open link. */
  let words: string[] = [];
  let open: string | undefined;
  let length = 0;
  let wordsLength = 0;
  let hasWords = false;

  function endLink(): void {
    if (open !== undefined && words.length > 0) parts.push(linked(words.join(''), open));
    words = [];
    wordsLength = 0;
    open = undefined;
  }

  return {
    get length() {
      return length;
    },
    get hasWords() {
      return hasWords;
    },
    add(text, address) {
      if (text === '') return;
      hasWords ||= /\S/.test(text);
      length += text.length;
      if (address !== open || wordsLength > maxWords) endLink();
      open = address;
      if (address === undefined) parts.push(text);
      else {
        words.push(text);
        wordsLength += text.length;
      }
    },
    take() {
      endLink();
      const text = parts.join('');
      parts = [];
      length = 0;
      hasWords = false;
      return text;
    },
  };
}

/** Returns words with their address; only the words if they are the address. */
function linked(words: string, address: string): string {
  const core = words.trim();
  if (core === '' || plain(core) === plain(address)) return words;
  const start = words.indexOf(core);
  return `${words.slice(0, start)}[${core}](${address})${words.slice(start + core.length)}`;
}

/** An address without what its readers leave out. */
const plain = (address: string): string =>
  address
    .replace(/^(?:https?:\/\/(?:www\.)?|www\.|mailto:|tel:)/i, '')
    .replace(/[/\s]$/, '')
    .toLowerCase();

/** The maximum number of characters of a code that are read. */
export const maxCodeLength = 10_000;

/** Returns the address of a HYPERLINK field; undefined for another one, and for a link within the document. */
export function addressOfField(code: string): string | undefined {
  const [, options] = /^\s*HYPERLINK\s+(.*)$/is.exec(code.slice(0, maxCodeLength)) ?? [];
  if (options === undefined) return undefined;
  let address: string | undefined;
  let anchor: string | undefined;
  let before = '';
  for (const [word, quoted] of options.matchAll(/\\[a-z]|"((?:[^"\\]|\\.)*)"|[^\s"\\]+/gi)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? word;
    if (/^\\l$/i.test(before)) anchor = value;
    // The values of the other options: the place of the window, the tip.
    else if (!/^\\[a-z]$/i.test(word) && !/^\\[ot]$/i.test(before)) address ??= value;
    before = word;
  }
  if (address === undefined) return undefined;
  return linkAddress(anchor === undefined ? address : `${address}#${anchor}`);
}
