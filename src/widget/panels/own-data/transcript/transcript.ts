// Downloads or prints the whole conversation, including messages that are not loaded.
import { isMessage, type Message } from '../../../../protocol/message.ts';
import type { SessionContext } from '../../../chat/session/context.ts';
import { printLines } from './print-lines.ts';
import { linesOf, toText } from './transcript-text.ts';

/** Downloads the conversation as a text file. Errors are reported to the page. Never rejects. */
export const downloadTranscript = (context: SessionContext): Promise<void> =>
  withMessages(context, (botName, ...of) => save(`${botName}.txt`, toText(...of)));

/** Opens the print dialog of the browser with the conversation. Errors are reported to the page. Never rejects. */
export const printTranscript = (context: SessionContext): Promise<void> =>
  withMessages(context, (botName, ...of) => printLines(context.widget, botName, linesOf(...of)));

/** Lists all messages, oldest first. */
async function withMessages(
  context: SessionContext,
  use: (botName: string, ...of: Parameters<typeof toText>) => void,
): Promise<void> {
  const { client, getSignal, getConversationId, report, store, widget } = context;
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
    // Authors of only older messages are not known yet.
    await context.nameAuthors?.(messages);
    const { botName } = store.state.configuration;
    const nameOf = ({ author, userId }: Message) => store.personOf({ author, userId })?.name || botName;
    use(botName, messages.reverse(), widget.storage.read().userId, nameOf, widget.blocks);
  } catch (error) {
    report(error);
  }
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
