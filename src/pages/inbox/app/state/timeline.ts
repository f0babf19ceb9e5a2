// The timeline of one conversation: messages, notes, activities and ratings from any source, merged so that neither their order nor a
// repetition matters. Pure.
import type { Activity, Handoff } from '../../../../protocol/handling.ts';
import type { InboxTimeline, Note } from '../../../../protocol/inbox.ts';
import { isMessage, type Message } from '../../../../protocol/message.ts';
import type { Rating } from '../../../../protocol/types/handling.ts';
import type { User } from '../../../../protocol/user.ts';
import type { PreChatForm, TeamContact } from '../../../../protocol/visitors.ts';

export interface Timeline {
  readonly messages: ReadonlyMap<string, Message>;
  readonly notes: ReadonlyMap<string, Note>;
  readonly activities: ReadonlyMap<string, Activity>;
  /** By handoff. */
  readonly ratings: ReadonlyMap<string, Rating>;
  /** Deleted messages and notes. An older response must not add them again. */
  readonly deleted: ReadonlySet<string>;
  /** Replies of the member that no page has contained yet. */
  readonly own: ReadonlySet<string>;
  /** The time (ISO 8601) up to which the visitor has read; undefined if the bot does not tell that. */
  readonly visitorRead: string | undefined;
  /** The sequence number up to which the timeline is complete: the `seenSeq` of a reply. */
  readonly seq: number;
}

export const emptyTimeline: Timeline = {
  messages: new Map(),
  notes: new Map(),
  activities: new Map(),
  ratings: new Map(),
  visitorRead: undefined,
  deleted: new Set(),
  own: new Set(),
  seq: 0,
};

/** One conversation that was opened. */
export interface OpenConversation {
  status: 'loading' | 'ready' | 'failed' | 'missing';
  timeline: Timeline;
  /** The cursor of older messages; undefined at the beginning of the conversation. */
  olderToken?: string | undefined;
  isLoadingOlder?: boolean;
  visitor?: User;
  /** The e-mail address that the visitor has left. */
  contact?: TeamContact | undefined;
  /** The visitor's answers to the form before the conversation. */
  preChatForm?: PreChatForm | undefined;
  handoffs: readonly Handoff[];
  /** The revision of the row with which these were read. */
  aboutRevision?: number | undefined;
}

/** One of which nothing was read yet. */
export const opened: OpenConversation = { status: 'loading', timeline: emptyTimeline, handoffs: [] };

/** One entry of the transcript. */
export type TimelineItem =
  | { kind: 'message'; key: string; at: string; message: Message }
  | { kind: 'note'; key: string; at: string; note: Note }
  | { kind: 'activity'; key: string; at: string; activity: Activity }
  | { kind: 'rating'; key: string; at: string; rating: Rating };

const keyOfActivity = ({ seq, type, actor }: Activity): string => `${seq} ${type} ${actor.name ?? ''}`;

/** Adds the entries of a response or of a signal. If there are two versions of a note, the one that was edited last is kept. */
export function addToTimeline(timeline: Timeline, received: Partial<InboxTimeline>): Timeline {
  const messages = new Map(timeline.messages);
  const notes = new Map(timeline.notes);
  const activities = new Map(timeline.activities);
  const ratings = new Map(timeline.ratings);
  for (const message of received.messages ?? [])
    if (isMessage(message) && !timeline.deleted.has(message.id)) messages.set(message.id, message);
  for (const note of received.notes ?? []) {
    const existing = notes.get(note.id);
    if (timeline.deleted.has(note.id) || (existing && versionOf(existing) > versionOf(note))) continue;
    notes.set(note.id, note);
  }
  for (const activity of received.activities ?? []) activities.set(keyOfActivity(activity), activity);
  // Once given, it stays: an older answer does not know it.
  for (const rating of received.ratings ?? [])
    if (ratings.get(rating.handoffId)?.state !== 'given') ratings.set(rating.handoffId, rating);
  const read = received.visitorRead?.until ?? '';
  const visitorRead = read > (timeline.visitorRead ?? '') ? read : timeline.visitorRead;
  const seq = Math.max(timeline.seq, received.seq ?? 0);
  return { ...timeline, messages, notes, activities, ratings, visitorRead, seq };
}

