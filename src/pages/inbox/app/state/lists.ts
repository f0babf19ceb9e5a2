// Lists of the inbox: the view of a member (list, filter, order), and the rows in it. Pure.
import {
  type InboxFilter,
  type InboxList,
  type InboxRow,
  type InboxSort,
  inboxSorts,
  matchesFilter,
  rowRatings,
} from '../../../../protocol/inbox.ts';
import { t } from '../../../ui/texts.ts';

const listNames = (): Record<InboxList, string> => ({
  mine: t('Mine'),
  unassigned: t('Unassigned'),
  waiting: t('Waiting'),
  mentioned: t('Mentions'),
  all: t('All'),
  closed: t('Closed'),
  snoozed: t('Snoozed'),
  bot: t('With the bot'),
});
export const listNameOf = (list: InboxList): string => listNames()[list];

/** Text of an empty list: the state, and the next step. */
export const emptyTextOf = (list: InboxList): string => emptyTexts()[list];
const emptyTexts = (): Record<InboxList, string> => ({
  mine: t('You answer no conversation now. Take one from “Unassigned”.'),
  unassigned: t('Nobody is without a person. New requests appear here by themselves.'),
  waiting: t('No visitor waits for an answer. Those who do appear here by themselves.'),
  mentioned: t(
    'No open conversation has a note that mentions you. Colleagues mention you by @ and your name.',
  ),
  all: t('No conversation is open. When a visitor asks for a person, it appears here.'),
  closed: t('No conversation was closed yet.'),
  snoozed: t('Nothing is put aside. Snooze a conversation to see it again later.'),
  bot: t('No visitor has written to the bot. Conversations that it answers appear here by themselves.'),
});

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
    case 'bot':
      return row.state === 'bot';
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
  visitor.name?.trim() || t('Visitor {id}', { id: visitor.id.slice(-4) });

/** The fields of the profile, which the site sets; any other profile is one field. */
export function dataOf(profile: string | undefined): [name: string, value: string][] {
  if (!profile) return [];
  try {
    const data: unknown = JSON.parse(profile);
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return Object.entries(data).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
  } catch {
    // Plain text of the site.
  }
  return [['Profile', profile]];
}

export interface ViewFilter extends InboxFilter {
  sort?: InboxSort;
}

/** The view of a list by a member: the list, its filter and its order. */
export interface ListView {
  list: InboxList;
  filter: ViewFilter;
}

/** How much of a list the server has sent. */
export interface ListProgress {
  status: 'unknown' | 'loading' | 'ready' | 'failed';
  /** The last row that was sent: rows after it are not shown, because others may be between them. */
  until?: InboxRow | undefined;
  /** The cursor of the next page; undefined at the end. */
  nextToken?: string | undefined;
}

/** The fields that select rows, in the order of the address. */
const fields = ['q', 'bot', 'assignee', 'team', 'tag'] as const;
/** The fields of the list `bot` only, whose values are few. */
const botFields = { rating: rowRatings, answer: ['none'] } as const;

/** `waiting` begins with those who wait longest, all others with the newest: the same rule as on the server. */
export const defaultSort = (list: InboxList): InboxSort => (list === 'waiting' ? 'oldest' : 'newest');

/** A filter without empty fields; undefined if nothing is left. */
export function cleanFilter(
  input: { [Name in keyof ViewFilter]?: string | undefined },
): ViewFilter | undefined {
  const filter: ViewFilter = {};
  for (const name of fields) {
    const value = input[name];
    if (value?.trim()) filter[name] = value;
  }
  const rating = botFields.rating.find((name) => name === input.rating);
  if (rating) filter.rating = rating;
  const answer = botFields.answer.find((name) => name === input.answer);
  if (answer) filter.answer = answer;
  const sort = inboxSorts.find((name) => name === input.sort);
  if (sort) filter.sort = sort;
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** Equal for equal views. */
export const viewKey = ({ list, filter }: ListView): string =>
  JSON.stringify([list, ...fields.map((name) => filter[name]), filter.rating, filter.answer, filter.sort]);

const selecting = [...fields, 'rating', 'answer'] as const;

/** How many fields select rows, without the words that are searched. */
export const countFields = (filter: ViewFilter): number =>
  selecting.filter((name) => name !== 'q' && filter[name] !== undefined).length;

/** Whether the list is shown as a whole. */
export const isWhole = (filter: ViewFilter): boolean => selecting.every((name) => filter[name] === undefined);
