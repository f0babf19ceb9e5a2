// All operations of the Runtime API, in the order of the documentation.
import { actions } from './actions.ts';
import { conversations } from './conversations.ts';
import { messages } from './messages.ts';
import { participants } from './participants.ts';
import { streams } from './streams.ts';

export const runtimeOperations = {
  ...conversations,
  ...participants,
  ...messages,
  ...streams,
  ...actions,
};
