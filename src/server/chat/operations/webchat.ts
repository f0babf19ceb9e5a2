// The operation that describes the server: features, limits, dashboard configuration.
import { webchat } from '../../../protocol/operations/chat/webchat.ts';
import { handle } from './services.ts';

export const webchatHandlers = [
  handle(webchat.getWebchat, async ({ chat, services }) => ({
    asset: () => services.configurations.webchat(chat.bot),
  })),
];
