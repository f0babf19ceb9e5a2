// Older messages: loads the earlier pages of the conversation.
import type { SessionInternals } from '../context.ts';
import { retryWithBackoff } from '../retry.ts';

export interface History {
  /** Lists the page before the oldest loaded message. */
  loadOlder(): Promise<void>;
  /** Lists messages that are newer than the known ones, and older ones back to `since` (ISO 8601). */
  findStored(since: string): Promise<void>;
}

export function createHistory({ store, incoming, getConversation }: SessionInternals): History {
  const loadOlder = async () => {
    const conversation = getConversation();
    if (!conversation?.olderToken || store.state.history !== 'more') return;
    const { signal } = conversation;
    store.setHistory('loading');
    try {
      const page = await retryWithBackoff(() => conversation.listPage(conversation.olderToken), { signal });
      signal.throwIfAborted();
      incoming.handleMessages(page.messages.reverse(), false);
      conversation.olderToken = page.meta.nextToken;
    } finally {
      if (!signal.aborted) store.setHistory(conversation.olderToken ? 'more' : 'complete');
    }
  };
  return {
    loadOlder,
    async findStored(since) {
      await getConversation()?.refresh();
      const isAfter = () => (store.state.rows[0]?.createdAt ?? '') > since;
      while (isAfter() && store.state.history === 'more') await loadOlder();
    },
  };
}
