// All operations of the Inbox API, in the order of the documentation.
import { ownAlerts, teamAlerts } from './alerts.ts';
import { actions, conversations, stream } from './conversations.ts';
import { replies } from './replies.ts';
import { reports } from './reports.ts';
import { cannedAnswers, hours, teams } from './settings.ts';

export const inboxOperations = {
  ...conversations,
  ...actions,
  ...replies,
  ...cannedAnswers,
  ...hours,
  ...teams,
  ...ownAlerts,
  ...teamAlerts,
  ...reports,
  ...stream,
};
