// Operations on what goes on right now: who types, which answer is being written. They store nothing themselves.
import * as v from 'valibot';
import { schemas } from '../../api/schemas.ts';
import type { Caller } from '../../auth/caller.ts';
import { reading } from '../../operations/operation.ts';
import type { ParticipantRef } from '../../realtime/presence.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { publicId } from '../../storage/ids.ts';
import { joined } from './access.ts';

/** Milliseconds after which the typing indicator of a visitor ends by itself. */
export const typingTimeout = 10_000;

/** Where a caller types. */
export function placeOf(conversation: ConversationRow, { user }: Caller): ParticipantRef {
  return {
    conversation: { id: conversation.id, publicId: publicId(conversation) },
    user: { id: user.id, publicId: publicId(user) },
  };
}

export const live = [
  reading({
    id: 'setTyping',
    method: 'POST',
    path: '/conversations/{id}/typing',
    summary: `Tells the other participants that the caller types, for ${typingTimeout} ms, or no longer does.`,
    auth: 'user',
    errors: ['Forbidden'],
    status: 200,
    body: v.object({ typing: v.boolean() }),
    response: schemas.nothing,
    async run({ tx, caller, params: { id = '' }, body: { typing }, services: { presence } }) {
      const conversation = await joined(tx, id, caller);
      presence.setTyping(placeOf(conversation, caller), typing, typingTimeout, true);
      return { body: {} };
    },
  }),

  reading({
    id: 'stopStream',
    method: 'POST',
    path: '/conversations/{id}/stop',
    summary:
      'Ends an answer that is being written; what there is of it stays as a message. Also 200 when none is ' +
      'being written under this id (any more): whoever stops an answer that has just ended has what they want.',
    auth: 'user',
    errors: ['Forbidden'],
    status: 200,
    body: v.object({ streamId: schemas.id }),
    response: schemas.nothing,
    async run({ tx, caller, params: { id = '' }, body: { streamId }, services: { presence } }) {
      const conversation = await joined(tx, id, caller);
      await presence.stopStream(conversation.id, streamId);
      return { body: {} };
    },
  }),
];
