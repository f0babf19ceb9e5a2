// Keeps the store equal to the server: reads lists and conversations, holds one stream for the tab, and closes the gaps after
// a cut. Every tab has a stream of its own.
import { batch } from '@preact/signals';
import { type Connection, connect } from '../../../../client/chat/stream.ts';
import { ApiError } from '../../../../client/core/errors.ts';
import type { InboxRow, TeamSignal, TeamSignals } from '../../../../protocol/inbox.ts';
import { parseSignal } from '../../../../protocol/signal.ts';
import { typeOf } from '../api/describe-error.ts';
import type { InboxApi } from '../api/inbox-api.ts';
import { markAsked } from '../state/known-rows.ts';
import type { ListView } from '../state/lists.ts';
import type { InboxStore } from '../state/store.ts';
import { createBotWatch } from './bot-watch.ts';
import { type Coalesce, createCoalescer } from './coalesce.ts';
import { createListReads, readRows } from './list-reads.ts';
import { repeatAfterErrors } from './repeat.ts';
import { createTimelines } from './timelines.ts';

export interface Sync {
  /** Reads the first page of a list, unless it is known: a later page that has failed is read by `loadMore`. */
  openList(view: ListView): Promise<void>;
  /** Reads the next page of a list, unless one is on its way. */
  loadMore(view: ListView): Promise<void>;
  /** Reads a conversation, and reads it again when something is written; undefined reads none. */
  openConversation(id: string | undefined): Promise<void>;
  /** Reads what was written last, and until when everything is known. */
  refreshTimeline(id: string): Promise<void>;
  loadOlder(id: string): Promise<void>;
  /** The member looks at conversations with the bot, or does not any more: only then the server sends their changes. */
  watchBots(isWatching: boolean): void;
  /** Reads what has changed since the last time. */
  catchUp(): Promise<void>;
  dispose(): void;
}

/** Milliseconds between two questions for changes while the stream is open. */
const checkMs = 10 * 60_000;
/** Milliseconds after which the page asks for changes when it is looked at again. */
const staleMs = 10_000;
/** Milliseconds between two requests because the member looks at the page. */
const lookMs = 2_000;

interface SyncListeners {
  /** The member may not read the inbox any more. */
  onForbidden(): void;
  /** Teams, members or canned answers have changed, or may have while the stream was closed. */
  onSettings?(changed: TeamSignals['inbox_settings']['changed']): void;
}

