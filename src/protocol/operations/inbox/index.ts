// All operations of the Inbox API, in the order of the documentation.
import { actions } from './actions.ts';
import { cannedAnswers } from './canned-answers.ts';
import { conversations } from './conversations.ts';
import { hours } from './opening-hours.ts';
import { replies } from './replies.ts';
import { reports } from './reports.ts';
import { stream } from './stream.ts';
import { teams } from './teams.ts';

export const inboxOperations = {
  ...conversations,
  ...actions,
  ...replies,
  ...cannedAnswers,
  ...hours,
  ...teams,
  ...reports,
  ...stream,
};
