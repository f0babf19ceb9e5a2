// Reads the pages of lists, and rows of conversations.
import type { InboxRow } from '../../../../protocol/inbox.ts';
import type { InboxApi } from '../api/inbox-api.ts';
import { type ListView, viewKey } from '../state/lists.ts';
import type { InboxStore } from '../state/store.ts';
import type { Coalesce } from './coalesce.ts';

interface Parts {
  api: Pick<InboxApi, 'inbox'>;
  store: InboxStore;
  coalesce: Coalesce;
  /** Ends the requests. */
  signal: AbortSignal;
}

/** Rows of a page. */
const pageSize = 50;

/** Creates the reads. Errors of `readPage` are thrown, and that one was is in the state. */
export function createListReads({ api: { inbox }, store, coalesce, signal }: Parts) {
  const readPage = async (view: ListView, nextToken: string | undefined): Promise<void> => {
    const before = store.progressOf(view);
    store.setProgress(view, { ...before, status: 'loading' });
    try {
      const { conversations, meta } = await readRows(store, () =>
        inbox.listInboxConversations(
          { list: view.list, ...view.filter, pageSize, ...(nextToken && { nextToken }) },
          { signal },
        ),
      );
      store.receivePage(view, conversations, meta.nextToken);
    } catch (error) {
      store.setProgress(view, { ...before, status: 'failed' });
      throw error;
    }
  };

  return {
    readPage,
    openList(view: ListView): Promise<void> {
      store.forgetOthers(view);
      return coalesce(`list ${viewKey(view)}`, async () => {
        const { status, nextToken } = store.progressOf(view);
        if (status === 'unknown' || (status === 'failed' && !nextToken)) await readPage(view, undefined);
      });
    },
    async loadMore(view: ListView): Promise<void> {
      if (store.progressOf(view).status === 'loading') return;
      await coalesce(`list ${viewKey(view)}`, async () => {
        const { nextToken } = store.progressOf(view);
        if (nextToken) await readPage(view, nextToken);
      });
    },
  };
}

// Reads rows of conversations, without those that were hidden from the member while the response was on its way.

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
