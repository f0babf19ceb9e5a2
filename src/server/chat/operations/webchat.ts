// The operation that returns the features, limits and dashboard configuration of the server.
import { webchat } from '../../../protocol/operations/chat/users.ts';
import { handle } from './services.ts';

export const webchatHandlers = [
  handle(webchat.getWebchat, async ({ chat, services }) => ({
    asset: () => services.configurations.webchat(chat.bot),
  })),
];
