// Reads the pages of lists.
import type { InboxApi } from '../api/inbox-api.ts';
import { type ListView, viewKey } from '../state/list-view.ts';
import type { InboxStore } from '../state/store.ts';
import type { Coalesce } from './coalesce.ts';
import { readRows } from './read-rows.ts';

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
