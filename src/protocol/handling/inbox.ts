// What the team sees of the conversations that people handle: rows of the inbox, notes, and the signals of its stream. Types only.
import type { Message } from '../message.ts';
import type { Activity, AuthorKind, HandlingState, Handoff, Person, ReadMark } from './handling.ts';
import type { Rating } from './rating.ts';

/**
 * The lists of the inbox. `unassigned`: nobody answers yet; `waiting`: the visitor waits for an answer; `mentioned`: open, with a note that
 * mentions the member; `all`: all that are open.
 */
export const inboxLists = ['mine', 'unassigned', 'waiting', 'mentioned', 'all', 'closed', 'snoozed'] as const;
export type InboxList = (typeof inboxLists)[number];

/** Who answers. Without `memberId` it is a person at another desk. */
export interface Assignee extends Person {
  memberId?: string;
}

/** A conversation in the inbox. It is a state and not a change: of two rows, the one with the higher revision counts. */
export interface InboxRow {
  /** The id of the server. */
  conversationId: string;
  botId: string;
  /** Rises with each change of the state, the assignee or the tags. */
  revision: number;
  state: HandlingState;
  /** The team whose queue or members it is for. */
  teamId?: string;
  assignee?: Assignee;
  visitor: { id: string; name?: string };
  /** The handoff that is open, or the last one. */
  handoff: Handoff;
  /** Since when a message of the visitor, or their request for a person, has no answer of a person. */
  waitingSince?: string;
  /** Until when it is snoozed; left out if it is snoozed until the visitor writes. */
  snoozedUntil?: string;
  /** The order of the lists, newest first. */
  sortAt: string;
  /** The sequence number of the last change of the conversation. */
  lastSeq: number;
  /** The beginning of the last message as plain text. */
  preview: string;
  lastAuthor: AuthorKind;
  tags: string[];
  /** The ids of the members whom its notes mention; left out if there are none. */
  mentions?: string[];
  /** Those of them who have not seen all of these notes; left out if there are none. */
  unseenMentions?: string[];
}

/** How many conversations each list has, up to `limits.inbox.count`; `mentioned`: those with a mention that the member has not seen. */
export type InboxCounts = Record<InboxList, number>;

/** A file of a note. It has no address: `getNoteFile` returns one that is valid for a few minutes. */
export interface NoteFile {
  id: string;
  /** Its name. */
  key: string;
  /** Bytes. */
  size: number;
  contentType: string;
}

/** A text for the team. It is not a message: it does not have a payload, and no visitor or bot can read it. */
export interface Note {
  id: string;
  conversationId: string;
  /** The sequence number after which it stands. */
  afterSeq: number;
  /** Who wrote it. Without `memberId` it is the bot, or a member who was removed. */
  author: { memberId?: string; name: string };
  /** Empty if the note has only files. */
  body: string;
  /** The ids of the members whom it mentions; left out if there are none. */
  mentions?: string[];
  /** Left out if there are none. */
  files?: NoteFile[];
  createdAt: string;
  editedAt?: string;
}

/** Who can use a canned answer: the member who wrote it, or all members of the workspace. */
export const cannedAnswerScopes = ['own', 'workspace'] as const;
export type CannedAnswerScope = (typeof cannedAnswerScopes)[number];

/** A text that members insert into their replies. Its variables are filled in by the page (pages/inbox). */
export interface CannedAnswer {
  id: string;
  scope: CannedAnswerScope;
  name: string;
  text: string;
  createdAt: string;
  updatedAt: string;
}

/** What was said in a conversation, in three lists: the page merges them by sequence number and time. */
export interface InboxTimeline {
  /** Newest first. */
  messages: Message[];
  notes: Note[];
  activities: Activity[];
  /** What the visitor thinks of the persons who answered, newest first: all of the conversation, on each page. */
  ratings: Rating[];
  /** What the visitor has read; only where the bot has `readReceipts`. */
  visitorRead?: ReadMark;
  /** The sequence number of the last change: the `seenSeq` of a reply. */
  seq: number;
}

/** What a member does in a conversation at the moment. */
export const presenceStates = ['viewing', 'replying', 'noting', 'gone'] as const;
export type PresenceState = (typeof presenceStates)[number];

/** The signals of the stream of the inbox. They are not signals of a conversation: no stream of a visitor takes them. */
export interface TeamSignals {
  inbox_row: { row: InboxRow };
  /**
   * The conversation was deleted; with `isHidden`, the member may not see it any more. That can change: then its row comes
   * again.
   */
  inbox_deleted: { conversationId: string; isHidden?: true };
  /** The content of a message was replaced. Pages that do not show it leave it out: there may be others before it. */
  inbox_message: { message: Message };
  /** The author, or the bot, has deleted a message. */
  inbox_message_deleted: { conversationId: string; messageId: string };
  inbox_note: { note: Note };
  /** The visitor has read more; only where the bot has `readReceipts`. */
  inbox_read: ReadMark & { conversationId: string };
  /** The visitor types, for `timeout` milliseconds unless it is told again; 0: they have stopped. It is not stored. */
  inbox_typing: { conversationId: string; timeout: number };
  inbox_note_deleted: { conversationId: string; noteId: string };
  /** Others are read again: the teams and members of the workspace, and the member themself; or the canned answers. */
  inbox_settings: { changed: 'team' | 'answers' };
  /** For this member, once a second at most. */
  inbox_counts: InboxCounts;
  /** All other members who are in the conversation. */
  inbox_presence: {
    conversationId: string;
    members: { memberId: string; name: string; pictureUrl?: string; state: Exclude<PresenceState, 'gone'> }[];
  };
}

export type TeamSignalType = keyof TeamSignals;
export type TeamSignal = { [T in TeamSignalType]: { type: T; data: TeamSignals[T] } }[TeamSignalType];
