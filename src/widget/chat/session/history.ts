// What was said before: the pages of the conversation that nobody has scrolled to yet.
import type { Inner } from './context.ts';

export interface Older {
  /** Lists the page before the oldest message there is. */
  loadOlder(): Promise<void>;
  /** Lists what is newer than what is known, and what is older back to `since` (ISO 8601). */
  seek(since: string): Promise<void>;
}

export function createOlder({ store, news, getRoom, persist }: Inner): Older {
  const loadOlder = async () => {
    const room = getRoom();
    if (!room?.olderToken || store.state.history !== 'more') return;
    const { signal } = room;
    store.setHistory('loading');
    try {
      const page = await persist(() => room.pageOf(room.olderToken), { signal });
      signal.throwIfAborted();
      news.accept(page.messages.reverse(), false);
      room.olderToken = page.meta.nextToken;
    } finally {
      if (!signal.aborted) store.setHistory(room.olderToken ? 'more' : 'complete');
    }
  };
  return {
    loadOlder,
    async seek(since) {
      await getRoom()?.refresh();
      const isAfter = () => (store.state.rows[0]?.createdAt ?? '') > since;
      while (isAfter() && store.state.history === 'more') await loadOlder();
    },
  };
}
