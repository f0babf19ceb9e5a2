// All operations of the Chat API, in the order of the documentation.
import { attachments } from './attachments.ts';
import { contacts } from './contacts.ts';
import { conversations } from './conversations.ts';
import { events } from './events.ts';
import { feedback } from './feedback.ts';
import { handoffs } from './handoffs.ts';
import { interrupts } from './interrupts.ts';
import { invitations } from './invitations.ts';
import { messages } from './messages.ts';
import { participants } from './participants.ts';
import { presence } from './presence.ts';
import { pushes } from './pushes.ts';
import { returnLinks } from './return-links.ts';
import { userKeys } from './user-keys.ts';
import { users } from './users.ts';
import { webchat } from './webchat.ts';

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
