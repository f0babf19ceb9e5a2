// The table of all operations of the Chat API. Routes, checks, 405 answers and the OpenAPI document come from it.

import { schemas } from '../../api/schemas.ts';
import { type Operation, reading } from '../../operations/operation.ts';
import { files } from './attachments.ts';
import { conversations } from './conversations.ts';
import { events } from './events.ts';
import { feedback } from './feedback.ts';
import { invitations } from './invitations.ts';
import { messages } from './messages.ts';
import { participants } from './participants.ts';
import { live } from './presence.ts';
import { userKeys } from './user-keys.ts';
import { users } from './users.ts';

export const chatOperations: readonly Operation[] = [
  ...users,
  ...userKeys,
  ...conversations,
  ...participants,
  ...invitations,
  ...messages,
  ...feedback,
  ...events,
  ...live,
  ...files,
  reading({
    id: 'getWebchat',
    method: 'GET',
    path: '/webchat',
    summary: 'Tells what this server can do beyond the plain Chat API, and the dashboard configuration.',
    auth: 'none',
    errors: [],
    status: 200,
    response: schemas.webchat,
    run: async ({ chat, services }) => ({ asset: () => services.configurations.webchat(chat.bot) }),
  }),
];
