// Reads the pages of lists, and rows of conversations.
import { batch } from '@preact/signals';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import type { InboxApi } from '../api/inbox-api.ts';
import { type ListView, viewKey } from '../state/lists.ts';
import type { InboxStore } from '../state/store.ts';
import type { Coalesce } from './coalesce.ts';

interface Dependencies {
  api: Pick<InboxApi, 'inbox'>;
  store: InboxStore;
  coalesce: Coalesce;
  /** Ends the requests. */
  signal: AbortSignal;
}

/** Rows of a page. */
const pageSize = 50;

/** Creates the reads. Errors of `readPage` are thrown, and that one was is in the state. */
export function createListReads({ api: { inbox }, store, coalesce, signal }: Dependencies) {
  const readPage = async (view: ListView, nextToken: string | undefined): Promise<void> => {
    const before = store.progressOf(view);
    store.setProgress(view, { ...before, status: 'loading' });
    // Nobody tells that one of them has left the list while it was not watched.
    const old = view.list === 'bot' && !nextToken ? store.botRows() : [];
    try {
      const { conversations, meta } = await readRows(store, () =>
        inbox.listInboxConversations(
          { list: view.list, ...view.filter, pageSize, ...(nextToken && { nextToken }) },
          { signal },
        ),
      );
      const found = new Set(conversations.map(({ conversationId }) => conversationId));
      batch(() => {
        store.removeRows(old.filter(({ conversationId }) => !found.has(conversationId)));
        store.receivePage(view, conversations, meta.nextToken);
      });
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

/** Returns the response of `ask` without rows that were hidden from the member meanwhile. Rejects as `ask` does. */
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
