// Operations of the hosted product's client that this server does not offer, in one table, each with the alternative.
// The server answers them with 501, so that a program stops at the call that it must change, and names it.
import type { Method } from '../route.ts';

/** A method and a path. `ANY` is every method, and a path that ends in `/*` includes everything below it. */
export type UnofferedRoute = `${Method | 'PATCH' | 'ANY'} /${string}`;

export interface NotOffered {
  /** The API whose base is in front of the routes; `billing` is an API that this server does not have at all. */
  api: 'runtime' | 'admin' | 'files' | 'tables' | 'inbox' | 'billing';
  /** The subject of the message, in the plural. */
  subject: string;
  routes: readonly UnofferedRoute[];
  /** The alternative: one or two sentences. */
  alternative: string;
}

/** The base of the routes of an API that is not part of `apis`. */
export const billingBase = '/v2';

const ownProgram =
  'A program of your own calls the other service and this server: its token is of the kind `integration` (POST /v1/admin/tokens).';
const botCode =
  'A bot is a module in the server’s folder of bots, or a webhook: PUT /v1/admin/bots/{id}/deployment.';

export const notOffered: readonly NotOffered[] = [
  {
    api: 'admin',
    subject: 'Integrations',
    routes: ['ANY /integrations/*', 'ANY /hub/integrations/*', 'ANY /bots/{id}/integrations/*'],
    alternative: ownProgram,
  },
  {
    api: 'admin',
    subject: 'Interfaces',
    routes: ['ANY /interfaces/*', 'ANY /hub/interfaces/*'],
    alternative: ownProgram,
  },
  {
    api: 'admin',
    subject: 'Plugins',
    routes: ['ANY /plugins/*', 'ANY /hub/plugins/*'],
    alternative: `${botCode} The module imports what it needs.`,
  },
  {
    api: 'admin',
    subject: 'Versions of bots',
    routes: [
      'ANY /bots/{id}/versions/*',
      'ANY /bots/{id}/bot-json',
      'ANY /bots/{id}/publish-from-bot-json',
      'ANY /bots/{id}/transfer',
    ],
    alternative: `${botCode} Its history is that of your repository.`,
  },
  {
    api: 'admin',
    subject: 'Issues and runs of actions',
    routes: ['ANY /bots/{id}/issues/*', 'ANY /bots/{id}/action-runs'],
    alternative: 'Failures of a bot are in its log: GET /v1/admin/bots/{id}/logs and /dead-letters.',
  },
  {
    api: 'admin',
    subject: 'Analytics and activities',
    routes: ['ANY /bots/{id}/analytics', 'ANY /activities/*'],
    alternative:
      'The page sends events of the chat to your analytics (docs/guides/analytics.md); actions of administrators are in GET /v1/admin/audit.',
  },
  {
    api: 'admin',
    subject: 'Lists of users who may test a bot',
    routes: ['ANY /bots/{id}/allowlist'],
    alternative: 'ALLOWED_ORIGINS limits the pages that can open a chat (docs/reference/settings.md).',
  },
  {
    api: 'admin',
    subject: 'Separate signing secrets',
    routes: ['ANY /bots/{id}/signing-secrets/rotate'],
    alternative:
      'POST /v1/admin/bots/{id}/deployment/rotate replaces all secrets of a bot, those of user keys included.',
  },
  {
    api: 'admin',
    subject: 'Usage, quotas and invoices',
    routes: [
      'ANY /usages/*',
      'ANY /quotas/*',
      'ANY /workspaces/usages/*',
      'ANY /workspaces/{id}/usages/*',
      'ANY /workspaces/{id}/quota',
      'ANY /workspaces/{id}/quotas',
      'ANY /workspaces/{id}/billing/*',
      'ANY /workspaces/{id}/migrate-to-v4',
    ],
    alternative: 'Nothing is metered. The settings limit what visitors use (docs/reference/settings.md).',
  },
  {
    api: 'admin',
    subject: 'Public pages and handles of workspaces',
    routes: ['ANY /workspaces/public', 'ANY /workspaces/{id}/public', 'ANY /workspaces/handle-availability'],
    alternative: 'A workspace is visible to its members only: GET /v1/admin/workspaces.',
  },
  {
    api: 'admin',
    subject: 'Audit records of this form',
    routes: ['ANY /workspaces/{id}/audit-records'],
    alternative: 'GET /v1/admin/audit lists the audit trail of a workspace.',
  },
  {
    api: 'admin',
    subject: 'Preferences',
    routes: ['ANY /account/preferences/*', 'ANY /workspaces/preferences/*'],
    alternative: 'A table of a bot stores values of your application: /v1/tables.',
  },
  {
    api: 'admin',
    subject: 'Deletions of one’s own account',
    routes: ['POST /account/me', 'DELETE /account/me'],
    alternative: 'An administrator removes the member: DELETE /v1/admin/workspace-members/{id}.',
  },
  {
    api: 'admin',
    subject: 'Introspections',
    routes: ['ANY /introspect'],
    alternative: 'GET /v1/admin/tokens/current returns the token of the request with its permissions.',
  },
  {
    api: 'admin',
    subject: 'Scripts in VRL',
    routes: ['ANY /helper/vrl'],
    alternative: botCode,
  },
  {
    api: 'runtime',
    subject: 'Workflows and tasks',
    routes: ['ANY /workflows/*'],
    alternative:
      'Bot code keeps what it does in a state of the conversation: POST /v1/chat/states/{type}/{id}/{name}.',
  },
  {
    api: 'runtime',
    subject: 'Scheduled events',
    routes: ['ANY /events/scheduled/*'],
    alternative: 'Send the event when it is due: POST /v1/chat/events.',
  },
  {
    api: 'runtime',
    subject: 'Operations of integrations',
    routes: ['ANY /integrations/*', 'POST /initialize-incoming-message', 'POST /messages/import-messages'],
    alternative: `Messages of users arrive through the Chat API, /chat/{webhookId}. ${ownProgram}`,
  },
  {
    api: 'runtime',
    subject: 'Analytics and observations',
    routes: ['POST /analytics', 'POST /observations'],
    alternative: 'A table of the bot stores numbers and notes: POST /v1/tables/{table}/rows.',
  },
  {
    api: 'runtime',
    subject: 'Lists of the values of a tag',
    routes: ['ANY /tags/*'],
    alternative:
      'The lists of conversations, messages and users find those with a value: GET /v1/chat/conversations.',
  },
  {
    api: 'billing',
    subject: 'Billing and plans',
    routes: ['ANY /billing/*', 'ANY /usage/*'],
    alternative: 'This server costs nothing and meters nothing.',
  },
];
