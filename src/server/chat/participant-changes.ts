// Users who join and leave conversations.
import type { StreamControl } from '../realtime/pub-sub.ts';
import { type ConversationRow, setOwner } from '../storage/chat/conversations.ts';
import { deleteInvitationsTo } from '../storage/chat/invitations.ts';
import { deleteParticipant, insertParticipant } from '../storage/chat/participants.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { Transcript } from './transcript-interface.ts';

export function createParticipantChanges(
  log: ConversationLog,
  streamControl: StreamControl,
): Pick<Transcript, 'addParticipant' | 'removeParticipant' | 'replaceParticipant'> {
  const { incrementSequence, appendSignal, enqueueDelivery } = log;

  async function changeParticipants(
    tx: WriteTx,
    conversation: ConversationRow,
    type: 'participant_added' | 'participant_removed',
    user: Pick<UserRow, 'id' | 'foreignId'>,
  ): Promise<{ seq: number; at: number }> {
    const next = await incrementSequence(tx, conversation);
    const data = { conversationId: publicId(conversation), participantId: publicId(user) };
    await appendSignal(tx, conversation, next.seq, { type, data }, null, { userId: user.id });
    return next;
  }

  return {
    async addParticipant(tx, conversation, user) {
      if (!(await insertParticipant(tx, conversation.id, user.id))) return;
      await deleteInvitationsTo(tx, conversation.id, user);
      await changeParticipants(tx, conversation, 'participant_added', user);
    },

    async removeParticipant(tx, conversation, user) {
      if (!(await deleteParticipant(tx, conversation.id, user.id))) return false;
      tx.afterCommit(() => streamControl.closeParticipant(conversation.id, user.id));
      await changeParticipants(tx, conversation, 'participant_removed', user);
      return true;
    },

    async replaceParticipant(tx, conversation, previous, user, isReported, locale) {
      await deleteParticipant(tx, conversation.id, previous.id);
      await insertParticipant(tx, conversation.id, user.id);
      await deleteInvitationsTo(tx, conversation.id, user);
      await setOwner(tx, conversation.id, previous.id, user.id);
      await changeParticipants(tx, conversation, 'participant_removed', previous);
      const { seq, at } = await changeParticipants(tx, conversation, 'participant_added', user);
      const cause = { conversationId: conversation.id, seq, userId: user.id, createdAt: at };
      const data = JSON.stringify({ previousUserId: previous.id });
      if (isReported) await enqueueDelivery(tx, cause, { kind: 'user_merged', ref: null, data }, locale);
    },
  };
}
