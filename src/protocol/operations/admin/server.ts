// Operations of the Admin API: what a workspace uses, and the state of the server.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { schemas } from '../../schemas/chat.ts';
import { maybe } from '../../schemas/values.ts';
import { mutation, operations, query } from '../operation.ts';

export const server = operations({
  getWorkspaceUsage: query({
    route: 'GET /usage',
    isHeavy: true,
    summary:
      'Returns what the visitors of each bot of the workspace have stored and sent in this hour, newest bots first, and the ' +
      'limits of this server.',
    auth: 'workspace',
    permission: 'workspaces.read',
    errors: ['InvalidQuery'],
    input: v.object(schemas.sizedPage),
    output: v.object({ bots: v.array(admin.botUsage), limits: admin.usageLimits, meta: schemas.meta }),
  }),

  getServerState: query({
    route: 'GET /server',
    summary:
      'Returns the state of the server: its version, its database and its disk, the sender of its mails, and the last backup. ' +
      'Only operators can do this.',
    auth: 'workspace',
    permission: 'server.read',
    output: v.object({ server: admin.serverState }),
  }),

  sendTestMail: mutation({
    route: 'POST /server/test-mail',
    summary:
      'Sends a mail to the caller, and waits until the mail server has accepted it. If it does not, `problem` says what it has ' +
      'answered. Only operators can do this.',
    auth: 'workspace',
    permission: 'server.write',
    errors: ['ResourceNotFound'],
    output: v.object({ to: v.string(), problem: maybe(v.string()) }),
    examples: [{}],
  }),
});
