// The handlers of all operations of the Inbox API.
import type { Handler } from '../../operations/handler.ts';
import { actionHandlers } from './actions.ts';
import { conversationHandlers } from './conversations.ts';
import { replyHandlers } from './replies.ts';
import type { InboxServices } from './services.ts';
import { streamHandlers } from './stream.ts';

export const inboxHandlers: readonly Handler<InboxServices>[] = [
  ...conversationHandlers,
  ...actionHandlers,
  ...replyHandlers,
  ...streamHandlers,
];
