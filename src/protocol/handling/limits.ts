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
  /** Rows in one answer of the changes of the inbox. */
  changes: 200,
  /** Milliseconds for which the ids of deleted conversations are kept, for clients that were away: an hour. */
  changesKept: 60 * 60 * 1_000,
  /** Milliseconds until the presence of a member ends by itself. */
  presence: 40_000,
} as const;
