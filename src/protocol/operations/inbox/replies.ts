// Operations of the Inbox API: replies to the visitor, and notes for the team, which share nothing but the conversation.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { inboxSchemas } from '../../schemas/inbox.ts';
import { maybe } from '../../schemas/values.ts';
import { mutation, operations, query } from '../operation.ts';

const note = v.object({ note: inboxSchemas.note });
const mentions = maybe(inboxSchemas.mentions);

export const replies = operations({
  createReply: mutation({
    route: 'POST /conversations/{id}/replies',
    summary:
      'Sends a message to the visitor in the name of the caller, who has to answer the conversation; with `take` they take it ' +
      'first. `seenSeq` is the `seq` that the caller has read up to: if a colleague has written since, a message or a note, ' +
      'it is a `NewerReply`, whose `metadata` has the number of `messages` and `notes` and the `seq` to read up to. Notes have no ' +
      'number of their own: with `seenNoteId`, the newest note that the caller has read, later ones count. Messages of ' +
      'the visitor stop nothing. `AssignedToOther`: another person answers (`metadata.assignee`).',
    auth: 'workspace',
    permission: 'inbox.write',
    status: 201,
    errors: ['ResourceNotFound', 'NewerReply', 'AssignedToOther', 'AlreadyTaken', 'StaleRevision'],
    input: v.object({
      payload: schemas.payload,
      seenSeq: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      seenNoteId: maybe(schemas.id),
      take: maybe(v.literal(true)),
    }),
    output: v.object({ message: schemas.message }),
    sample: {
      id: '<<handled>>',
      payload: { type: 'text', text: 'Your order is on its way.' },
      seenSeq: 12,
      take: true,
    },
    examples: [{ id: '<<handled>>', payload: { type: 'text', text: 'Hello' }, seenSeq: 1_000, take: true }],
  }),

  createReplyFile: mutation({
    route: 'POST /conversations/{id}/files',
    summary:
      'Announces a file for a reply. Send its bytes to `uploadUrl`, as those of `createFile` of the Chat API, then a reply ' +
      'whose payload has its `url`. It is deleted with the conversation. The limits of the server apply, not those that the ' +
      'bot sets for its visitors.',
    auth: 'workspace',
    permission: 'inbox.write',
    status: 201,
    errors: ['ResourceNotFound', 'LimitExceeded', 'UnsupportedMediaType'],
    input: schemas.fileFields,
    output: v.object({ file: schemas.newFile }),
    sample: { id: '<<handled>>', key: 'receipt.pdf', size: 48_213, contentType: 'application/pdf' },
    examples: [{ id: '<<handled>>', key: 'a.txt', size: 10, contentType: 'text/plain' }],
  }),

  createNoteFile: mutation({
    route: 'POST /conversations/{id}/note-files',
    summary:
      'Announces a file for a note. Send its bytes to `uploadUrl`, as those of `createFile` of the Chat API, then a note with ' +
      'its id in `fileIds`. Without a note it is deleted after a day. No visitor and no bot can read it.',
    auth: 'workspace',
    permission: 'inbox.write',
    status: 201,
    errors: ['ResourceNotFound', 'LimitExceeded', 'UnsupportedMediaType'],
    input: schemas.fileFields,
    output: v.object({ file: v.object({ ...inboxSchemas.noteFile.entries, uploadUrl: v.string() }) }),
    sample: { id: '<<handled>>', key: 'receipt.pdf', size: 48_213, contentType: 'application/pdf' },
    examples: [{ id: '<<handled>>', key: 'a.txt', size: 10, contentType: 'text/plain' }],
  }),

  getNoteFile: query({
    route: 'GET /conversations/{id}/note-files/{fileId}',
    summary:
      'Returns a file of a note, or one that the caller may attach to a note, with the type that the server has detected, and ' +
      'an address from which its bytes can be read for five minutes, by everyone who has it.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['ResourceNotFound'],
    output: v.object({ file: v.object({ ...inboxSchemas.noteFile.entries, url: v.string() }) }),
    examples: [{ id: '<<handled>>', fileId: '<<noteFile>>' }],
  }),

  createNote: mutation({
    route: 'POST /conversations/{id}/notes',
    summary:
      'Writes a note for the team. No visitor, no bot and no webhook can read it. It has a `body`, or files (`fileIds`, ' +
      'from `createNoteFile`), or both. The conversation is in the list `mentioned` of the members in `mentions`, which have ' +
      'to be members who can see it (`ReferenceConstraint`).',
    auth: 'workspace',
    permission: 'inbox.write',
    status: 201,
    errors: ['ResourceNotFound', 'QuotaExceeded', 'ReferenceConstraint'],
    input: v.object({
      body: maybe(handlingSchemas.note),
      mentions,
      fileIds: maybe(inboxSchemas.fileIds),
    }),
    output: note,
    examples: [{ id: '<<handled>>', body: 'Called back, see order A-1.' }],
  }),

  updateNote: mutation({
    route: 'PUT /conversations/{id}/notes/{noteId}',
    summary: 'Changes the text of a note that the caller wrote, and whom it mentions, if that is given.',
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    input: v.object({ body: handlingSchemas.note, mentions }),
    output: note,
    examples: [{ id: '<<handled>>', noteId: '<<note>>', body: 'Called back, see order A-2.' }],
  }),

  deleteNote: mutation({
    route: 'DELETE /conversations/{id}/notes/{noteId}',
    summary: 'Deletes a note that the caller wrote, or any note for callers with `inbox.assign`.',
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<handled>>', noteId: '<<otherNote>>' }],
  }),
});
