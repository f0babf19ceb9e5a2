// All operations of the Admin API, in the order of the documentation.
import { botLogs, bots, deployment, questions, retention, webchat } from './bots.ts';
import { server } from './server.ts';
import { apiKeys, tokens, userKeys } from './tokens.ts';
import { visitors } from './visitors.ts';
import { audit, members, workspaces } from './workspaces.ts';

export const adminOperations = {
  // Before the bots: `/bots/baks` is not a bot.
  ...apiKeys,
  ...bots,
  ...deployment,
  ...userKeys,
  ...webchat,
  ...workspaces,
  ...members,
  ...tokens,
  ...audit,
  ...botLogs,
  ...questions,
  ...visitors,
  ...retention,
  ...server,
};
