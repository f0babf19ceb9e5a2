// The handlers of all operations of the Chat API.
import type { Handler } from '../../api/handler.ts';
import { attachmentHandlers } from './attachments.ts';
import { contactHandlers } from './contacts.ts';
import { conversationHandlers } from './conversations.ts';
import { eventHandlers } from './events.ts';
import { feedbackHandlers } from './feedback.ts';
import { handoffHandlers } from './handoffs.ts';
import { interruptHandlers } from './interrupts.ts';
import { invitationHandlers } from './invitations.ts';
import { mergeHandlers } from './merge.ts';
import { messageHandlers } from './messages.ts';
import { participantHandlers } from './participants.ts';
import { presenceHandlers } from './presence.ts';
import { pushHandlers } from './pushes.ts';
import { returnLinkHandlers } from './return-links.ts';
import type { ChatServices } from './services.ts';
import { userKeyHandlers } from './user-keys.ts';
import { userHandlers } from './users.ts';
import { webchatHandlers } from './webchat.ts';

export const chatHandlers: readonly Handler<ChatServices>[] = [
  ...userHandlers,
  ...mergeHandlers,
  ...userKeyHandlers,
  ...contactHandlers,
  ...pushHandlers,
  ...returnLinkHandlers,
  ...conversationHandlers,
  ...participantHandlers,
  ...invitationHandlers,
  ...messageHandlers,
  ...feedbackHandlers,
  ...interruptHandlers,
  ...handoffHandlers,
  ...eventHandlers,
  ...presenceHandlers,
  ...attachmentHandlers,
  ...webchatHandlers,
];
