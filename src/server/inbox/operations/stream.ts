// Operations of the inbox for live events: the stream, typing and presence.
import { typingTimeoutMs } from '../../../protocol/operations/chat/conversations.ts';
import { stream } from '../../../protocol/operations/inbox/conversations.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { viewerOf } from '../../auth/principal.ts';
import type { Tx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { findHandling, touchHandling } from '../../storage/inbox/handlings.ts';
import { seeMentions } from '../../storage/inbox/notes.ts';
import { answererOf, existingConversation, heldConversation, scopeOf } from './access.ts';
import { handle } from './services.ts';

export const streamHandlers = [
  handle(
    stream.setInboxPresence,
    async ({ tx, caller, params: { id }, input: { state }, services: { team, presence } }) => {
      const conversation = await existingConversation(tx, caller, id);
      const { memberId, person, name } = await answererOf(tx, caller);
      const handling = await findHandling(tx, id);
      tx.afterCommit(() => {
        const { workspaceId } = caller;
        team.publish(workspaceId, { kind: 'presence', conversationId: id, memberId, ...person, name, state });
        if (state !== 'gone') presence.pages.look(conversation.id, workspaceId);
        // Visitors see typing only for replies of the assigned member, not for notes or for other members.
        if (handling?.assigneeId !== memberId || handling.personId === null || state === 'noting') return;
        const conversationRef = { id: conversation.id, publicId: publicId(conversation) };
        const user = { id: handling.personId, publicId: handling.personId };
        presence.setTyping(
          { conversation: conversationRef, user },
          state === 'replying',
          typingTimeoutMs,
          true,
        );
      });
      return { body: {} };
    },
    // It is not stored.
    { audit: () => false, needsNoLock: true },
  ),

  handle(
    stream.setInboxRead,
    async ({ tx, caller, params: { id }, input: { seq }, services }) => {
      const conversation = await heldConversation(tx, caller, id);
      const { memberId } = await answererOf(tx, caller);
      const isAnswering = (await findHandling(tx, id))?.assigneeId === memberId;
      const reader = { id: memberId, kind: 'person' } as const;
      if (isAnswering) await services.transcript.handlings.markRead(tx, conversation, reader, seq);
      if (await seeMentions(tx, id, memberId, seq)) {
        await touchHandling(tx, id, services.now());
        const change = { kind: 'row', conversationId: id } as const;
        tx.afterCommit(() => services.team.publish(caller.workspaceId, change));
      }
      return { body: {} };
    },
    // It changes nothing that anybody could ask for later.
    { audit: () => false },
  ),

  handle(
    stream.watchBotList,
    async ({ tx, caller, services: { team } }) => {
      const { workspaceId, memberId } = viewerOf(caller);
      tx.afterCommit(() => team.publish(workspaceId, { kind: 'watch', memberId }));
      return { body: {} };
    },
    // It is not stored.
    { audit: () => false, needsNoLock: true },
  ),

  handle(stream.listenInbox, async ({ tx, caller, services: { inboxStreams } }) => {
    const viewer = viewerOf(caller);
    const { credentialId, memberId = credentialId } = caller;
    const accessOf = async (tx: Tx, caller: Principal) =>
      `${caller.kind} ${await scopeOf(tx, viewerOf(caller))}`;
    const access = await accessOf(tx, caller);
    return {
      stream: ({ check, acquireSlot }) =>
        inboxStreams.open(viewer, {
          acquireSlot: () => acquireSlot(memberId),
          check: () =>
            check(async (now, again) => {
              // The client opens it again, asks for the changes, and what the member may do.
              if ((await accessOf(now, again)) !== access)
                throw new ApiError(
                  'Forbidden',
                  'The member has another role, or sees other conversations than before.',
                );
            }),
        }),
    };
  }),
];
