// The notes of the team on a conversation, for the archive that administrators download.
import type { Note } from '../../protocol/handling/inbox.ts';
import type { Tx } from '../storage/database.ts';
import { notesAfter } from '../storage/inbox/notes.ts';
import { serializeNote } from './serializers.ts';

/** Up to `limit` notes of a conversation after the id of one, oldest first. */
export const notesToExport = async (
  tx: Tx,
  conversationId: string,
  after: string,
  limit: number,
): Promise<Note[]> => (await notesAfter(tx, conversationId, after, limit)).map(serializeNote);
