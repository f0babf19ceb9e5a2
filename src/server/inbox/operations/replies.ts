// Operations of members that write: replies to the visitor, and notes for the team.
import { replies } from '../../../protocol/operations/inbox/replies.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { serializeMessage } from '../../api/serializers.ts';
import { assertMessageSize } from '../../api/validation.ts';
import { viewerOf } from '../../auth/principal.ts';
import { alreadyTaken, canonicalPayload } from '../../chat/index.ts';
import { findMember } from '../../storage/admin/workspaces.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { touchHandling } from '../../storage/inbox/handlings.ts';
import { personOf } from '../../storage/inbox/members.ts';
import { insertNote, type NoteRow } from '../../storage/inbox/new-note.ts';
import {
  attachFiles,
  deleteNote,
  deleteNoteContents,
  findNote,
  noteContentsOf,
  setMentions,
  updateNote,
  writtenSince,
} from '../../storage/inbox/notes.ts';
import { isVisible } from '../../storage/inbox/visibility.ts';
import { serializedNote, serializeMessages } from '../serializers.ts';
import { answererOf, assertMayTake, existingRecord, heldConversation } from './access.ts';
import { handle, type InboxServices } from './services.ts';

export const replyHandlers = [
  handle(
    replies.createReply,
    async ({ tx, caller, params: { id }, input: { payload, seenSeq, seenNoteId, take }, services }) => {
      assertMessageSize({ payload });
      const { handlings } = services.transcript;
      const conversation = await heldConversation(tx, caller, id);
      await assertMayTake(tx, caller, id);
      const { memberId, person } = await answererOf(tx, caller);
      const before = await handlings.find(tx, conversation);
      const isOwn = before?.assigneeId === memberId;
      if (!isOwn && before && before.personId !== null) throw assignedToOther(alreadyTaken(before));
      if (!isOwn && !take)
        throw new ApiError('StaleRevision', 'Take the conversation first.', {
          state: before?.state ?? 'bot',
          revision: before?.revision ?? 0,
        });
      const { id: personId } = await personOf(tx, conversation.botId, memberId, person, services.now());
      const written = await writtenSince(tx, id, seenSeq, {
        ...{ memberId, personId, noteId: seenNoteId },
      });
      if (written.messages + written.notes > 0)
        throw new ApiError('NewerReply', 'A colleague has written since.', {
          ...written,
          seq: conversation.seq,
        });
      // Also ends snoozing.
      if (!isOwn || before.state !== 'assigned') await handlings.take(tx, conversation, { memberId, person });
      const author = { id: personId, foreignId: null, isBot: false, person };
      const message = await services.transcript.addMessage(tx, conversation, author, { payload });
      const [sent = serializeMessage(message, id)] = await serializeMessages(tx, conversation, [message]);
      return { body: { message: sent }, resource: message.id };
    },
    {
      normalizeBody: (body) =>
        typeof body === 'object' && body !== null && 'payload' in body
          ? { ...body, payload: canonicalPayload(body.payload) }
          : body,
    },
  ),

  handle(replies.createNote, async ({ tx, caller, params: { id }, input, services }) => {
    const { body = '', mentions = [], fileIds = [] } = input;
    const conversation = await heldConversation(tx, caller, id);
    await existingRecord(tx, caller, id);
    if (!body && fileIds.length === 0)
      throw new ApiError('InvalidPayload', 'body: Expected a text, because the note has no files.');
    await assertCanBeMentioned(tx, caller, id, mentions);
    const { memberId, name: authorName } = await answererOf(tx, caller);
    const text = { conversationId: id, afterSeq: conversation.seq, memberId, authorName, body };
    const note = await insertNote(tx, { ...text, createdAt: services.now() });
    if (!note) throw new ApiError('QuotaExceeded', 'The conversation has too many notes.');
    const files = new Set(fileIds);
    if ((await attachFiles(tx, note, [...files], services.now())) < files.size)
      throw new ApiError(
        'ReferenceConstraint',
        'fileIds: Each has to be an uploaded file for a note of this conversation, and of no other note.',
      );
    if (await setMentions(tx, note, mentions)) await publishRow(tx, services, caller, id);
    tx.afterCommit(() => notifyTeam(services, caller, 'note', note));
    return { body: { note: await serializedNote(tx, note) }, resource: note.id };
  }),

  handle(replies.updateNote, async ({ tx, caller, params: { id, noteId }, input, services }) => {
    const { body, mentions } = input;
    await heldConversation(tx, caller, id);
    const note = await existingNote(tx, caller, id, noteId);
    if (note.memberId !== caller.memberId) throw missingNote();
    const changed = { ...note, body, editedAt: services.now() };
    if (mentions) {
      // Whom it mentions already may have lost access since; that must not prevent the correction of a word.
      const earlier = (await noteContentsOf(tx, id, [noteId])).get(noteId)?.mentions ?? [];
      const added = mentions.filter((memberId) => !earlier.includes(memberId));
      await assertCanBeMentioned(tx, caller, id, added);
      if (await setMentions(tx, note, mentions)) await publishRow(tx, services, caller, id);
    }
    await updateNote(tx, note, body, changed.editedAt);
    tx.afterCommit(() => notifyTeam(services, caller, 'note', note));
    return { body: { note: await serializedNote(tx, changed) }, about: changed.id };
  }),

  handle(replies.deleteNote, async ({ tx, caller, params: { id, noteId }, services }) => {
    await heldConversation(tx, caller, id);
    const note = await existingNote(tx, caller, id, noteId);
    const mayDelete = note.memberId === caller.memberId || isPermitted(caller.kind, 'inbox.assign');
    if (!mayDelete) throw missingNote();
    await deleteNote(tx, note.id);
    const { hasFiles, hasMentions } = await deleteNoteContents(tx, note);
    if (hasMentions) await publishRow(tx, services, caller, id);
    if (hasFiles) tx.afterCommit(services.platformFiles.onRemoved);
    tx.afterCommit(() => notifyTeam(services, caller, 'note_deleted', note));
    return { body: {} };
  }),
];

