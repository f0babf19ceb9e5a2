// Operations on live state: typing indicators, pages of visitors and streamed answers. They do not store anything.
import { presence as declared, typingTimeoutMs } from '../../../protocol/operations/chat/conversations.ts';
import type { Caller } from '../../api/caller.ts';
import type { ParticipantRef } from '../../realtime/answer-streams.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { publicId } from '../../storage/ids.ts';
import { joined, owned } from './access.ts';
import { handle } from './services.ts';

/** Returns the ids that identify the caller in the conversation for typing signals. */
export function participantRef(conversation: ConversationRow, { user }: Caller): ParticipantRef {
  return {
    conversation: { id: conversation.id, publicId: publicId(conversation) },
    user: { id: user.id, publicId: publicId(user) },
  };
}

export const presenceHandlers = [
  handle(
    declared.setTyping,
    async ({ tx, caller, params: { id }, input: { typing }, services: { presence, transcript } }) => {
      const conversation = await joined(tx, id, caller);
      presence.setTyping(participantRef(conversation, caller), typing, typingTimeoutMs, true);
      if (conversation.ownerId === caller.user.id)
        await transcript.handlings.publishTyping(tx, conversation, typing ? typingTimeoutMs : 0);
      return { body: {} };
    },
  ),

  handle(
    declared.setPage,
    async ({ tx, caller, params: { id }, input: { page }, services: { presence } }) => {
      const conversation = await owned(tx, id, caller);
      presence.pages.set(conversation.id, caller.user.id, page);
      return { body: {} };
    },
  ),

  handle(
    declared.stopStream,
    async ({ tx, caller, params: { id }, input: { streamId }, services: { presence } }) => {
      const conversation = await joined(tx, id, caller);
      await presence.stopStream(conversation.id, streamId);
      return { body: {} };
    },
  ),
];
