// The state of the inbox page in signals. It is synchronous, and only its named actions change it.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ConnectionState } from '../../../../client/chat/stream.ts';
import type {
  InboxCounts,
  InboxList,
  InboxRow,
  InboxTimeline,
  Note,
  TeamSignal,
  TeamSignals,
} from '../../../../protocol/inbox.ts';
import type { Message } from '../../../../protocol/message.ts';
import type { VisitorPage } from '../../../../protocol/types/visitors.ts';
import type { Me } from '../api/inbox-api.ts';
import { createKnownRows, markAsked } from './known-rows.ts';
import { compareIn, isInView, isWhole, type ListProgress, type ListView, viewKey } from './lists.ts';
import {
  addReply,
  addToTimeline,
  emptyTimeline,
  type NewestPage,
  type OpenConversation,
  opened,
  removeFromTimeline,
  replaceMessage,
  replaceNewest,
  type Timeline,
} from './timeline.ts';

export type ColleagueInConversation = TeamSignals['inbox_presence']['members'][number];

export type InboxStore = ReturnType<typeof createStore>;

/** Creates the state of one member. `now`: milliseconds since 1970. */
export function createStore({ memberId }: Pick<Me, 'memberId'>, now: () => number = Date.now) {
  const knownRows = createKnownRows();
  const { rows, hidden } = knownRows;
  const counts = signal<InboxCounts | undefined>(undefined);
  /** By `viewKey`. */
  const progress = signal<ReadonlyMap<string, ListProgress & { view: ListView }>>(new Map());
  const conversations = signal<ReadonlyMap<string, OpenConversation>>(new Map());
  const presence = signal<ReadonlyMap<string, readonly ColleagueInConversation[]>>(new Map());
  /** Until when each visitor counts as typing. */
  const typing = signal<ReadonlyMap<string, number>>(new Map());
  /** The page on which each visitor was last, of conversations that were open; until when they count as connected. */
  const pages = signal<ReadonlyMap<string, VisitorPage & { until: number }>>(new Map());
  const mention = signal<Note | undefined>(undefined);
  const resets = signal(0);
  const connection = signal<{ state: ConnectionState; refusal?: string | undefined } | undefined>(undefined);
  const isSignedOut = signal(false);
  /** The time, renewed by `tick`, for "4 min". */
  const clock = signal(now());
  const lists = new Map<string, ReadonlySignal<readonly InboxRow[]>>();

  const progressOf = (view: ListView): ListProgress =>
    progress.value.get(viewKey(view)) ?? { status: 'unknown' };

  const listOf = (view: ListView): readonly InboxRow[] => {
    const key = viewKey(view);
    let list = lists.get(key);
    if (!list) {
      list = computed(() => {
        const { until, nextToken } = progressOf(view);
        const isShown = (row: InboxRow) =>
          isInView(view, row, memberId) && (!nextToken || !until || compareIn(view, row, until) <= 0);
        return [...rows.value.values()].filter(isShown).sort((a, b) => compareIn(view, a, b));
      });
      lists.set(key, list);
    }
    return list.value;
  };

  /** Nothing of what was said in them is kept. */
  const closeAll = (ids: readonly string[]) => {
    const open = new Map(conversations.peek());
    for (const id of ids) open.delete(id);
    pages.value = new Map([...pages.peek()].filter(([id]) => !ids.includes(id)));
    if (open.size < conversations.peek().size) conversations.value = open;
  };

  const receiveDeleted = (ids: readonly string[]) => {
    knownRows.removeDeleted(ids);
    closeAll(ids);
  };

  const receiveHidden = (ids: readonly string[]) => {
    knownRows.hideFromReads(ids);
    // The others were never shown.
    knownRows.hide(ids.filter((id) => rows.peek().has(id) || conversations.peek().has(id)));
    closeAll(ids);
  };

  const setProgress = (view: ListView, next: ListProgress) => {
    progress.value = new Map(progress.peek()).set(viewKey(view), { ...next, view });
  };

  const change = (id: string, to: (before: OpenConversation) => OpenConversation) => {
    // An answer that was on its way.
    if (knownRows.isGone(id)) return;
    const before = conversations.peek().get(id) ?? opened;
    conversations.value = new Map(conversations.peek()).set(id, to(before));
  };

  /** Signals are only for conversations that were opened: the others are read when they are opened. */
  const changeTimeline = (id: string, to: (timeline: Timeline) => Timeline) => {
    if (conversations.peek().has(id))
      change(id, (conversation) => ({ ...conversation, timeline: to(conversation.timeline) }));
  };

  const setTyping = (id: string, until: number) => {
    const others = [...typing.peek()].filter(([other, end]) => other !== id && end > now());
    typing.value = new Map(until > now() ? [...others, [id, until]] : others);
  };

  const setPage = ({ conversationId, timeout, page }: TeamSignals['inbox_page']) => {
    const next = new Map(pages.peek());
    if (page) next.set(conversationId, { ...page, until: now() + timeout });
    else next.delete(conversationId);
    pages.value = next;
  };

  const removeEntry = (id: string, entryId: string) =>
    changeTimeline(id, (timeline) => removeFromTimeline(timeline, entryId));

  const receiveSignal = (received: TeamSignal) => {
    switch (received.type) {
      case 'inbox_row': {
        const { row } = received.data;
        const { conversationId: id, lastAuthor, lastSeq } = row;
        if (lastAuthor === 'visitor' && lastSeq > (rows.peek().get(id)?.lastSeq ?? 0)) setTyping(id, 0);
        return knownRows.receive([row]);
      }
      case 'inbox_bot_rows':
        for (const { conversationId: id, lastAuthor, lastSeq } of received.data.rows) {
          const later = lastSeq - (rows.peek().get(id)?.lastSeq ?? 0);
          // The bot may have answered already: its answer is the second entry.
          if (later > 1 || (later === 1 && lastAuthor === 'visitor')) setTyping(id, 0);
        }
        // Nobody is alerted to them.
        return knownRows.receive(markAsked(received.data.rows), true);
      case 'inbox_typing':
        return setTyping(received.data.conversationId, now() + received.data.timeout);
      case 'inbox_page':
        return setPage(received.data);
      case 'inbox_deleted': {
        const { conversationId, isHidden } = received.data;
        return (isHidden ? receiveHidden : receiveDeleted)([conversationId]);
      }
      case 'inbox_counts':
        counts.value = received.data;
        return;
      case 'inbox_note': {
        const { note } = received.data;
        const isByMember = note.author.memberId === memberId;
        if (note.mentions?.includes(memberId) && !isByMember) mention.value = note;
        return changeTimeline(note.conversationId, (timeline) => addToTimeline(timeline, { notes: [note] }));
      }
      case 'inbox_read':
        return changeTimeline(received.data.conversationId, (timeline) =>
          addToTimeline(timeline, { visitorRead: received.data }),
        );
      case 'inbox_message': {
        const { message } = received.data;
        return changeTimeline(message.conversationId, (timeline) => replaceMessage(timeline, message));
      }
      case 'inbox_message_deleted':
        return removeEntry(received.data.conversationId, received.data.messageId);
      case 'inbox_note_deleted':
        return removeEntry(received.data.conversationId, received.data.noteId);
      case 'inbox_presence': {
        const { conversationId, members } = received.data;
        // Not the member in another tab.
        const others = members.filter((member) => member.memberId !== memberId);
        presence.value = new Map(presence.peek()).set(conversationId, others);
        return;
      }
    }
  };

  return {
    rows,
    hidden,
    isDeleted: knownRows.isDeleted,
    counts: counts as ReadonlySignal<InboxCounts | undefined>,
    conversations: conversations as ReadonlySignal<ReadonlyMap<string, OpenConversation>>,
    presence: presence as ReadonlySignal<ReadonlyMap<string, readonly ColleagueInConversation[]>>,
    /** Whether the visitor types now; at most five seconds (`tick`) longer. Reading it while rendering subscribes. */
    isTyping: (id: string): boolean => (typing.value.get(id) ?? 0) > clock.value,
    /** The page on which the visitor is, or was last. Reading it while rendering subscribes. */
    pageOf(id: string): (VisitorPage & { isOnline: boolean }) | undefined {
      const known = pages.value.get(id);
      if (!known) return undefined;
      const { until, ...page } = known;
      return { ...page, isOnline: until > clock.value };
    },
    /** The last note of a colleague that mentions the member, while the stream is open. */
    mention: mention as ReadonlySignal<Note | undefined>,
    /** Undefined before the first attempt. */
    connection: connection as ReadonlySignal<typeof connection.value>,
    /** How often everything was forgotten. */
    resets: resets as ReadonlySignal<number>,
    isSignedOut: isSignedOut as ReadonlySignal<boolean>,
    clock: clock as ReadonlySignal<number>,
    progressOf,
    /** The rows of a list that are known without a gap, newest first. Reading it while rendering subscribes. */
    listOf,

    beginRead: knownRows.beginRead,
    receiveRows: (found: readonly InboxRow[]) => knownRows.receive(found),
    receiveDeleted,
    receiveHidden,
    receiveSignal,
    setCounts(next: InboxCounts) {
      counts.value = next;
    },
    setProgress,
    /** A page of a list. The first page begins the list again. */
    receivePage(view: ListView, found: readonly InboxRow[], nextToken: string | undefined) {
      knownRows.receive(markAsked(found));
      // A page of the list `bot` can be empty: then the rows up to the last one are known, as before.
      const until = found.at(-1) ?? progressOf(view).until;
      setProgress(view, { status: 'ready', until, nextToken });
    },
    /** The rows of conversations with the bot, except for those that are open. */
    botRows: (): InboxRow[] =>
      [...rows.peek().values()].filter(
        ({ state, conversationId }) => state === 'bot' && !conversations.peek().has(conversationId),
      ),
    /** Removes these rows, if they have not changed: a list that was read again does not have them any more. */
    removeRows(old: readonly InboxRow[]) {
      const unchanged = old.filter((row) => rows.peek().get(row.conversationId) === row);
      knownRows.remove(unchanged.map(({ conversationId }) => conversationId));
    },
    /** The pages of this list are read again when it is opened. */
    forgetList(list: InboxList) {
      progress.value = new Map([...progress.peek()].filter(([, { view }]) => view.list !== list));
    },
    /** The lists that were loaded, at least in part. */
    knownViews: (): ListView[] => [...progress.peek().values()].map(({ view }) => view),
    /** Forgets narrowed lists other than this one: each word of a search makes another one. */
    forgetOthers(current: ListView) {
      const currentKey = viewKey(current);
      const isKept = (key: string, { view }: { view: ListView }) =>
        key === currentKey || isWhole(view.filter);
      progress.value = new Map([...progress.peek()].filter(([key, one]) => isKept(key, one)));
      for (const key of lists.keys()) if (!progress.peek().has(key)) lists.delete(key);
    },
    /**
     * Forgets what is known, after the changes since then were not kept, or because the member sees other conversations now.
     * `current`: the conversation that is read again at once; the others are when they are opened.
     */
    reset(current: string | undefined) {
      knownRows.reset();
      progress.value = new Map();
      presence.value = new Map();
      const conversation = current === undefined ? undefined : conversations.peek().get(current);
      conversations.value = new Map(current !== undefined && conversation ? [[current, conversation]] : []);
      resets.value += 1;
    },
    /** The member may not see the conversation, or it does not exist: nothing of it is kept. */
    removeConversation(id: string) {
      change(id, () => ({ status: 'missing', timeline: emptyTimeline, handoffs: [] }));
      knownRows.hide([id]);
    },
    /** The member opens a conversation. The server is asked again for one that was hidden. */
    open(id: string) {
      knownRows.unhide([id]);
      change(id, (conversation) => conversation);
    },
    changeConversation: change,
    /** A page of messages, with the notes and activities between them. `page`: of the newest messages. */
    receiveTimeline(id: string, received: InboxTimeline, page?: NewestPage) {
      change(id, (before) => ({
        ...before,
        status: 'ready',
        timeline: page
          ? replaceNewest(before.timeline, received, page)
          : addToTimeline(before.timeline, received),
      }));
    },
    /** A reply that the server has accepted. */
    addReply: (message: Message) =>
      changeTimeline(message.conversationId, (timeline) => addReply(timeline, message)),
    removeEntry,
    /** `refusal`: why the server has refused the last attempt, in its words. */
    setConnection(state: ConnectionState, refusal?: string) {
      connection.value = { state, refusal };
    },
    signOut() {
      isSignedOut.value = true;
    },
    tick() {
      clock.value = now();
    },
  };
}
