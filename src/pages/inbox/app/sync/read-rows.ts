// Reads rows of conversations, without those that were hidden from the member while the response was on its way.
import type { InboxRow } from '../../../../protocol/handling/inbox.ts';
import type { InboxStore } from '../state/store.ts';

/** Returns the response of `ask`. Rejects as `ask` does. */
export async function readRows<Response extends { conversations: InboxRow[] }>(
  store: Pick<InboxStore, 'beginRead'>,
  ask: () => Promise<Response>,
): Promise<Response> {
  const read = store.beginRead();
  try {
    const response = await ask();
    const conversations = response.conversations.filter(({ conversationId }) => read.shows(conversationId));
    return { ...response, conversations };
  } finally {
    read.end();
  }
}
