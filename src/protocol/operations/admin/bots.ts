// Operations of the Admin API: bots, their deployment, logs, retention and webchat configuration.
import * as v from 'valibot';
import { maxRetentionDays } from '../../admin.ts';
import { limits } from '../../limits.ts';
import { admin } from '../../schemas/admin.ts';
import {
  agentTestSchema,
  botLogSchemas,
  botOrigin,
  botSchemas,
  deploymentSchema,
  newAgent,
  questionSchemas,
  webchatVersion,
} from '../../schemas/bots.ts';
import { schemas } from '../../schemas/chat.ts';
import { queries } from '../../schemas/query.ts';
import { filledText, maybe, timestamp } from '../../schemas/values.ts';
import { retentionDays } from '../../schemas/visitors.ts';
import { mutation, operations, query } from '../operation.ts';

const deploymentResponse = v.object({ deployment: deploymentSchema });
type Given = { code?: string | null; webhookUrl?: string | null; agent?: object | null };
/** Code, webhook and agent exclude each other. */
export const mutuallyExclusive = <T extends Given>() =>
  v.check<T, string>(
    (input) => [input.code, input.webhookUrl, input.agent].filter((field) => field != null).length <= 1,
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
    output: deploymentResponse,
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
        agent: maybe(v.nullable(newAgent(admin.webhookUrl))),
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
    output: deploymentResponse,
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

  testBotAgent: mutation({
    route: 'POST /bots/{id}/test-agent',
    summary:
      'Sends a short question to the agent of a bot, or to the agent of the request, which is not stored, as for a message of a ' +
      'visitor, and returns the beginning of the answer or why there is none. It takes up to 30 seconds, and counts ' +
      'towards the limits of the agent. Without a key in the request, the stored one is used if the origin of the address ' +
      'is the same.',
    auth: 'workspace',
    permission: 'bots.update',
    errors: ['ResourceNotFound'],
    input: v.object({
      agent: maybe(newAgent(admin.webhookUrl)),
      question: maybe(v.pipe(filledText, v.maxLength(limits.agentTestQuestion))),
    }),
    output: v.object({ test: agentTestSchema }),
    sample: { id: '<<bot>>', question: 'Do you have bikes?' },
    examples: [
      {
        id: '<<bot>>',
        agent: { url: 'http://127.0.0.1:1/v1', protocol: 'openai-chat', model: 'llama3.2', key: 'a-key' },
        question: 'Hello',
      },
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

const idText = maybe(v.pipe(schemas.id, v.maxLength(limits.adminName)));

export const questions = operations({
  listUnansweredQuestions: query({
    route: 'GET /bots/{id}/unanswered-questions',
    summary:
      'Lists the messages of visitors for which the knowledge of a bot has no passage, newest first: those of agents, whose ' +
      'knowledge bases are searched before they answer, and those of bots with `knowledgeResults`. Needs `inbox.read`, too, ' +
      'because they are texts of conversations; those of restricted teams are left out for others.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ questions: v.array(questionSchemas.question), meta: schemas.meta }),
    examples: [{ id: '<<bot>>' }],
  }),
});

export const botLogs = operations({
  listBotLogs: query({
    route: 'GET /bots/{id}/logs',
    summary:
      'Lists the log entries of a bot, newest first: ids, times and kinds of failures, without texts of ' +
      'visitors. `userId` selects the conversations in which this user is a participant. No entry belongs to a ' +
      '`workflowId`.',
    auth: 'workspace',
    permission: 'logs.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({
      ...schemas.sizedPage,
      timeStart: maybe(timestamp),
      timeEnd: maybe(timestamp),
      level: maybe(v.picklist(['info', 'warn', 'error'])),
      conversationId: idText,
      userId: idText,
      workflowId: idText,
      messageContains: idText,
    }),
    output: v.object({
      logs: v.array(botLogSchemas.botLog),
      // Also here, as the hosted product returns it.
      nextToken: maybe(v.string()),
      meta: schemas.meta,
    }),
    examples: [
      { id: '<<bot>>', timeStart: '2020-01-01T00:00:00Z', level: 'error', messageContains: 'failed' },
    ],
  }),

  listDeadLetters: query({
    route: 'GET /bots/{id}/dead-letters',
    summary:
      'Lists the dead letters of a bot, newest first: events that its webhook did not accept in any attempt.',
    auth: 'workspace',
    permission: 'logs.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ deadLetters: v.array(botLogSchemas.deadLetter), meta: schemas.meta }),
    examples: [{ id: '<<bot>>' }],
  }),

  redeliverDeadLetter: mutation({
    route: 'POST /bots/{id}/dead-letters/{eventId}/redeliver',
    summary: 'Delivers a dead letter again, starting with its first attempt.',
    auth: 'workspace',
    permission: 'logs.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>', eventId: 'evt_none' }],
  }),

  deleteDeadLetter: mutation({
    route: 'DELETE /bots/{id}/dead-letters/{eventId}',
    summary: 'Deletes a dead letter.',
    auth: 'workspace',
    permission: 'logs.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>', eventId: 'evt_none' }],
  }),
});

