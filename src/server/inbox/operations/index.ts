// The handlers of all operations of the Inbox API.
import type { Handler } from '../../api/handler.ts';
import { actionHandlers } from './actions.ts';
import { alertHandlers } from './alerts.ts';
import { cannedAnswerHandlers } from './canned-answers.ts';
import { conversationHandlers } from './conversations.ts';
import { fileHandlers } from './files.ts';
import { hoursHandlers } from './opening-hours.ts';
import { replyHandlers } from './replies.ts';
import { reportHandlers } from './reports.ts';
import type { InboxServices } from './services.ts';
import { streamHandlers } from './stream.ts';
import { teamHandlers } from './teams.ts';

export const inboxHandlers: readonly Handler<InboxServices>[] = [
  ...conversationHandlers,
  ...actionHandlers,
  ...replyHandlers,
  ...fileHandlers,
  ...cannedAnswerHandlers,
  ...hoursHandlers,
  ...teamHandlers,
  ...alertHandlers,
  ...reportHandlers,
  ...streamHandlers,
];
