// All operations of the Runtime API, in the order of the documentation.
import { actions } from './actions.ts';
import { conversations } from './conversations.ts';
import { events } from './events.ts';
import { handoffs } from './handoffs.ts';
import { messages } from './messages.ts';
import { participants } from './participants.ts';
import { states } from './states.ts';
import { streams } from './streams.ts';
import { users } from './users.ts';
import { widget } from './widget.ts';

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
