// Serializes rows of the inbox and notes for members.
import type { InboxRow, Note } from '../../protocol/handling/inbox.ts';
import { timestamp } from '../api/serializers.ts';
import { personIn, serializeHandoff } from '../chat/index.ts';
import type { Tx } from '../storage/database.ts';
import { type InboxRecord, inboxTagsOf } from '../storage/inbox/lists.ts';
import type { NoteRow } from '../storage/inbox/new-note.ts';

/** Serializes rows with their tags. */
export async function serializeRows(tx: Tx, records: readonly InboxRecord[]): Promise<InboxRow[]> {
  if (records.length === 0) return [];
  const tags = await inboxTagsOf(
    tx,
    records.map(({ conversationId }) => conversationId),
  );
  return records.map((record) => serializeRow(record, tags.get(record.conversationId) ?? []));
}

function serializeRow(record: InboxRecord, tags: string[]): InboxRow {
  const person = personIn(record);
  const { conversationId, botId, revision, state, lastSeq } = record;
  return {
    ...{ conversationId, botId, revision, state, lastSeq, tags },
    ...(person
      ? { assignee: { ...(record.assigneeId === null ? {} : { memberId: record.assigneeId }), ...person } }
      : {}),
    visitor: {
      id: record.visitorForeignId ?? record.visitorId,
      ...(record.visitorName === null ? {} : { name: record.visitorName }),
    },
    handoff: serializeHandoff({ ...record, id: record.handoffId }),
    ...(record.waitingSince === null ? {} : { waitingSince: timestamp(record.waitingSince) }),
    ...(record.snoozedUntil === null ? {} : { snoozedUntil: timestamp(record.snoozedUntil) }),
    sortAt: timestamp(record.sortAt),
    preview: record.lastPreview,
    lastAuthor: record.lastAuthor,
  };
}

export const serializeNote = (row: NoteRow): Note => ({
  id: row.id,
  conversationId: row.conversationId,
  afterSeq: row.afterSeq,
  author: { ...(row.memberId === null ? {} : { memberId: row.memberId }), name: row.authorName },
  body: row.body,
  createdAt: timestamp(row.createdAt),
  ...(row.editedAt === null ? {} : { editedAt: timestamp(row.editedAt) }),
});
