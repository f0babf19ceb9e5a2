// The inbox of the team: lists, filters, teams, reports and the signals of its stream. Server and page use the same filters.
import type { ReadMark } from './handling.ts';
import { handoffLimits } from './limits.ts';
import { partsOf } from './locale/word-splitting.ts';
import type { Message } from './message.ts';
import type { InboxCounts, InboxRow, Note } from './types/inbox.ts';
import type { VisitorPage } from './types/visitors.ts';

export type {
  Assignee,
  CannedAnswer,
  FoundConversation,
  InboxCounts,
  InboxMatch,
  InboxMember,
  InboxRow,
  InboxTimeline,
  InboxVisitor,
  Note,
  NoteFile,
  Team,
} from './types/inbox.ts';
export type * from './types/reports.ts';

/**
 * How conversations of a team are assigned: by its members themselves, in turn, or to the member with the fewest (in turn among
 * those).
 */
export const teamModes = ['manual', 'round_robin', 'least_busy'] as const;
export type TeamMode = (typeof teamModes)[number];

/** Whether a member takes conversations that are assigned automatically. */
export const availabilities = ['available', 'away'] as const;
export type Availability = (typeof availabilities)[number];

/** Days of the longest period. */
export const maxReportDays = 366;

/** Questions in a report, and the number of conversations from which on a question is one of them. */
export const reportQuestions = { most: 50, from: 3 } as const;

/** The tables of a report that are exported. */
export const reportTables = ['figures', 'days', 'members', 'questions'] as const;
export type ReportTable = (typeof reportTables)[number];

/**
 * The lists of the inbox. `unassigned`: nobody answers yet; `waiting`: the visitor waits for an answer; `mentioned`: open, with a note that
 * mentions the member; `all`: all that are open; `bot`: those that the bot answers, with a message of a visitor.
 */
export const inboxLists = [
  'mine',
  'unassigned',
  'waiting',
  'mentioned',
  'all',
  'closed',
  'snoozed',
  'bot',
] as const;
export type InboxList = (typeof inboxLists)[number];

/** The lists of conversations that people handle or have handled. They have a count; the list `bot` counts as work of nobody. */
export type HandledList = Exclude<InboxList, 'bot'>;
export const isHandledList = (list: InboxList): list is HandledList => list !== 'bot';

/** Scopes of a canned answer: the member who wrote it, or all members of the workspace. */
export const cannedAnswerScopes = ['own', 'workspace'] as const;
export type CannedAnswerScope = (typeof cannedAnswerScopes)[number];

/** Activity of a member in a conversation at the moment. */
export const presenceStates = ['viewing', 'replying', 'noting', 'gone'] as const;
export type PresenceState = (typeof presenceStates)[number];

/** The signals of the stream of the inbox. They are not signals of a conversation: no stream of a visitor takes them. */
export interface TeamSignals {
  inbox_row: { row: InboxRow };
  /** Conversations of the list `bot` that have changed, or whose visitor has. Only for members who watch it (`watchBotList`), once a second at most. */
  inbox_bot_rows: { rows: InboxRow[] };
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
  /**
   * The visitor types, for `timeout` milliseconds unless it is told again; 0: they have stopped. It is not stored. While the
   * bot answers, only for members who watch it (`watchBotList`).
   */
  inbox_typing: { conversationId: string; timeout: number };
  /**
   * The page on which the visitor is, who is connected, for `timeout` milliseconds unless it is told again. Without a page, it is
   * shared no more. Only for members who are in the conversation.
   */
  inbox_page: { conversationId: string; timeout: number; page?: VisitorPage };
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

/** The orders of a list: by `waitingSince` in `waiting`, by `sortAt` in all others. */
export const inboxSorts = ['newest', 'oldest'] as const;
export type InboxSort = (typeof inboxSorts)[number];

/** Filter of a list; a field that is left out keeps all. */
export interface InboxFilter {
  /** Words that all begin a word of the visitor's name, of the tags, of the last message or of the reason of the handoff. */
  q?: string;
  /** The id of a bot. */
  bot?: string;
  /** The id of the member who answers. */
  assignee?: string;
  tag?: string;
  /** The id of a team. */
  team?: string;
  /** Only in the list `bot`: how the visitor has rated last. */
  rating?: RowRating;
  /** Only in the list `bot`: `none` keeps conversations for whose last question the knowledge of the bot has no passage. */
  answer?: 'none';
}

export const rowRatings = ['good', 'bad'] as const;
export type RowRating = (typeof rowRatings)[number];

/** The texts of a row that are searched. */
export interface SearchedTexts {
  name: string | undefined;
  tags: readonly string[];
  preview: string;
  reason: string | undefined;
}

/** Returns the words by which a row is found, each once; of a script without spaces each character. */
export function searchedWords({ name = '', tags, preview, reason = '' }: SearchedTexts): string[] {
  const words = new Set<string>();
  for (const text of [name, ...tags, preview, reason])
    for (const word of comparedParts(text)) words.add(word);
  return [...words].slice(0, handoffLimits.searchedWords);
}

/** Returns the words that a row must have the beginnings of; undefined without `q`. Without a word in `q`, no row matches. */
export function searchTerms(q: string | undefined): string[] | undefined {
  if (q === undefined || q.trim() === '') return undefined;
  return [...new Set(comparedParts(q))].slice(0, handoffLimits.searchTerms);
}

/** Whether a row is kept. */
export function matchesFilter(
  row: InboxRow,
  { q, bot, assignee, tag, team, rating, answer }: InboxFilter,
): boolean {
  if (bot !== undefined && row.botId !== bot) return false;
  if (assignee !== undefined && row.assignee?.memberId !== assignee) return false;
  if (tag !== undefined && !row.tags.includes(tag)) return false;
  if (team !== undefined && row.teamId !== team) return false;
  if (rating !== undefined && row.rating !== rating) return false;
  if (answer !== undefined && !row.isUnanswered) return false;
  const terms = searchTerms(q);
  if (!terms) return true;
  const { tags, preview } = row;
  const words = searchedWords({ name: row.visitor.name, tags, preview, reason: row.handoff?.reason });
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)));
}

/** The parts of a text that are compared. */
const comparedParts = (text: string): string[] =>
  partsOf(text).map((part) => [...part].slice(0, handoffLimits.searchedWord).join(''));
