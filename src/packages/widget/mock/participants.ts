// The operations of participants and invitations of the mock server.
import type { User } from '../../../protocol/user.ts';
import { type Call, idOf, member, type Operation, publicConversation } from './call.ts';
import { checkUserId } from './checks.ts';
import { forbidden, invalid, notFound } from './failure.ts';
import { page, type StoredConversation } from './store.ts';

const here = (call: Call): StoredConversation => member(call, idOf(call, 'conversationId'));

function participant(call: Call, id: string): User {
  const user = here(call).participants.has(id) ? call.store.users.get(id) : undefined;
  if (!user) throw notFound();
  return user;
}

/** The conversation of the path, if the caller is invited or takes part in it. */
function invitation(call: Call): StoredConversation {
  const conversation = call.store.conversations.get(idOf(call, 'conversationId'));
  const { id } = call.user;
  if (conversation?.participants.has(id)) return conversation;
  if (!conversation?.invited.has(id) || conversation.declined.has(id)) throw notFound();
  return conversation;
}

export const participantOperations = {
  addParticipant(call) {
    const conversation = here(call);
    if (conversation.ownerId !== call.user.id) throw forbidden();
    const userId = checkUserId(call.body.userId);
    if (userId === undefined) throw invalid('userId', 'Expected string.');
    if (conversation.participants.has(userId)) return { participant: participant(call, userId) };
    const at = conversation.invited.get(userId) ?? call.store.time();
    conversation.invited.set(userId, at);
    return { participant: { id: userId, createdAt: at, updatedAt: at } };
  },
  listParticipants(call) {
    const users = [...here(call).participants].map(([id, order]) => ({
      order,
      user: call.store.users.get(id),
    }));
    const { found, meta } = page(users, call.query.get('nextToken'));
    return { participants: found.map(({ user }) => user), meta };
  },
  getParticipant: (call) => ({ participant: participant(call, idOf(call, 'userId')) }),
  removeParticipant(call) {
    const conversation = here(call);
    const userId = idOf(call, 'userId');
    if (conversation.ownerId !== call.user.id && userId !== call.user.id) throw forbidden();
    if (userId === conversation.ownerId) throw invalid('userId', 'The owner cannot leave.');
    conversation.declined.delete(userId);
    if (conversation.invited.delete(userId)) return {};
    if (!conversation.participants.delete(userId)) throw notFound();
    call.signals.end(conversation.id, userId);
    const data = { conversationId: conversation.id, participantId: userId };
    call.signals.publish(conversation, { type: 'participant_removed', data });
    return {};
  },

  listInvitations({ store, user, query }) {
    const invited = [...store.conversations.values()].filter(
      ({ invited, declined }) => invited.has(user.id) && !declined.has(user.id),
    );
    const { found, meta } = page(invited, query.get('nextToken'));
    const invitations = found.map(({ id, ownerId, invited: times }) => ({
      conversationId: id,
      invitedBy: ownerId,
      invitedAt: times.get(user.id),
    }));
    return { invitations, meta };
  },
  acceptInvitation(call) {
    const conversation = invitation(call);
    const { id } = call.user;
    if (conversation.invited.delete(id)) {
      conversation.participants.set(id, call.store.next());
      const data = { conversationId: conversation.id, participantId: id };
      call.signals.publish(conversation, { type: 'participant_added', data });
    }
    return { conversation: publicConversation(conversation) };
  },
  declineInvitation(call) {
    const { invited, declined } = invitation(call);
    if (!invited.has(call.user.id)) throw notFound();
    declined.add(call.user.id);
    return {};
  },
} satisfies Record<string, Operation>;
