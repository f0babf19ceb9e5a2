// Who is asked by a bot that answers through the Runtime API, where no event names the user.
import { ApiError } from '../../api/errors.ts';
import type { AskedInterrupt, AskedInterrupts } from '../../chat/index.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { findParticipant, onlyParticipant } from '../../storage/chat/participants.ts';
import type { Tx } from '../../storage/database.ts';

/**
 * Returns the interrupts of a message with the user who can answer; nothing if there are none. `userId`: by default, the only
 * participant: nobody should approve what another participant has asked for. Throws InvalidPayload, or ResourceNotFound.
 */
export async function interruptsFor(
  tx: Tx,
  conversation: ConversationRow,
  asked: readonly AskedInterrupt[],
  userId: string | undefined,
): Promise<{ interrupts?: AskedInterrupts }> {
  if (asked.length === 0) return {};
  if (userId === undefined) {
    const only = await onlyParticipant(tx, conversation.id);
    if (only === undefined)
      throw new ApiError('InvalidPayload', 'userId: Required unless the conversation has one participant.');
    return { interrupts: { userId: only, asked } };
  }
  const user = await findParticipant(tx, conversation, userId);
  if (!user) throw new ApiError('ResourceNotFound', 'The user is not a participant of the conversation.');
  return { interrupts: { userId: user.id, asked } };
}
