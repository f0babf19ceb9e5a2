// Messages as plain text for lists, searches and mails. The address of a file in a conversation is left out: whoever has it can
// read the file.
import { preview } from '../../protocol/message.ts';
import { plainMarkdown } from '../../protocol/plain-markdown.ts';

/** A word of a text that can be an address. */
const words = /[^\s()[\]<>"']+/g;
/** The address of a file in a conversation, also cut off, and its name. */
const fileAddress = /^https?:.*\/chat\/[\w-]+\/files\/[\w~.-]+\/?(.*)$/i;

/** Returns a text with the names of files instead of their addresses. */
export const withoutFileAddresses = (text: string): string =>
  text.replace(words, (word) => {
    const name = fileAddress.exec(word)?.[1];
    return name === undefined ? word : decoded(name);
  });

/** Reads the texts of a payload in JSON without its addresses; its type in brackets if it has no text. `plain`: of its Markdown. */
export function readPayloadText(json: string, plain: (markdown: string) => string): string {
  const payload: unknown = JSON.parse(json, (key, value: unknown) => {
    if (/Url$/.test(key)) return undefined;
    return key === 'markdown' && typeof value === 'string' ? plain(withoutFileAddresses(value)) : value;
  });
  return withoutFileAddresses(preview(payload)).trim() || `[${String(Object(payload).type ?? '')}]`;
}

/** Returns the text of a payload for mails and notifications, without the marks of Markdown. */
export const textOfPayload = (json: string): string => readPayloadText(json, plainMarkdown);

/** The beginning of a text, at most `length` UTF-16 units and no half character. */
export const beginningOf = (text: string, length: number): string =>
  text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/, '');

/**
 * Splits a text that arrives in pieces: `whole` has no half characters, and `half` is the first half of a character at its
 * end, which waits for the next piece.
 */
export function splitHalf(text: string): { whole: string; half: string } {
  const half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
  return { whole: wellFormed(half === '' ? text : text.slice(0, -1)), half };
}

/** Returns a text with U+FFFD in place of each half character, which no encoding can contain. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

/** Returns a JSON value whose texts have U+FFFD in place of half characters. */
export function wellFormedValue<T>(value: T): T {
  // JSON escapes nothing but the halves this way. Two backslashes are one of the text.
  const json = JSON.stringify(value);
  if (json === undefined || !/\\ud[89a-f]/.test(json)) return value;
  return JSON.parse(json.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][\da-f]{2}/g, '\ufffd')) as T;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
