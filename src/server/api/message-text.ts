// Messages as plain text for lists, searches and mails. The address of a file in a conversation is left out: whoever has it can
// read the file.
import { preview } from '../../protocol/message.ts';

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

/** Returns the texts of a payload in JSON without its addresses; its type in brackets if it has no text. */
export function textOfPayload(json: string): string {
  const payload: unknown = JSON.parse(json, (key, value: unknown) => (/Url$/.test(key) ? undefined : value));
  const text = withoutFileAddresses(preview(payload)).trim();
  return text || `[${String(Object(payload).type ?? '')}]`;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
