// All operations of the Admin API, in the order of the documentation.
import { audit } from './audit.ts';
import { botLogs } from './bot-logs.ts';
import { bots } from './bots.ts';
import { deployment } from './deployment.ts';
import { members } from './members.ts';
import { tokens } from './tokens.ts';
import { userKeys } from './user-keys.ts';
import { visitors } from './visitors.ts';
import { webchat } from './webchat.ts';
import { workspaces } from './workspaces.ts';

export const adminOperations = {
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
};
