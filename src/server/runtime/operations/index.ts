// The handlers of all operations of the Runtime API.
import type { Handler } from '../../operations/handler.ts';
import { actionHandlers } from './actions.ts';
import { conversationHandlers } from './conversations.ts';
import { messageHandlers } from './messages.ts';
import { participantHandlers } from './participants.ts';
import type { RuntimeServices } from './services.ts';
import { streamHandlers } from './streams.ts';

export const runtimeHandlers: readonly Handler<RuntimeServices>[] = [
  ...conversationHandlers,
  ...participantHandlers,
  ...messageHandlers,
  ...streamHandlers,
  ...actionHandlers,
];