function notifyTeam(
  { team }: Pick<InboxServices, 'team'>,
  { workspaceId }: Principal,
  kind: 'note' | 'note_deleted',
  { id: noteId, conversationId }: NoteRow,
): void {
  team.publish(workspaceId, { kind, conversationId, noteId });
}

/** Publishes a change of the row of the conversation: the members whom its notes mention. */
async function publishRow(
  tx: WriteTx,
  { team, now }: Pick<InboxServices, 'team' | 'now'>,
  { workspaceId }: Principal,
  conversationId: string,
): Promise<void> {
  await touchHandling(tx, conversationId, now());
  tx.afterCommit(() => team.publish(workspaceId, { kind: 'row', conversationId }));
}

/** Throws ReferenceConstraint unless all are members of the workspace who can see the conversation. */
async function assertCanBeMentioned(
  tx: Tx,
  { workspaceId }: Principal,
  conversationId: string,
  memberIds: readonly string[],
): Promise<void> {
  for (const memberId of new Set(memberIds)) {
    const member = await findMember(tx, workspaceId, memberId);
    const isReader = member && isPermitted(member.role, 'inbox.read');
    const viewer =
      isReader && viewerOf({ kind: member.role, workspaceId, homeWorkspaceId: workspaceId, memberId });
    if (!viewer || !(await isVisible(tx, viewer, conversationId)))
      throw new ApiError(
        'ReferenceConstraint',
        `mentions: ${memberId} is not a member of this workspace who can see the conversation.`,
        { memberId },
      );
  }
}

const missingNote = () => new ApiError('ResourceNotFound', 'The caller has no such note here.');

async function existingNote(tx: Tx, caller: Principal, id: string, noteId: string): Promise<NoteRow> {
  await existingRecord(tx, caller, id);
  const note = await findNote(tx, id, noteId);
  if (!note) throw missingNote();
  return note;
}

const assignedToOther = ({ message, metadata }: ApiError): ApiError =>
  new ApiError('AssignedToOther', message, metadata);
