// Operations of members that write: replies to the visitor, and notes for the team.
import { isPermitted } from '../../../protocol/admin/permissions.ts';
import { replies } from '../../../protocol/operations/inbox/replies.ts';
import { ApiError } from '../../api/errors.ts';
import { assertMessageSize } from '../../api/payload-size.ts';
import { serializeMessage } from '../../api/serializers.ts';
import type { Principal } from '../../auth/principal.ts';
import { alreadyTaken, canonicalPayload } from '../../chat/index.ts';
import type { Tx } from '../../storage/database.ts';
import { insertNote, type NoteRow } from '../../storage/inbox/new-note.ts';
import { deleteNote, findNote, updateNote, writtenSince } from '../../storage/inbox/notes.ts';
import { personOf } from '../../storage/inbox/persons.ts';
import { serializeNote } from '../serializers.ts';
import { answererOf, existingRecord, heldConversation } from './access.ts';
import { handle, type InboxServices } from './services.ts';

export const replyHandlers = [
  handle(
    replies.createReply,
    async ({ tx, caller, params: { id }, input: { payload, seenSeq, seenNoteId, take }, services }) => {
      assertMessageSize({ payload });
      const { handlings } = services.transcript;
      const conversation = await heldConversation(tx, caller, id);
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
      return { body: { message: serializeMessage(message, id) }, resource: message.id };
    },
    {
      normalizeBody: (body) =>
        typeof body === 'object' && body !== null && 'payload' in body
          ? { ...body, payload: canonicalPayload(body.payload) }
          : body,
    },
  ),

  handle(replies.createNote, async ({ tx, caller, params: { id }, input: { body }, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    await existingRecord(tx, caller, id);
    const { memberId, person } = await answererOf(tx, caller);
    const text = { conversationId: id, afterSeq: conversation.seq, memberId, authorName: person.name, body };
    const note = await insertNote(tx, { ...text, createdAt: services.now() });
    if (!note) throw new ApiError('QuotaExceeded', 'The conversation has too many notes.');
    tx.afterCommit(() => tell(services, caller, 'note', note));
    return { body: { note: serializeNote(note) }, resource: note.id };
  }),

  handle(replies.updateNote, async ({ tx, caller, params: { id, noteId }, input: { body }, services }) => {
    await heldConversation(tx, caller, id);
    const note = await existingNote(tx, caller, id, noteId);
    if (note.memberId !== caller.memberId) throw missingNote();
    const changed = { ...note, body, editedAt: services.now() };
    await updateNote(tx, note.id, body, changed.editedAt);
    tx.afterCommit(() => tell(services, caller, 'note', note));
    return { body: { note: serializeNote(changed) } };
  }),

  handle(replies.deleteNote, async ({ tx, caller, params: { id, noteId }, services }) => {
    await heldConversation(tx, caller, id);
    const note = await existingNote(tx, caller, id, noteId);
    const mayDelete = note.memberId === caller.memberId || isPermitted(caller.kind, 'inbox.assign');
    if (!mayDelete) throw missingNote();
    await deleteNote(tx, note.id);
    tx.afterCommit(() => tell(services, caller, 'note_deleted', note));
    return { body: {} };
  }),
];

function tell(
  { team }: Pick<InboxServices, 'team'>,
  { workspaceId }: Principal,
  kind: 'note' | 'note_deleted',
  { id: noteId, conversationId }: NoteRow,
): void {
  team.publish(workspaceId, { kind, conversationId, noteId });
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
