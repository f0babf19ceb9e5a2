// Changes the conversation of the window. Unsent messages stay with the conversation for which they were written.
import { setRead } from '../../../client/operations/chat.ts';
import { type DeferredMessage, isMessage } from '../../../protocol/message.ts';
import type { SessionInternals } from '../../chat/session/context.ts';

/** The messages in the record of the browser, which other code on the page may have changed. */
const messagesIn = <One>(list: One[] | undefined): One[] =>
  Array.isArray(list) ? list.filter((item) => isMessage(item)) : [];

/** The record has no empty lists. */
const ifAny = <One>(list: One[]): One[] | undefined => (list.length > 0 ? list : undefined);

/** Moves the unsent messages to the deferred ones, and removes them from the transcript. */
function park({ widget, store }: SessionInternals): void {
  const { conversationId, unsent, parked } = widget.storage.read();
  if (!conversationId) return;
  const waiting = messagesIn(unsent);
  const all: DeferredMessage[] = [
    ...messagesIn(parked),
    ...waiting.map((message) => ({ ...message, conversationId })),
  ];
  widget.storage.write({ unsent: undefined, parked: ifAny(all) });
  for (const { id } of waiting) store.remove(id);
}

/** The record with the deferred messages of a conversation as its unsent ones. */
function unpark({ widget }: SessionInternals, conversationId: string) {
  const { unsent, parked } = widget.storage.read();
  const deferred = messagesIn(parked);
  const own = deferred.filter((message) => message.conversationId === conversationId);
  const others = deferred.filter((message) => message.conversationId !== conversationId);
  const all = [...own.map(({ conversationId: _, ...message }) => message), ...messagesIn(unsent)];
  return { unsent: ifAny(all), parked: ifAny(others) };
}

/** Tells the server that the visitor has read the present conversation. Never rejects. */
export async function reportRead(internals: SessionInternals): Promise<void> {
  const { client, store, getConversation, getSignal } = internals;
  const id = getConversation()?.id;
  const messageId = store.state.outline.findLast((row) => row.id && row.side === 'bot')?.id;
  if (!id || !messageId) return;
  await client
    .with({ setRead })
    .setRead({ id, messageId }, { signal: getSignal() })
    .catch(() => {});
}

/** Shows another conversation of the visitor. Rejects as the start of a conversation does. */
export async function openConversation(internals: SessionInternals, conversationId: string): Promise<void> {
  const { widget, endScope, start } = internals;
  if (conversationId === widget.storage.read().conversationId) return;
  // Before its scope ends.
  void reportRead(internals);
  park(internals);
  widget.storage.write({ conversationId, readAt: undefined, ...unpark(internals, conversationId) });
  widget.emit('conversation', conversationId);
  endScope({ keepUnsent: false });
  await start();
}

/** Begins a new conversation; the present one stays in the list. Rejects if it cannot be created. */
export async function beginConversation(
  internals: SessionInternals,
  restart: () => Promise<unknown>,
): Promise<void> {
  const { storage } = internals.widget;
  await reportRead(internals);
  const { conversationId } = storage.read();
  park(internals);
  try {
    await restart();
  } catch (error) {
    if (conversationId && storage.read().conversationId === conversationId) {
      storage.write(unpark(internals, conversationId));
      internals.restoreUnsent();
    }
    throw error;
  }
}
