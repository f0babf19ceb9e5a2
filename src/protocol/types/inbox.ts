// Generated from src/protocol/schemas/inbox.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Activity, Handoff, Person, Rating, ReadMark } from './handling.ts';
import type { Message } from './chat.ts';

/** Why the last request to the chat tool failed. */
export interface AlertProblem {
  at: string;
  /** `status`, `timeout`, `address_refused`, `address_invalid`, or the code of a failed connection, such as `ENOTFOUND`. */
  reason: string;
  /** The status of its response, if there was one. */
  status?: number;
}

/** How the caller is told that visitors wait while nobody has the inbox open. */
export interface OwnAlerts {
  mail: {
    /** The server sends mails. */
    isOffered: boolean;
    isOn: boolean;
  };
  push: {
    /** The server sends pushes. */
    isOffered: boolean;
    /** The key that browsers need for a subscription (`applicationServerKey`). */
    publicKey?: string;
    /** The browser of this session, or of this token, gets them. */
    isOn: boolean;
  };
}

/** How a chat tool of the team is told. */
export interface TeamAlerts {
  /** The address that messages are sent to. It is a secret of the chat tool. */
  url?: string;
  problem?: AlertProblem;
}

export interface Team {
  id: string;
  name: string;
  mode: 'manual' | 'round_robin' | 'least_busy';
  /** The conversations that a member is assigned at most, unless the member has a number of their own. */
  capacity: number;
  /** Only its members, and members with `inbox.assign`, see its conversations. */
  isRestricted: boolean;
  /** Requests that name no team are for this one. */
  isDefault: boolean;
  memberIds: string[];
}

export interface InboxMember {
  memberId: string;
  name: string;
  availability: 'available' | 'away';
  /** Why the server has made them away: they have not answered a conversation that they were assigned. */
  awayCause?: 'no_answer';
  /** Their inbox is open somewhere. Only who is available and reachable is assigned conversations. */
  isReachable: boolean;
  /** The conversations that they are assigned at most; left out: as their teams say. */
  capacity?: number;
  /** The conversations that they answer now, without snoozed ones. */
  load: number;
}

/**
 * From and to on the clock, such as `["09:00", "17:30"]`. An end at or before the start is on the next day; `24:00` is
 * the end of the day.
 */
export type Hours = [string, string];

/** Days with hours of their own, both inclusive (`2026-12-24`). Without intervals they are closed. */
export interface HoursException {
  from: string;
  to: string;
  name?: string;
  intervals: Hours[];
}

export interface OpeningHours {
  /** The name of a time zone, such as `Europe/Berlin`. */
  timeZone: string;
  /** Somebody answers at any time: the hours do not count. */
  always?: boolean;
  /** A day that is left out is closed. */
  week: { sun?: Hours[]; mon?: Hours[]; tue?: Hours[]; wed?: Hours[]; thu?: Hours[]; fri?: Hours[]; sat?: Hours[] };
  /** Of several that contain a day, the first one counts. */
  exceptions: HoursException[];
}

/** The person who answers. Without `memberId` it is one at another desk. */
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
  state: 'bot' | 'waiting' | 'assigned' | 'snoozed' | 'closed';
  /** The team whose queue or members it is for. */
  teamId?: string;
  assignee?: Assignee;
  visitor: { id: string; name?: string };
  /** The handoff that is open, or the last one; left out if there was none, which only rows of the list `bot` can be. */
  handoff?: Handoff;
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
  lastAuthor: 'visitor' | 'bot' | 'person';
  /**
   * The last message that the bot did not write; left out if that is `preview` of the visitor, if there is none, and while
   * the bot answers.
   */
  humanMessage?: {
    /** The beginning as plain text. */
    preview: string;
    author: 'visitor' | 'person';
    /** The name of the person; left out of members without a name. */
    name?: string;
  };
  tags: string[];
  /**
   * How the visitor has rated last: an answer of the bot, among the last 50 messages, by the time of the message, or a
   * person, with at least 4 (`good`) or at most 2 (`bad`) of 5. Only in rows of the list `bot`.
   */
  rating?: 'good' | 'bad';
  /** The knowledge of the bot has no passage for the last message of the visitor. Only in rows of the list `bot`. */
  isUnanswered?: true;
  /** The ids of the members whom its notes mention; left out if there are none. */
  mentions?: string[];
  /** The mentioned members who have not seen all of these notes; left out if there are none. */
  unseenMentions?: string[];
}

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
  /** The author. Without `memberId` it is the bot, or a member who was removed. */
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

/**
 * How many conversations each list has, up to `limits.inbox.count`; `mentioned`: those with a mention that the member
 * has not seen.
 */
export interface InboxCounts {
  mine: number;
  unassigned: number;
  waiting: number;
  mentioned: number;
  all: number;
  closed: number;
  snoozed: number;
}

/** A text that members insert into their replies. Its variables are filled in by the page (pages/inbox). */
export interface CannedAnswer {
  id: string;
  scope: 'own' | 'workspace';
  name: string;
  text: string;
  createdAt: string;
  updatedAt: string;
}

/** The content of a conversation, in three lists: the page merges them by sequence number and time. */
export interface InboxTimeline {
  /** Newest first. */
  messages: Message[];
  notes: Note[];
  activities: Activity[];
  /** The ratings of the persons who answered, newest first: all of the conversation, on each page. */
  ratings: Rating[];
  /** The read mark of the visitor; only where the bot has `readReceipts`. */
  visitorRead?: ReadMark;
  /** The sequence number of the last change: the `seenSeq` of a reply. */
  seq: number;
}

/** A message or a note that a search has found. */
export interface InboxMatch {
  /** Notes are texts of the team. */
  kind: 'message' | 'note';
  /** The id of the message or of the note. */
  id: string;
  /** The side that wrote it. */
  author: 'visitor' | 'bot' | 'person';
  /** The part of the text around the first found word. */
  text: string;
  /** Where found words begin and end in `text`, in their order, in UTF-16 units. */
  marks: [number, number][];
  createdAt: string;
}

/** A conversation with a text that a search has found. */
export interface FoundConversation {
  conversation: InboxRow;
  match: InboxMatch;
}

/** A visitor with their last conversation, of those that the caller may read. */
export interface InboxVisitor {
  /** The id of the server. */
  id: string;
  name?: string;
  /** The field `email` of the profile. */
  email?: string;
  /** The time of the last change of their conversations. */
  lastActivityAt: string;
  conversationCount: number;
  lastConversationId: string;
}
