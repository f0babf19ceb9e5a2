// Reads what is known of a conversation besides what was said: the visitor with their data and address, and the handoffs.
import { batch } from '@preact/signals';
import type { InboxApi } from '../api/inbox-api.ts';
import { markAsked } from '../state/asked-rows.ts';
import type { InboxStore } from '../state/store.ts';
import type { Coalesce } from './coalesce.ts';

interface Parts {
  api: Pick<InboxApi, 'inbox'>;
  store: InboxStore;
  coalesce: Coalesce;
  /** Ends the requests. */
  signal: AbortSignal;
}

/** Creates the reads. Errors of `openAbout` and `refreshAbout` are passed to the coalescer. */
export function createAbout({ api: { inbox }, store, coalesce, signal }: Parts) {
  /** Rejects as the request does. */
  const readAbout = async (id: string): Promise<void> => {
    const found = await inbox.getInboxConversation({ id }, { signal });
    const { conversation, visitor, contact, preChatForm, handoffs } = found;
    // Together, so that nothing is drawn of two times.
    batch(() => {
      store.receiveRows(markAsked([conversation]));
      store.changeConversation(id, (known) => ({
        ...known,
        ...{ visitor, contact, preChatForm, handoffs },
        aboutRevision: conversation?.revision,
      }));
    });
  };

  /** Whether the row is a later state than what was read, or nothing was. The server raises its revision with each change of that. */
  const isOld = (id: string): boolean => {
    const revision = store.rows.peek().get(id)?.revision;
    const read = store.conversations.peek().get(id)?.aboutRevision;
    return revision !== undefined && revision > (read ?? -1);
  };

  return {
    readAbout,
    isOld,
    /** Reads it. */
    openAbout: (id: string): Promise<void> => coalesce(`about ${id}`, () => readAbout(id)),
    /** Reads it again if it is old. */
    refreshAbout: (id: string): Promise<void> =>
      coalesce(`about ${id}`, async () => {
        if (isOld(id)) await readAbout(id);
      }),
  };
}
