// The table of all operations of the Admin API, below `/v1/admin`. Only what holds a configuration takes a large body.
import { limits } from '../../../protocol/limits.ts';
import type { Operation } from '../../operations/operation.ts';
import { audit } from './audit.ts';
import { botLogOperations } from './bot-logs.ts';
import { bots } from './bots.ts';
import { deployment } from './deployment.ts';
import { members } from './members.ts';
import { tokens } from './tokens.ts';
import { userKeys } from './user-keys.ts';
import { visitors } from './visitors.ts';
import { webchat } from './webchat.ts';
import { workspaces } from './workspaces.ts';

/** All others take a handful of short texts. */
const large = ['setBotWebchat'];

export const adminOperations: readonly Operation[] = [
  ...bots,
  ...deployment,
  ...userKeys,
  ...webchat,
  ...workspaces,
  ...members,
  ...tokens,
  ...audit,
  ...botLogOperations,
  ...visitors,
].map((operation) => ({
  ...operation,
  ...(operation.body ? { bodyValues: limits.adminBodyValues } : {}),
  ...(operation.body && !large.includes(operation.id) ? { bodyBytes: limits.adminFormBytes } : {}),
}));
