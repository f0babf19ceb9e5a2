// Limits of handoffs and of the inbox.

export const handoffLimits = {
  /** Characters of the reason of a handoff, and of the name of a person at another desk. */
  reason: 500,
  personName: 200,
  /** Characters of a note, also of that of a bot. */
  note: 10_000,
  /** Characters of the text that visitors search their messages for. */
  searchText: 200,
  /** Unread messages that are counted in the list of a visitor. */
  unread: 99,
  /** Notes of one conversation. */
  notes: 1_000,
  /** Members whom a note mentions, and its files. */
  mentions: 20,
  noteFiles: 10,
  /** Milliseconds after the end of a handoff within which a message of the visitor opens it again: two hours. */
  reopenWithin: 2 * 60 * 60 * 1_000,
  /** Milliseconds for which a conversation can be snoozed at most: a year. */
  snooze: 366 * 24 * 60 * 60 * 1_000,
  /** Activities in one page. */
  activitiesPage: 50,
  /** Characters of the preview of a row of the inbox. */
  preview: 200,
  /** The highest number that is counted. */
  count: 999,
  /** Tags of a conversation, and characters of each. */
  tags: 20,
  tag: 50,
  /** Characters of a search, and the words of it that count. */
  search: 200,
  searchTerms: 8,
  /** Words by which a row is found, and characters of each that are compared. */
  searchedWords: 200,
  searchedWord: 40,
  /** Canned answers of a member, and of a workspace; characters of the name and of the text of each. */
  ownAnswers: 200,
  sharedAnswers: 500,
  answerName: 50,
  answerText: 4_000,
  /** Intervals of a day of the opening hours, exceptions, and characters of the name of each. */
  intervals: 6,
  exceptions: 200,
  exceptionName: 100,
  /** Teams of a workspace, members of a team, and characters of its name. */
  teams: 100,
  teamMembers: 1_000,
  teamName: 100,
  /** Conversations that a member is assigned: at most, and unless a team says otherwise. */
  capacity: 100,
  defaultCapacity: 5,
  /** Milliseconds after which a member whose inbox is not open any more is not assigned conversations. */
  reachable: 90_000,
  /** Milliseconds in which a member who was assigned a conversation has to answer: three minutes. */
  noAnswerAfter: 3 * 60_000,
  /** Milliseconds between two signals about the place of a visitor in the queue, at least: a minute. */
  placeInterval: 60_000,
  /** Rows in one answer of the changes of the inbox. */
  changes: 200,
  /** Milliseconds for which the ids of deleted conversations are kept, for clients that were away: an hour. */
  changesKept: 60 * 60 * 1_000,
  /** Milliseconds until the presence of a member ends by itself. */
  presence: 40_000,
} as const;