const period = maybe(
  v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxRetentionDays))),
);
const ownPeriod = maybe(v.number());
const retentionResponse = v.object({
  retention: v.object({
    messagesDays: ownPeriod,
    filesDays: ownPeriod,
    logsDays: ownPeriod,
    contactsDays: ownPeriod,
  }),
  defaults: retentionDays,
});

export const retention = operations({
  getBotRetention: query({
    route: 'GET /bots/{id}/retention',
    summary:
      'Returns after how many days data of a bot is removed, where the bot has periods of its own (`retention`), and the ' +
      'periods of the server (`defaults`), which hold for the others. 0 keeps the data.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    output: retentionResponse,
    examples: [{ id: '<<bot>>' }],
  }),

  setBotRetention: mutation({
    route: 'PUT /bots/{id}/retention',
    summary:
      'Sets after how many days data of a bot is removed: `messagesDays` conversations without activity, `filesDays` files ' +
      'of visitors, `logsDays` its log and dead letters, `contactsDays` e-mail addresses of visitors without activity. 0 ' +
      'keeps the data, null restores the period of the server, and periods that are left out stay. Nothing of a ' +
      'conversation is removed while it waits for a person or has one.',
    auth: 'workspace',
    permission: 'privacy.write',
    errors: ['ResourceNotFound'],
    input: v.object({ messagesDays: period, filesDays: period, logsDays: period, contactsDays: period }),
    output: retentionResponse,
    examples: [{ id: '<<bot>>', messagesDays: 365, filesDays: 90, logsDays: null, contactsDays: 0 }],
  }),
});

export const webchat = operations({
  getBotWebchat: query({
    route: 'GET /bots/{id}/webchat',
    summary:
      'Returns the stored dashboard configuration; with a `type`, also the code that adds the chat to a page.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['ResourceNotFound'],
    input: v.object({ type: maybe(schemas.embedType) }),
    output: v.object({ configuration: schemas.storedConfiguration, code: maybe(v.string()) }),
    examples: [{ id: '<<bot>>' }],
  }),

  setBotWebchat: mutation({
    route: 'PUT /bots/{id}/webchat',
    summary:
      'Replaces the stored dashboard configuration. Blank fields are omitted, and deprecated ones with a warning. If ' +
      'one field is invalid, nothing is changed.',
    auth: 'workspace',
    permission: 'webchat.update',
    errors: ['ResourceNotFound'],
    input: v.object({ configuration: schemas.configuration }),
    output: v.object({
      configuration: schemas.storedConfiguration,
      warnings: maybe(v.array(v.string())),
    }),
    sample: {
      id: '<<bot>>',
      configuration: { color: '#0a7a5a', botName: 'Help desk', starters: ['Where is my order?'] },
    },
    examples: [
      { id: '<<bot>>', configuration: { color: '#0a7a5a', botName: 'Ann', starters: ['Hi'], radius: 2 } },
    ],
  }),

  listBotWebchatVersions: query({
    route: 'GET /bots/{id}/webchat/versions',
    summary:
      'Lists the dashboard configurations that were stored for a bot, newest first; the first one is the present one. The newest 50 ' +
      'are kept. To go back to one, store its configuration with setBotWebchat.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ versions: v.array(webchatVersion), meta: schemas.meta }),
    examples: [{ id: '<<bot>>' }],
  }),

  listBotOrigins: query({
    route: 'GET /bots/{id}/origins',
    summary:
      'Lists the origins of the pages that have lately requested the chat of a bot, with the time of the last request, newest ' +
      'first. The server keeps up to 50 of them in memory, until it is restarted.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['ResourceNotFound'],
    output: v.object({ origins: v.array(botOrigin), meta: schemas.meta }),
    examples: [{ id: '<<bot>>' }],
  }),

  getBotSnippet: query({
    route: 'GET /bots/{id}/snippet',
    summary: 'Returns the HTML that adds the chat to a page.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['ResourceNotFound'],
    output: v.object({ snippet: v.string() }),
    examples: [{ id: '<<bot>>' }],
  }),
});

