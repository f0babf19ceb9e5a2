// The table of all operations of the Runtime API: what a bot outside of this server does in its conversations. Where the
// Chat API has an operation of the same name, the id says `Bot`, so that no two are called the same.
import type { Operation } from '../../operations/operation.ts';
import { callAction } from './actions.ts';
import { conversations } from './conversations.ts';
import { messages } from './messages.ts';
import { participants } from './participants.ts';
import { streams } from './streams.ts';

export const runtimeOperations: readonly Operation[] = [
  ...conversations,
  ...participants,
  ...messages,
  ...streams,
  ...callAction,
];
