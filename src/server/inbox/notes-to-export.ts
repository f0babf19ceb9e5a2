// The notes of the team on a conversation and their files, for the archive that administrators download.
import type { Note } from '../../protocol/inbox.ts';
import type { Tx } from '../storage/database.ts';
import type { FileRow } from '../storage/files/files.ts';
import { noteFilesAfter, notesAfter } from '../storage/inbox/notes.ts';
import { serializeNotes } from './serializers.ts';

/** Reads up to `limit` notes, or files of notes, of a conversation after the id of one, oldest first. */
export const notesToExport = {
  notesOf: async (tx: Tx, conversationId: string, after: string, limit: number): Promise<Note[]> =>
    serializeNotes(tx, conversationId, await notesAfter(tx, conversationId, after, limit)),
  filesOf: (tx: Tx, conversationId: string, after: string, limit: number): Promise<FileRow[]> =>
    noteFilesAfter(tx, conversationId, after, limit),
};
