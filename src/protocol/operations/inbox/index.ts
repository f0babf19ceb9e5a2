// All operations of the Inbox API, in the order of the documentation.
import { actions } from './actions.ts';
import { conversations } from './conversations.ts';
import { replies } from './replies.ts';
import { stream } from './stream.ts';

export const inboxOperations = { ...conversations, ...actions, ...replies, ...stream };
