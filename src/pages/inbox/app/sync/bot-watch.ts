// Keeps the list of the conversations with the bot current while it is shown: the server sends its changes only to members who watch
// it, and tells them nothing about the time before.
import type { InboxApi } from '../api/inbox-api.ts';
import { viewKey } from '../state/lists.ts';
import { heartbeatMs } from '../state/presence.ts';
import type { InboxStore } from '../state/store.ts';
import type { Coalesce } from './coalesce.ts';
import type { createListReads } from './list-reads.ts';

/** Milliseconds after a heartbeat from which on the server may have forgotten. */
const forgottenMs = 35_000;

export interface BotWatch {
  /** The member looks at a conversation with the bot, or at their list; or does not any more. */
  follow(isWatching: boolean): void;
  /** Changes may have been lost: reads the list again if it is shown. */
  catchUp(): void;
  /** The member looks at the page again. */
  look(): void;
}

interface Dependencies extends Pick<ReturnType<typeof createListReads>, 'readPage'> {
  api: Pick<InboxApi, 'inbox'>;
  store: InboxStore;
  coalesce: Coalesce;
  /** Ends the heartbeats. */
  signal: AbortSignal;
}

export function createBotWatch({
  api: { inbox },
  store,
  coalesce,
  signal,
  readPage,
}: Dependencies): BotWatch {
  let isWatching = false;
  /** When the server was told last, since the member watches. */
  let toldAt: number | undefined;
  let heartbeat: ReturnType<typeof setInterval> | undefined;

  const readAgain = () => {
    for (const view of store.knownViews())
      if (view.list === 'bot') void coalesce(`list ${viewKey(view)}`, () => readPage(view, undefined));
  };

  const tell = () => {
    if (!isWatching || document.visibilityState !== 'visible') return;
    inbox.watchBotList({ list: 'bot' }, { signal, retry: 0 }).then(
      () => {
        const isLate = toldAt !== undefined && Date.now() - toldAt > forgottenMs;
        toldAt = Date.now();
        if (isLate) readAgain();
      },
      // The next heartbeat is another attempt.
      () => {
        toldAt ??= Number.NEGATIVE_INFINITY;
      },
    );
  };

  const end = () => clearInterval(heartbeat);
  signal.addEventListener('abort', end);

  return {
    follow(next) {
      if (next === isWatching) return;
      isWatching = next;
      toldAt = undefined;
      end();
      if (!next) return;
      // The known rows are from the time before.
      store.forgetList('bot');
      tell();
      heartbeat = setInterval(tell, heartbeatMs);
    },
    catchUp() {
      if (!isWatching) return;
      tell();
      readAgain();
    },
    look() {
      if (toldAt !== undefined && Date.now() - toldAt > heartbeatMs) tell();
    },
  };
}
