// The handlers of all operations of the Runtime API.
import type { Handler } from '../../api/handler.ts';
import { actionHandlers } from './actions.ts';
import { conversationHandlers } from './conversations.ts';
import { eventHandlers } from './events.ts';
import { handoffHandlers } from './handoffs.ts';
import { messageHandlers } from './messages.ts';
import { participantHandlers } from './participants.ts';
import type { RuntimeServices } from './services.ts';
import { stateHandlers } from './states.ts';
import { streamHandlers } from './streams.ts';
import { userHandlers } from './users.ts';
import { widgetHandlers } from './widget.ts';

export const runtimeHandlers: readonly Handler<RuntimeServices>[] = [
  ...conversationHandlers,
  ...participantHandlers,
  ...userHandlers,
  ...messageHandlers,
  ...handoffHandlers,
  ...eventHandlers,
  ...stateHandlers,
  ...streamHandlers,
  ...widgetHandlers,
  ...actionHandlers,
];
