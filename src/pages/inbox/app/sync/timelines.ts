// Reads what was said in conversations, the newest page first, and tells the server what the member has read.
import { typeOf } from '../api/describe-error.ts';
import type { InboxApi } from '../api/inbox-api.ts';
import type { InboxStore } from '../state/store.ts';
import type { Timeline } from '../state/timeline.ts';
import type { Coalesce } from './coalesce.ts';

/** Messages of a page. */
const pageSize = 50;

interface Dependencies {
  api: Pick<InboxApi, 'inbox' | 'me'>;
  store: InboxStore;
  coalesce: Coalesce;
  /** Ends the requests. */
  signal: AbortSignal;
  /** The conversation that is shown. */
  current(): string | undefined;
  /** Reads what is known of a conversation besides what was said. */
  readAbout(id: string): Promise<void>;
}

/** Creates what reads the conversations of a member. Errors are in the state or passed to the coalescer. */
export function createTimelines({ api, store, coalesce, signal, current, readAbout }: Dependencies) {
  const { inbox, me } = api;
  const { memberId } = me;
  const options = { signal };
  /** The number up to which the server knows what the member has read, by conversation. */
  const reported = new Map<string, number>();

  /**
   * Tells the server, while the member looks: of who answers, because the visitor is told if the bot wants that; and of who has not
   * seen a mention.
   */
  const sendRead = (id: string, seq: number) => {
    const row = store.rows.peek().get(id);
    const isNew = row?.assignee?.memberId === memberId && seq > (reported.get(id) ?? 0);
    const isShown = id === current() && store.conversations.peek().get(id)?.status === 'ready';
    const isLooking = isShown && document.visibilityState === 'visible';
    if (!isLooking || !(isNew || row?.unseenMentions?.includes(memberId))) return;
    // Of who does not answer, nothing but the mention is recorded.
    if (isNew) reported.set(id, seq);
    inbox.setInboxRead({ id, seq }, options).catch(() => reported.delete(id));
  };

  /** Reads what was written last, and until when everything is known. */
  const refreshTimeline = (id: string) =>
    coalesce(`timeline ${id}`, async () => {
      const before = store.conversations.peek().get(id);
      try {
        const { meta, ...received } = await inbox.getInboxTimeline({ id, pageSize }, options);
        const isFirst = before?.status !== 'ready';
        const isGap =
          !isFirst && meta.nextToken && !received.messages.some(({ id }) => isRead(before.timeline, id));
        store.receiveTimeline(id, received, { isWhole: meta.nextToken === undefined });
        sendRead(id, received.seq);
        // Of a long absence: what is between is read on scrolling up, and what is known is merged again.
        if (isFirst || isGap) store.changeConversation(id, (now) => ({ ...now, olderToken: meta.nextToken }));
      } catch (error) {
        const isMissing = typeOf(error) === 'ResourceNotFound' || typeOf(error) === 'Forbidden';
        if (isMissing) store.removeConversation(id);
        else if (store.conversations.peek().get(id)?.status !== 'ready')
          store.changeConversation(id, (now) => ({ ...now, status: 'failed' }));
        throw error;
      }
      // The member may see it again: nothing of it was kept.
      if (!before || before.status === 'missing') await readAbout(id);
    });

  const loadOlder = (id: string) =>
    coalesce(`older ${id}`, async () => {
      const nextToken = store.conversations.peek().get(id)?.olderToken;
      if (!nextToken) return;
      store.changeConversation(id, (before) => ({ ...before, isLoadingOlder: true }));
      try {
        const { meta, ...received } = await inbox.getInboxTimeline({ id, nextToken, pageSize }, options);
        store.receiveTimeline(id, received);
        // Unless the newest page was read again meanwhile, with a gap before it: the gap is next.
        store.changeConversation(id, (before) =>
          before.olderToken === nextToken ? { ...before, olderToken: meta.nextToken } : before,
        );
      } finally {
        store.changeConversation(id, (before) => ({ ...before, isLoadingOlder: false }));
      }
    });

  return { sendRead, refreshTimeline, loadOlder };
}

/** Whether a page has contained the message. An own reply is known before, without what is between. */
const isRead = ({ messages, own }: Timeline, id: string): boolean => messages.has(id) && !own.has(id);
