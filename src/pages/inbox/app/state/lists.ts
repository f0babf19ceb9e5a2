// Which rows belong to which list of the inbox, and in which order: the same rules as on the server. Pure.
import type { InboxList, InboxRow } from '../../../../protocol/handling/inbox.ts';
import { matchesFilter } from '../../../../protocol/handling/inbox-filter.ts';
import { defaultSort, type ListView } from './list-view.ts';

export const listNames: Record<InboxList, string> = {
  mine: 'Mine',
  unassigned: 'Unassigned',
  waiting: 'Waiting',
  mentioned: 'Mentions',
  all: 'All',
  closed: 'Closed',
  snoozed: 'Snoozed',
};

/** What an empty list says: what is true, and what to do next. */
export const emptyTexts: Record<InboxList, string> = {
  mine: 'You answer no conversation now. Take one from “Unassigned”.',
  unassigned: 'Nobody is without a person. New requests appear here by themselves.',
  waiting: 'No visitor waits for an answer. Those who do appear here by themselves.',
  mentioned: 'No open conversation has a note that mentions you. Colleagues mention you by @ and your name.',
  all: 'No conversation is open. When a visitor asks for a person, it appears here.',
  closed: 'No conversation was closed yet.',
  snoozed: 'Nothing is put aside. Snooze a conversation to see it again later.',
};

const isOpen = ({ state }: InboxRow): boolean => state !== 'closed' && state !== 'bot';

/** Whether a row is in a list of this member. */
function belongsTo(list: InboxList, row: InboxRow, memberId: string): boolean {
  switch (list) {
    case 'mine':
      return row.state === 'assigned' && row.assignee?.memberId === memberId;
    case 'unassigned':
      return row.state === 'waiting';
    case 'waiting':
      return row.waitingSince !== undefined;
    case 'mentioned':
      return isOpen(row) && row.mentions?.includes(memberId) === true;
    case 'all':
      return isOpen(row);
    case 'closed':
      return row.state === 'closed';
    case 'snoozed':
      return row.state === 'snoozed';
  }
}

/** Whether a row is in a list of this member, and kept by what the list is narrowed to. */
export const isInView = ({ list, filter }: ListView, row: InboxRow, memberId: string): boolean =>
  belongsTo(list, row, memberId) && matchesFilter(row, filter);

/**
 * Compares two rows in the order of a list: by the time since which the visitor waits in `waiting`, by the last change in the
 * others, and by id within a millisecond. Times of one server are compared as texts, which is faster.
 */
export function compareIn({ list, filter }: ListView, a: InboxRow, b: InboxRow): number {
  const { sort = defaultSort(list) } = filter;
  const [x = '', y = ''] = list === 'waiting' ? [a.waitingSince, b.waitingSince] : [a.sortAt, b.sortAt];
  const isLess = x === y ? a.conversationId < b.conversationId : x < y;
  if (x === y && a.conversationId === b.conversationId) return 0;
  return isLess === (sort === 'oldest') ? -1 : 1;
}

/** The name of a visitor. A visitor without a name gets the end of their id, so that two can be distinguished. */
export const visitorName = ({ visitor }: Pick<InboxRow, 'visitor'>): string =>
  visitor.name?.trim() || `Visitor ${visitor.id.slice(-4)}`;
