// Sends the messages that were still unsent when the visitor left their conversation, each to its own one.
import { clientMessageIdKey, type DeferredMessage, isMessage } from '../../../../protocol/message.ts';
import { answersKey } from '../../store/rows.ts';
import type { SessionInternals } from '../context.ts';
import { retryWithBackoff } from '../retry.ts';

/** Sends one after the other until `scope` ends. A refused message stays stored, and is shown when its conversation is opened. */
export async function sendDeferred(
  { client, widget: { storage } }: SessionInternals,
  signal: AbortSignal,
): Promise<void> {
  const read = (): DeferredMessage[] =>
    [storage.read().parked ?? []].flat().filter((message) => isMessage(message));
  for (const message of read()) {
    const { id, conversationId, payload, answers, supersedes } = message;
    const metadata = { [clientMessageIdKey]: id, ...(answers && { [answersKey]: answers }) };
    const input = { conversationId, payload, metadata, ...(supersedes && { supersedes }) };
    try {
      // The same key as in the outbox: it may be stored already.
      const send = () => client.createMessage(input, { signal, idempotencyKey: id + conversationId });
      await retryWithBackoff(send, { signal });
    } catch {
      if (signal.aborted) return;
      continue;
    }
    const remaining = read().filter((other) => other.id !== id);
    storage.write({ parked: remaining.length > 0 ? remaining : undefined });
  }
}