/** Starts to synchronize. Errors of single reads are in the state; none is thrown. */
export function createSync(
  api: InboxApi,
  store: InboxStore,
  { onForbidden, onSettings = () => {} }: SyncListeners,
): Sync {
  const { inbox, openStream, updateMe } = api;
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const options = { signal };
  let cursor: string | undefined;
  let caughtUpAt = 0;
  /** When changes were asked for last. */
  let askedAt = 0;
  let current: string | undefined;
  let isReopened = false;

  const handle = (error: unknown) => {
    if (typeOf(error) === 'Unauthorized') {
      store.signOut();
      lifetime.abort();
    }
  };
  const coalesce = createCoalescer(signal, handle);

  const { readPage, openList, loadMore } = createListReads({ api, store, coalesce, signal });
  const { readAbout, openAbout, refreshAbout, isOld } = createAbout({ api, store, coalesce, signal });
  const botWatch = createBotWatch({ api, store, coalesce, signal, readPage });
  const timelines = createTimelines({ api, store, coalesce, signal, current: () => current, readAbout });
  const { sendRead, refreshTimeline, loadOlder } = timelines;

  /** Only while the stream is not open, which tells them when it opens, and when they change: of two sources one would be old. */
  const readCounts = async () => {
    const isTold = () => connection.state === 'open';
    if (isTold()) return;
    const { counts } = await inbox.getInboxCounts({}, options);
    if (!isTold()) store.setCounts(counts);
  };

  /** Forgets what is known, and reads again what is shown. A list that fails has a button that reads it again. */
  const readAgain = async () => {
    const views = store.knownViews();
    store.reset(current);
    const pages = views.map((view) => readPage(view, undefined));
    // Its row need not be on one of the pages. Whether it exists is found out with its messages.
    await Promise.all([...pages, ...(current ? [readAbout(current)] : [])].map((read) => read.catch(handle)));
  };

  /**
   * Returns from when to ask for changes. What was read before the request is read again: it can have changed in between, if an
   * earlier request has failed.
   */
  const readCursor = async (): Promise<string> => {
    const isLate = cursor !== undefined || store.knownViews().length > 0;
    const { cursor: next } = await inbox.getInboxChanges({}, options);
    cursor = next;
    if (isLate) await readAgain();
    return next;
  };

  const readChanges = async () => {
    askedAt = Date.now();
    let since = cursor ?? (await readCursor());
    for (let isComplete = false; !isComplete; ) {
      try {
        const from = since;
        const changes = await readRows(store, () => inbox.getInboxChanges({ since: from }, options));
        store.receiveRows(changes.conversations);
        // A server before this list counts them as deleted only.
        const { hidden = [] } = changes;
        store.receiveDeleted(changes.deleted.filter((id) => !hidden.includes(id)));
        store.receiveHidden(hidden);
        ({ cursor: since, isComplete } = changes);
      } catch (error) {
        if (typeOf(error) !== 'TooOld') throw error;
        since = await readCursor();
        isComplete = true;
      }
      cursor = since;
    }
    await readCounts();
    // One request for changes runs at a time.
    caughtUpAt = askedAt;
    if (!current) return;
    if (isOld(current)) await readAbout(current);
    await refreshTimeline(current);
  };

  const repeatedChanges = repeatAfterErrors(readChanges, signal, () => catchUp());
  const catchUp = () => coalesce('changes', repeatedChanges);

  const refreshMe = repeatAfterErrors(updateMe, signal);

  /** The number up to which everything of an open conversation is known. */
  const seqOf = (id: string): number => store.conversations.peek().get(id)?.timeline.seq ?? 0;

  /** Something was written in the conversation that the number it was read up to does not cover. */
  const isWritten = (received: TeamSignal, id: string): boolean =>
    received.type === 'inbox_note'
      ? received.data.note.conversationId === id
      : rowsIn(received).some(({ conversationId, lastSeq }) => conversationId === id && lastSeq > seqOf(id));

  const followAbout = async (id: string) => {
    await refreshAbout(id);
    // It has failed, and is repeated with the changes.
    if (id === current && isOld(id)) await catchUp();
  };

  /** Why the server has refused the last attempt. */
  let refusal: string | undefined;
  const connection: Connection = connect({
    open: (_, attempt) =>
      openStream(attempt).catch((error: unknown) => {
        refusal = error instanceof ApiError ? error.message : undefined;
        throw error;
      }),
    onData(data) {
      // The same form as the signals of a conversation, with types of its own.
      const received = parseSignal(data) as TeamSignal | undefined;
      if (!received) return;
      store.receiveSignal(received);
      if (received.type === 'inbox_settings') onSettings(received.data.changed);
      if (!current) return;
      if (isOld(current)) void followAbout(current);
      // Nothing in the row of a bot tells whether its visitor has changed.
      else if (received.type === 'inbox_bot_rows' && hasRow(received, current)) void openAbout(current);
      if (isWritten(received, current)) void refreshTimeline(current);
      else if (received.type === 'inbox_row') sendRead(current, seqOf(current));
    },
    // The stream tells states and what happens from now on: what was before it is asked for.
    onOpen() {
      refusal = undefined;
      void catchUp();
      botWatch.catchUp();
      if (isReopened) {
        // The server ends the stream of a member who has got another role.
        refreshMe().catch(() => {});
        onSettings('team');
        onSettings('answers');
      }
      isReopened = true;
    },
    onState: (state) => store.setConnection(state, refusal),
    onError(error) {
      if (typeOf(error) === 'Forbidden') onForbidden();
      else handle(error);
    },
  });
  signal.addEventListener('abort', connection.close);
  // Before the first list, because it can take long until the stream opens.
  void coalesce('changes', async () => void (await readCursor()));

  const check = setInterval(() => void catchUp(), checkMs);
  const clock = setInterval(store.tick, 5_000);
  const onLook = () => {
    store.tick();
    botWatch.look();
    if (document.visibilityState !== 'visible') return;
    if (current) sendRead(current, seqOf(current));
    // A member who looks often does not repeat what fails each time.
    if (Date.now() - caughtUpAt > staleMs && Date.now() - askedAt > lookMs) void catchUp();
  };
  addEventListener('focus', onLook, options);
  addEventListener('pageshow', onLook, options);
  addEventListener('online', onLook, options);
  document.addEventListener('visibilitychange', onLook, options);

  return {
    openList,
    loadMore,
    watchBots: botWatch.follow,
    async openConversation(id) {
      if (id === current) return;
      current = id;
      if (!id) return;
      store.open(id);
      await Promise.all([openAbout(id), refreshTimeline(id)]);
      // Whether it mentions the member is in the row, which may have arrived last.
      sendRead(id, seqOf(id));
    },
    refreshTimeline,
    loadOlder,
    catchUp,
    dispose() {
      lifetime.abort();
      clearInterval(check);
      clearInterval(clock);
    },
  };
}

/** The rows of a signal. */
const rowsIn = ({ type, data }: TeamSignal): readonly InboxRow[] =>
  type === 'inbox_row' ? [data.row] : type === 'inbox_bot_rows' ? data.rows : [];

const hasRow = (received: TeamSignal, id: string): boolean =>
  rowsIn(received).some(({ conversationId }) => conversationId === id);

interface Dependencies {
  api: Pick<InboxApi, 'inbox'>;
  store: InboxStore;
  coalesce: Coalesce;
  /** Ends the requests. */
  signal: AbortSignal;
}

/**
 * Reads the details of a conversation besides its messages: the visitor with their data and address, and the handoffs. Errors of
 * `openAbout` and `refreshAbout` are passed to the coalescer.
 */
export function createAbout({ api: { inbox }, store, coalesce, signal }: Dependencies) {
  /** Rejects as the request does. */
  const readAbout = async (id: string): Promise<void> => {
    const response = await inbox.getInboxConversation({ id }, { signal });
    const { conversation, visitor, contact, preChatForm, handoffs } = response;
    // Together, so that nothing is drawn of two times.
    batch(() => {
      store.receiveRows(markAsked([conversation]));
      store.changeConversation(id, (before) => ({
        ...before,
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
