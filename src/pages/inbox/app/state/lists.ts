// Which rows belong to which list of the inbox, and in which order: the same rules as on the server. Pure.
import type { InboxList, InboxRow } from '../../../../protocol/handling/inbox.ts';

export const listNames: Record<InboxList, string> = {
  mine: 'Mine',
  unassigned: 'Unassigned',
  waiting: 'Waiting',
  all: 'All',
  closed: 'Closed',
  snoozed: 'Snoozed',
};

/** What an empty list says: what is true, and what to do next. */
export const emptyTexts: Record<InboxList, string> = {
  mine: 'You answer no conversation now. Take one from “Unassigned”.',
  unassigned: 'Nobody is without a person. New requests appear here by themselves.',
  waiting: 'No visitor waits for an answer. Those who do appear here by themselves.',
  all: 'No conversation is open. When a visitor asks for a person, it appears here.',
  closed: 'No conversation was closed yet.',
  snoozed: 'Nothing is put aside. Snooze a conversation to see it again later.',
};

/** Whether a row is in a list of this member. */
export function belongsTo(list: InboxList, row: InboxRow, memberId: string): boolean {
  switch (list) {
    case 'mine':
      return row.state === 'assigned' && row.assignee?.memberId === memberId;
    case 'unassigned':
      return row.state === 'waiting';
    case 'waiting':
      return row.waitingSince !== undefined;
    case 'all':
      return row.state !== 'closed' && row.state !== 'bot';
    case 'closed':
      return row.state === 'closed';
    case 'snoozed':
      return row.state === 'snoozed';
  }
}

/**
 * Compares two rows in the order of a list: newest first, in `waiting` those who wait longest, and by id within a millisecond.
 * Times of one server are compared as texts, which is faster.
 */
export function compareIn(list: InboxList, a: InboxRow, b: InboxRow): number {
  const isLongestFirst = list === 'waiting';
  const [x = '', y = ''] = isLongestFirst ? [a.waitingSince, b.waitingSince] : [a.sortAt, b.sortAt];
  const isLess = x === y ? a.conversationId < b.conversationId : x < y;
  if (x === y && a.conversationId === b.conversationId) return 0;
  return isLess === isLongestFirst ? -1 : 1;
}

/** The name of a visitor. A visitor without a name gets the end of their id, so that two can be distinguished. */
export const visitorName = ({ visitor }: Pick<InboxRow, 'visitor'>): string =>
  visitor.name?.trim() || `Visitor ${visitor.id.slice(-4)}`;
