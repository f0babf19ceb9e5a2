// Operations of the Admin API: deployment.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { deployment as schema } from '../../schemas/admin/deployment.ts';
import { admin } from '../../schemas/admin.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ deployment: schema });
type Given = { code?: string | null; webhookUrl?: string | null; agent?: object | null };
/** Code, webhook and agent exclude each other. */
export const mutuallyExclusive = <T extends Given>() =>
  v.check<T, string>(
    (given) => [given.code, given.webhookUrl, given.agent].filter((one) => one != null).length <= 1,
    'A bot runs code, or has a webhookUrl, or an agent: only one of them.',
  );

export const deployment = operations({
  getBotDeployment: query({
    route: 'GET /bots/{id}/deployment',
    summary:
      'Returns the code, the webhook or the agent of a bot and its chat address. Only callers who may change the secrets ' +
      'receive them.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<bot>>' }],
  }),

  setBotDeployment: mutation({
    route: 'PUT /bots/{id}/deployment',
    summary:
      'Sets the code of a bot (a module in the server’s folder of bots), its webhook, or the agent at an address that ' +
      'answers its visitors; each replaces the others. An omitted field is unchanged, null removes it. The fields of ' +
      '`agent` are set together, except that its key and headers are kept if they are omitted and the origin of its ' +
      'address is the same; they are never returned. With `outgoingEvents` the bot also receives events about what ' +
      'it sends. With `visitorHandoff` all of its visitors can ask for a person. With `ratings: false` they are not asked ' +
      'for a rating when a conversation with a person is closed. With `readReceipts` visitors see what the person who ' +
      'answers has read, and members what the visitor has read. Links in mails about answers lead visitors whom an application identifies to ' +
      '`returnUrl`. With `knowledgeResults` its knowledge bases are searched ' +
      'for each message of a user, and the event ' +
      'contains up to that number of passages; 0 ends it. With `webhookFormat: hosted` the requests to the webhook are ' +
      'those that the SDK of the hosted product reads.',
    auth: 'workspace',
    permission: 'bots.update',
    errors: ['ResourceNotFound'],
    input: v.pipe(
      v.object({
        code: maybe(v.nullable(admin.code)),
        webhookUrl: maybe(v.nullable(admin.webhookUrl)),
        agent: maybe(v.nullable(admin.agent)),
        webhookFormat: maybe(v.picklist(['standard', 'hosted'])),
        outgoingEvents: maybe(v.boolean()),
        visitorHandoff: maybe(v.boolean()),
        ratings: maybe(v.boolean()),
        readReceipts: maybe(v.boolean()),
        returnUrl: maybe(v.nullable(admin.webhookUrl)),
        knowledgeResults: maybe(
          v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(limits.searchResults)),
        ),
      }),
      mutuallyExclusive(),
    ),
    output: response,
    examples: [
      { id: '<<bot>>', webhookUrl: 'https://example.com/hook' },
      { id: '<<bot>>', code: null, webhookUrl: null },
      { id: '<<bot>>', agent: { url: 'https://example.com/v1', model: 'llama3.2', key: 'a-key' } },
      { id: '<<bot>>', outgoingEvents: true },
      { id: '<<bot>>', visitorHandoff: true, ratings: false, readReceipts: true },
      { id: '<<bot>>', returnUrl: 'https://example.com/help' },
      { id: '<<bot>>', knowledgeResults: 5 },
      { id: '<<bot>>', webhookUrl: 'https://example.com/hook', webhookFormat: 'hosted' },
    ],
  }),

  rotateBotSecrets: mutation({
    route: 'POST /bots/{id}/deployment/rotate',
    summary:
      'Replaces the secrets of a bot; getBotDeployment returns the new ones. User keys signed with the old ' +
      'secret become invalid, the streams that they opened are closed, and webhook requests are signed with the ' +
      'new secret.',
    auth: 'workspace',
    // The same permission as for deleting a token, because it ends the access of callers.
    permission: 'tokens.write',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>' }],
  }),
});
