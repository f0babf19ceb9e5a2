// Which rows the page has asked for, because a list or a conversation was opened: they are no news, unlike rows that the server
// sends by itself.
import type { InboxRow } from '../../../../protocol/handling/inbox.ts';

const asked = new WeakSet<InboxRow>();

/** Marks the rows, and returns them. */
export function markAsked(rows: readonly InboxRow[]): readonly InboxRow[] {
  for (const row of rows) asked.add(row);
  return rows;
}

export const isAsked = (row: InboxRow): boolean => asked.has(row);
