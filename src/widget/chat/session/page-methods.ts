// Methods of `window.platform`: sending a custom event, starting a new conversation, and prefilling the composer.
import { createEvent } from '../../../client/operations/chat.ts';
import { composerBox } from '../components/focus.ts';
import type { SessionInternals } from './context.ts';
import { newId } from './ids.ts';
import { showDraft } from './show-draft.ts';

export interface PageMethods {
  sendEvent(event: Record<string, unknown>): Promise<void>;
  /** Ends the conversation and starts another one. Unsent messages are discarded. */
  restartConversation(): Promise<void>;
  /** Puts a text into an empty composer. Returns false if the visitor has written something, or can only choose. */
  prefill(text: string): boolean;
}

export function createPageMethods(internals: SessionInternals): PageMethods {
  const { widget, getSignal, getConversationId, start } = internals;
  const client = internals.client.with({ createEvent });
  /** The same until a conversation was created with it, so that a retry does not create a second one. */
  let creationKey = newId();
  let restarting: Promise<void> | undefined;

  const restart = async () => {
    const before = [widget.storage.read().unsent ?? []].flat();
    await start();
    // Created first: if that fails, the present conversation stays.
    const creating = internals.createConversation(getSignal(), creationKey);
    internals.deferSending(creating);
    await creating;
    creationKey = newId();
    // Messages that were written meanwhile are sent to the new conversation.
    for (const message of before) if (message) internals.discard(message.id);
    internals.endScope({ keepUnsent: true });
    await start();
  };

  return {
    async sendEvent(payload) {
      const signal = getSignal();
      const conversationId = await getConversationId();
      await client.createEvent({ conversationId, payload }, { signal, idempotencyKey: newId() });
    },
    restartConversation() {
      restarting ??= restart().finally(() => {
        restarting = undefined;
      });
      return restarting;
    },
    prefill(text) {
      const input = composerBox(widget.frame);
      if (input?.value || input?.readOnly || widget.storage.read().draft) return false;
      widget.storage.write({ draft: text });
      const hadFocus = input?.matches(':focus');
      showDraft(internals);
      if (hadFocus) setTimeout(() => composerBox(widget.frame)?.focus());
      return true;
    },
  };
}
