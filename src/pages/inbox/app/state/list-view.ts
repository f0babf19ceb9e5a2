// A list of the inbox as a member looks at it: the list, what it is narrowed to, and its order. Pure.
import type { InboxList, InboxRow } from '../../../../protocol/handling/inbox.ts';
import { type InboxFilter, type InboxSort, inboxSorts } from '../../../../protocol/handling/inbox-filter.ts';

export interface ViewFilter extends InboxFilter {
  sort?: InboxSort;
}

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

/** `waiting` begins with those who wait longest, all others with the newest: the same rule as on the server. */
export const defaultSort = (list: InboxList): InboxSort => (list === 'waiting' ? 'oldest' : 'newest');

/** A filter without empty fields; undefined if nothing is left. */
export function cleanFilter(
  given: { [Name in keyof ViewFilter]?: string | undefined },
): ViewFilter | undefined {
  const filter: ViewFilter = {};
  for (const name of fields) {
    const value = given[name];
    if (value?.trim()) filter[name] = value;
  }
  const sort = inboxSorts.find((name) => name === given.sort);
  if (sort) filter.sort = sort;
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** Equal for equal views. */
export const viewKey = ({ list, filter }: ListView): string =>
  JSON.stringify([list, ...fields.map((name) => filter[name]), filter.sort]);

/** How many fields select rows, without the words that are searched. */
export const countFields = (filter: ViewFilter): number =>
  fields.filter((name) => name !== 'q' && filter[name] !== undefined).length;

/** Whether the list is shown as a whole. */
export const isWhole = (filter: ViewFilter): boolean => fields.every((name) => filter[name] === undefined);
