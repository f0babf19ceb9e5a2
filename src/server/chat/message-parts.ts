// Changes of the parts of a message that is stored.
import type { Part, PartChange } from '../../protocol/parts.ts';
import { ApiError } from '../api/errors.ts';
import { createPartList } from '../api/part-list.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import type { WriteTx } from '../storage/database.ts';
import type { Transcript } from './transcript-interface.ts';

/**
 * Changes a part of a message, and returns the message. The conversation must be locked. Throws ResourceNotFound, and the errors
 * of `PartList.apply`.
 */
export async function updatePart(
  tx: WriteTx,
  transcript: Pick<Transcript, 'changeParts'>,
  conversation: ConversationRow,
  message: MessageRow,
  change: PartChange,
): Promise<MessageRow> {
  const list = createPartList(JSON.parse(message.parts ?? '[]') as Part[]);
  if (!list.parts.some(({ id }) => id === change.id))
    throw new ApiError('ResourceNotFound', 'The message has no part of this id.');
  if (!list.apply(change)) return message;
  return transcript.changeParts(tx, conversation, message, list.parts);
}
