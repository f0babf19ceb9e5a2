// Operations of the Admin API: deployment.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ deployment: admin.deployment });
type Given = { code?: string | null; webhookUrl?: string | null };
/** Code and webhook exclude each other. */
export const mutuallyExclusive = <T extends Given>() =>
  v.check<T, string>(
    ({ code, webhookUrl }) => typeof code !== 'string' || typeof webhookUrl !== 'string',
    'A bot runs code or has a webhookUrl, not both.',
  );

export const deployment = operations({
  getBotDeployment: query({
    route: 'GET /bots/{id}/deployment',
    summary:
      'Returns what a bot runs and where its chat is; its secrets only to callers who may change them.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<bot>>' }],
  }),

  setBotDeployment: mutation({
    route: 'PUT /bots/{id}/deployment',
    summary:
      'Sets what a bot runs: a module of the server’s folder of bots, or a webhook, each in place of the other. ' +
      'What is left out stays, null takes it away.',
    auth: 'workspace',
    permission: 'bots.update',
    errors: ['ResourceNotFound'],
    input: v.pipe(
      v.object({
        code: v.exactOptional(v.nullable(admin.code)),
        webhookUrl: v.exactOptional(v.nullable(admin.webhookUrl)),
      }),
      mutuallyExclusive(),
    ),
    output: response,
    examples: [
      { id: '<<bot>>', webhookUrl: 'https://example.com/hook' },
      { id: '<<bot>>', code: null, webhookUrl: null },
    ],
  }),

  rotateBotSecrets: mutation({
    route: 'POST /bots/{id}/deployment/rotate',
    summary:
      'Ends the secrets of a bot and makes others, which getBotDeployment tells: user keys that were signed before are ' +
      'good no more, streams that they opened end, and what goes to the webhook is signed again.',
    auth: 'workspace',
    // The same permission as for deleting a token, because it ends the access of callers.
    permission: 'tokens.write',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>' }],
  }),
});
