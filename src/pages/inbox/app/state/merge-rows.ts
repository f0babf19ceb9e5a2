// Merges rows of the inbox from any source. A row is a complete state, so neither order nor repetition matters. Pure.
import type { InboxRow } from '../../../../protocol/handling/inbox.ts';

/** Whether `next` is a later state of the conversation than `known`. */
export const isNewer = (next: InboxRow, known: InboxRow | undefined): boolean =>
  !known ||
  next.revision > known.revision ||
  (next.revision === known.revision && next.lastSeq > known.lastSeq);

/**
 * Returns the rows with the later state of each conversation; the same map if nothing is new. Deleted conversations
 * stay deleted.
 */
export function mergeRows(
  known: ReadonlyMap<string, InboxRow>,
  rows: readonly InboxRow[],
  deleted: ReadonlySet<string>,
): ReadonlyMap<string, InboxRow> {
  let merged: Map<string, InboxRow> | undefined;
  for (const row of rows) {
    const id = row.conversationId;
    if (deleted.has(id) || !isNewer(row, (merged ?? known).get(id))) continue;
    merged ??= new Map(known);
    merged.set(id, row);
  }
  return merged ?? known;
}
