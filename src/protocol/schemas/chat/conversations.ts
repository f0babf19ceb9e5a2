// Schemas of conversations, of invitations to them, and of custom events (page to bot, bot to page).
import * as v from 'valibot';
import { described, describedObject, maybe } from '../base/described.ts';
import { count, data, timestamp } from '../base/values.ts';
import { handlingSchemas } from '../handling.ts';

const conversation = describedObject(
  'A conversation as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`.',
  {
    id: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
);

const listedConversation = describedObject(
  'A conversation in the list of its owner. Other servers leave out the fields that they do not know.',
  {
    ...conversation.entries,
    title: maybe(
      v.string(),
      'The beginning of the first message of the owner, as plain text; left out until there is one.',
    ),
    preview: maybe(v.string(), 'The beginning of the last message, as plain text.'),
    lastMessageAt: maybe(timestamp),
    unread: maybe(
      count,
      'Messages of others after the last one that the owner has read, up to 99. 0 until a client has ' +
        'told what was read.',
    ),
    state: maybe(handlingSchemas.handling.entries.state, 'The present state of the handling.'),
  },
);

const invitation = describedObject('An invitation to a conversation, as the invited user sees it.', {
  conversationId: v.string(),
  invitedBy: described(
    v.string(),
    'The id of the owner of the conversation. Their profile is not included; an application can verify the id.',
  ),
  invitedAt: timestamp,
});

const event = describedObject('A custom event as the Chat API returns it.', {
  id: v.string(),
  createdAt: timestamp,
  payload: data,
  conversationId: v.string(),
  userId: v.string(),
});

export const conversationSchemas = { conversation, listedConversation, invitation, event };

export const types = {
  Conversation: conversation,
  ListedConversation: listedConversation,
  Invitation: invitation,
  Event: event,
};
