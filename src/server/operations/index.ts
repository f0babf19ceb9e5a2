// The table of all operations of the Chat API. Routes, checks, 405 answers and the OpenAPI document come from it.
import { type Operation, reading } from '../operation.ts';
import { schemas } from '../schemas.ts';
import { conversations } from './conversations.ts';
import { events } from './events.ts';
import { feedback } from './feedback.ts';
import { files } from './files.ts';
import { invitations } from './invitations.ts';
import { live } from './live.ts';
import { messages } from './messages.ts';
import { participants } from './participants.ts';
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
    run: async ({ chat, services }) => ({ asset: () => services.dashboard.webchat(chat.bot) }),
  }),
];
