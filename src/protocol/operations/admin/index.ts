// All operations of the Admin API, in the order of the documentation.
import { apiKeys } from './api-keys.ts';
import { audit } from './audit.ts';
import { botLogs } from './bot-logs.ts';
import { bots } from './bots.ts';
import { deployment } from './deployment.ts';
import { members } from './members.ts';
import { retention } from './retention.ts';
import { tokens } from './tokens.ts';
import { userKeys } from './user-keys.ts';
import { visitors } from './visitors.ts';
import { webchat } from './webchat.ts';
import { workspaces } from './workspaces.ts';

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
  ...visitors,
  ...retention,
};
