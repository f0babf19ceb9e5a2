// What the team sees of the conversations that people handle: rows of the inbox, notes, and the signals of its stream. Types only.

import type { Message } from '../message.ts';
import type { InboxCounts, InboxRow, Note } from '../types/inbox.ts';
import type { ReadMark } from './handling.ts';

export type {
  Assignee,
  CannedAnswer,
  InboxCounts,
  InboxRow,
  InboxTimeline,
  Note,
  NoteFile,
} from '../types/inbox.ts';

/**
 * The lists of the inbox. `unassigned`: nobody answers yet; `waiting`: the visitor waits for an answer; `mentioned`: open, with a note that
 * mentions the member; `all`: all that are open.
 */
export const inboxLists = ['mine', 'unassigned', 'waiting', 'mentioned', 'all', 'closed', 'snoozed'] as const;
export type InboxList = (typeof inboxLists)[number];

/** Who can use a canned answer: the member who wrote it, or all members of the workspace. */
export const cannedAnswerScopes = ['own', 'workspace'] as const;
export type CannedAnswerScope = (typeof cannedAnswerScopes)[number];

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