const versionOf = ({ editedAt, createdAt }: Note): number => Date.parse(editedAt ?? createdAt);

/** Adds a reply that the server has just accepted. */
export const addReply = (timeline: Timeline, message: Message): Timeline => ({
  ...addToTimeline(timeline, { messages: [message] }),
  own: new Set(timeline.own).add(message.id),
});

/** Extent of a page of the newest messages. */
export interface NewestPage {
  /** No older messages exist. */
  isWhole: boolean;
}

/** Adds a page of the newest messages. A known message that belongs to the page and is missing in it was deleted. */
export function replaceNewest(
  timeline: Timeline,
  received: InboxTimeline,
  { isWhole }: NewestPage,
): Timeline {
  // This response is older than one that was already added.
  if (received.seq < timeline.seq) return addToTimeline(timeline, received);
  const ids = new Set([...received.messages, ...received.notes].map(({ id }) => id));
  const from = isWhole ? '' : (received.messages.at(-1)?.createdAt ?? '');
  const keeps = ({ id, createdAt }: Message | Note) =>
    ids.has(id) || createdAt < from || timeline.own.has(id);
  const remaining = {
    ...timeline,
    messages: new Map([...timeline.messages].filter(([, message]) => keeps(message))),
    notes: new Map([...timeline.notes].filter(([, note]) => keeps(note))),
    own: new Set([...timeline.own].filter((id) => !ids.has(id))),
  };
  return addToTimeline(remaining, received);
}

/** The id of the newest message of the team that the visitor has read. */
export function newestRead({ messages, visitorRead = '' }: Timeline): string | undefined {
  let newest: Message | undefined;
  for (const message of messages.values())
    if (
      message.author?.kind === 'person' &&
      message.createdAt <= visitorRead &&
      message.createdAt > (newest?.createdAt ?? '')
    )
      newest = message;
  return newest?.id;
}

/** The id of the newest note. */
export function newestNote({ notes }: Timeline): string | undefined {
  let newest: Note | undefined;
  for (const note of notes.values()) if (!newest || note.createdAt >= newest.createdAt) newest = note;
  return newest?.id;
}

/** Replaces a message that was changed, if it is shown: others that come before it may not be. */
export const replaceMessage = (timeline: Timeline, message: Message): Timeline =>
  timeline.messages.has(message.id) ? addToTimeline(timeline, { messages: [message] }) : timeline;

/** Removes a message or a note for good. */
export function removeFromTimeline(timeline: Timeline, id: string): Timeline {
  const messages = new Map(timeline.messages);
  const notes = new Map(timeline.notes);
  messages.delete(id);
  notes.delete(id);
  return { ...timeline, messages, notes, deleted: new Set(timeline.deleted).add(id) };
}

const rank = { activity: 0, message: 1, note: 2, rating: 3 } as const;

/** All entries in the order in which they happened. Messages that another one has replaced are left out. */
export function timelineItems({ messages, notes, activities, ratings }: Timeline): TimelineItem[] {
  const items: TimelineItem[] = [];
  for (const [key, message] of messages)
    if (!message.supersededBy) items.push({ kind: 'message', key, at: message.createdAt, message });
  for (const [key, note] of notes) items.push({ kind: 'note', key, at: note.createdAt, note });
  for (const [key, activity] of activities)
    items.push({ kind: 'activity', key, at: activity.createdAt, activity });
  for (const [key, rating] of ratings)
    if (rating.ratedAt) items.push({ kind: 'rating', key, at: rating.ratedAt, rating });
  return items.sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || rank[a.kind] - rank[b.kind] || (a.key < b.key ? -1 : 1),
  );
}