const botResponse = v.object({ bot: botSchemas.details });
/** The bots that have one of these integrations or plugins: none, because this server has neither. */
const unsupportedNames = maybe(v.array(v.string()));

export const bots = operations({
  listBots: query({
    route: 'GET /bots',
    summary:
      'Lists the bots of the workspace, newest first by default; with `tags`, those that have all of them, with ' +
      '`dev`, those that are being developed or not.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['InvalidQuery'],
    input: v.object({
      ...schemas.sizedPage,
      sortField: maybe(v.picklist(['createdAt', 'updatedAt'])),
      sortDirection: maybe(v.picklist(['asc', 'desc'])),
      dev: maybe(queries.flag),
      tags: maybe(botSchemas.tagQuery),
      integrationNames: unsupportedNames,
      pluginNames: unsupportedNames,
    }),
    output: v.object({ bots: v.array(botSchemas.bot), meta: schemas.meta }),
    sample: { sortField: 'updatedAt', tags: { team: 'sales' } },
    examples: [{ dev: false, tags: { a: 'b' }, sortField: 'updatedAt', sortDirection: 'asc' }],
  }),

  getBot: query({
    route: 'GET /bots/{id}',
    summary:
      'Returns a bot of the workspace with what was declared about it. Callers who may change the bot also receive ' +
      'the secret that signs its webhook requests.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    output: botResponse,
    examples: [{ id: '<<bot>>' }],
  }),

  createBot: mutation({
    route: 'POST /bots',
    summary:
      'Creates a bot with its own chat address. It does not respond until code, a webhook or an agent is configured. Names of ' +
      'bots are unique in a workspace. The response contains the secret that signs its webhook requests.',
    auth: 'workspace',
    permission: 'bots.create',
    errors: ['AlreadyExists'],
    input: v.pipe(
      v.object({
        name: maybe(admin.name),
        webhookId: maybe(admin.webhookId),
        code: maybe(admin.code),
        webhookUrl: maybe(admin.webhookUrl),
        ...botSchemas.newDefinition,
      }),
      mutuallyExclusive(),
    ),
    output: botResponse,
    sample: { name: 'Help desk', webhookId: 'help', webhookUrl: 'https://example.com/hook' },
    examples: [
      { name: 'Shop of <<user>>', webhookId: 'shop-of-<<user>>', webhookUrl: 'https://example.com/hook' },
      { tags: { a: 'b' }, dev: true, states: { cart: { type: 'user', schema: {} } } },
    ],
  }),

  updateBot: mutation({
    route: 'PUT /bots/{id}',
    summary:
      'Changes the name of a bot, its tags and what is declared about it. Tags and declarations are merged by name; ' +
      'null removes one. The response contains the secret that signs its webhook requests.',
    auth: 'workspace',
    permission: 'bots.update',
    errors: ['ResourceNotFound', 'AlreadyExists'],
    input: v.object({ name: maybe(admin.name), ...botSchemas.definitionChanges }),
    output: botResponse,
    sample: { id: '<<bot>>', name: 'Help desk' },
    examples: [
      { id: '<<bot>>', name: 'Desk of <<user>>' },
      { id: '<<bot>>', tags: { a: 'b', c: null }, states: { cart: null }, subscriptions: { events: null } },
      { id: '<<bot>>', configuration: { data: { a: 'b' } } },
    ],
  }),

  deleteBot: mutation({
    route: 'DELETE /bots/{id}',
    summary:
      'Deletes a bot with its users, conversations, files, tables and tokens. Its address is not assigned ' +
      'again.',
    auth: 'workspace',
    permission: 'bots.delete',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>' }],
  }),
});
