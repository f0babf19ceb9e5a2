// The whole conversation as text: author, time and words of each message.
import { type Message, preview } from '../../../../protocol/message.ts';
import type { BlockPart } from '../../../../protocol/parts.ts';
import { plainMarkdown } from '../../../../protocol/plain-markdown.ts';
import type { Widget } from '../../../launcher-chat-interface.ts';
import { strings } from '../strings.ts';

/** A message as text. */
export interface TranscriptLine {
  /** ISO 8601, UTC, in minutes. */
  time: string;
  author: string;
  text: string;
}

/**
 * Each message with its time and its author, in the order of the messages.
 * @param nameOf the name of an author who is not the visitor
 */
export function linesOf(
  messages: readonly Message[],
  visitorId: string | undefined,
  nameOf: (message: Message) => string,
  blocks?: Widget['blocks'],
): TranscriptLine[] {
  return messages.map((message) => {
    const { createdAt, userId } = message;
    return {
      time: createdAt.slice(0, 16).replace('T', ' '),
      author: userId === visitorId ? strings.you : nameOf(message),
      text: textOf(message, blocks),
    };
  });
}

/** The lines as one text. */
export const toText = (...of: Parameters<typeof linesOf>): string =>
  linesOf(...of)
    .map(({ time, author, text }) => `[${time} UTC] ${author}:\n${text}\n`)
    .join('\n');

/** The text of a message, and what its blocks say. */
function textOf({ payload, parts }: Message, blocks: Widget['blocks']): string {
  const all = Array.isArray(parts) ? parts.filter((part) => typeof part === 'object' && part !== null) : [];
  const shown = all.filter((part): part is BlockPart => part.type === 'block');
  const said = preview(payload);
  // As `textOfBlock` says it. It is in the bundle of the parts; imported here, it would be a file of its own.
  const fallbacks = shown.map(({ fallback, name }) => (String(fallback).trim() ? fallback : name));
  // Without other text, the payload is the text in place of the blocks.
  const text = said === fallbacks.join('\n\n') ? '' : preview(plainPayload(payload));
  const words = shown.map((part, index) => blocks?.describe(part) ?? fallbacks[index]);
  return [text, ...words].filter(Boolean).join('\n\n');
}

/** A payload whose Markdown, also in its items, is plain text. */
const plainPayload = (payload: Message['payload']): unknown =>
  JSON.parse(JSON.stringify(payload), (key, value: unknown) =>
    key === 'markdown' && typeof value === 'string' ? plainMarkdown(value) : value,
  );
