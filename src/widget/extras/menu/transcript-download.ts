// Downloads the whole conversation as a text file, including messages that are not loaded.
import { isMessage, type Message, preview } from '../../../protocol/message.ts';
import type { BlockPart } from '../../../protocol/parts.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { strings } from '../strings.ts';

/** Lists all messages and downloads them as a file. Errors are reported to the page. */
export async function downloadTranscript(context: SessionContext, widget: Widget): Promise<void> {
  const { client, getSignal, getConversationId, report } = context;
  const signal = getSignal();
  try {
    const conversationId = await getConversationId();
    const messages: Message[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.listMessages({ conversationId, ...(nextToken && { nextToken }) }, { signal });
      signal.throwIfAborted();
      messages.push(...page.messages.filter(isMessage));
      nextToken = page.meta.nextToken;
    } while (nextToken);
    const name = context.store.state.configuration.botName;
    save(`${name}.txt`, toText(messages.reverse(), widget.storage.read().userId, name, widget.blocks));
  } catch (error) {
    report(error);
  }
}

/** Oldest first, each message with its time (ISO 8601, UTC) and its author. */
export function toText(
  messages: Message[],
  visitorId: string | undefined,
  botName: string,
  blocks?: Widget['blocks'],
): string {
  const lines = messages.map((message) => {
    const { createdAt, userId, author } = message;
    const other = (author?.kind === 'person' && author.name) || botName;
    const name = userId === visitorId ? strings.you : other;
    return `[${createdAt.slice(0, 16).replace('T', ' ')}] ${name}:\n${textOf(message, blocks)}\n`;
  });
  return lines.join('\n');
}

/** The text of a message, and what its blocks say. */
function textOf({ payload, parts }: Message, blocks: Widget['blocks']): string {
  const all = Array.isArray(parts) ? parts.filter((part) => typeof part === 'object' && part !== null) : [];
  const shown = all.filter((part): part is BlockPart => part.type === 'block');
  const said = preview(payload);
  // As `textOfBlock` says it. It is in the bundle of the parts; imported here, it would be a file of its own.
  const fallbacks = shown.map(({ fallback, name }) => (String(fallback).trim() ? fallback : name));
  // Without other text, the payload is what stands for the blocks.
  const text = said === fallbacks.join('\n\n') ? '' : said;
  const words = shown.map((part, index) => blocks?.describe(part) ?? fallbacks[index]);
  return [text, ...words].filter(Boolean).join('\n\n');
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
