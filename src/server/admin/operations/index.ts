// The handlers of all operations of the Admin API.
import type { Handler } from '../../api/handler.ts';
import { apiKeyHandlers } from './api-keys.ts';
import { auditHandlers } from './audit.ts';
import { botLogHandlers } from './bot-logs.ts';
import { botHandlers } from './bots.ts';
import { deploymentHandlers } from './deployment.ts';
import { memberHandlers } from './members.ts';
import { questionHandlers } from './questions.ts';
import { retentionHandlers } from './retention.ts';
import { serverHandlers } from './server.ts';
import type { AdminServices } from './services.ts';
import { tokenHandlers } from './tokens.ts';
import { userKeyHandlers } from './user-keys.ts';
import { visitorHandlers } from './visitors.ts';
import { webchatHandlers } from './webchat.ts';
import { workspaceHandlers } from './workspaces.ts';

export const adminHandlers: readonly Handler<AdminServices>[] = [
  ...apiKeyHandlers,
  ...botHandlers,
  ...deploymentHandlers,
  ...userKeyHandlers,
  ...webchatHandlers,
  ...workspaceHandlers,
  ...memberHandlers,
  ...tokenHandlers,
  ...auditHandlers,
  ...botLogHandlers,
  ...questionHandlers,
  ...visitorHandlers,
  ...retentionHandlers,
  ...serverHandlers,
];
