// All operations of the Chat API, in the order of the documentation.
import { conversations, events, invitations, participants, presence } from './conversations.ts';
import { contacts, handoffs } from './handoffs.ts';
import { attachments, feedback, interrupts, messages } from './messages.ts';
import { pushes, returnLinks, userKeys, users, webchat } from './users.ts';

export const chatOperations = {
  ...users,
  ...userKeys,
  ...contacts,
  ...pushes,
  ...returnLinks,
  ...conversations,
  ...participants,
  ...invitations,
  ...messages,
  ...feedback,
  ...interrupts,
  ...handoffs,
  ...events,
  ...presence,
  ...attachments,
  ...webchat,
};
