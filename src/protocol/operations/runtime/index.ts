// All operations of the Runtime API, in the order of the documentation.
import { conversations, events, handoffs, participants } from './conversations.ts';
import { messages, streams } from './messages.ts';
import { states, users } from './users.ts';
import { actions, widget } from './widget.ts';

export const runtimeOperations = {
  ...conversations,
  ...participants,
  ...users,
  ...messages,
  ...handoffs,
  ...events,
  ...states,
  ...streams,
  ...widget,
  ...actions,
};
