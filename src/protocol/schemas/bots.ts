// Schemas of bots in the Admin API: definition, deployment, agent and log.
import * as v from 'valibot';
import {
  agentShown,
  botLogTypes,
  deadLetterTypes,
  isAllowedHeader,
  maxAgentTimeout,
  protocolNames,
} from '../admin.ts';
import { limits } from '../limits.ts';
import { schemas } from './chat.ts';
import { tagsOf, tagsWithLimit } from './tags.ts';
import { boundedArray, data, described, describedObject, maybe, timestamp } from './values.ts';

const protocol = v.picklist(protocolNames);
const show = v.pipe(v.array(v.picklist(agentShown)), v.maxLength(agentShown.length));
const options = schemas.data;
/** Ids or names. */
const knowledge = v.union([
  v.literal('all'),
  v.pipe(
    v.array(v.pipe(schemas.id, v.maxLength(limits.knowledgeBaseName))),
    v.minLength(1),
    v.maxLength(limits.agentKnowledgeBases),
  ),
]);

/** Seconds. */
const timeout = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxAgentTimeout));

/** @param url the schema of a web address. */
export const newAgent = <T extends v.GenericSchema<string, string>>(url: T) =>
  v.object({
    url,
    protocol: maybe(protocol),
    model: maybe(v.pipe(schemas.id, v.maxLength(limits.adminName))),
    instructions: maybe(v.pipe(schemas.whole, v.maxLength(limits.agentInstructions))),
    options: maybe(options),
    show: maybe(show),
    knowledge: maybe(knowledge),
    timeout: maybe(timeout),
    key: maybe(
      v.nullable(
        v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,4000}$/, 'Expected ASCII characters without spaces.')),
      ),
    ),
    headers: maybe(
      v.nullable(
        v.pipe(
          v.record(v.string(), v.string()),
          v.check(
            (headers) =>
              Object.keys(headers).length <= limits.agentHeaders &&
              Object.entries(headers).every(([name, value]) => isAllowedHeader(name, value)),
            'Expected names and values of headers; those of the connection and the body cannot be set.',
          ),
        ),
      ),
    ),
  });

const agentDeployment = describedObject(
  'The agent of a bot. Its key and the values of its headers cannot be read.',
  {
    url: v.string(),
    protocol,
    model: maybe(v.string()),
    instructions: maybe(v.string(), 'Returned only to callers who may change it, like the next field.'),
    options: maybe(options, 'Merged into the body of each request last; null removes a field.'),
    show: v.array(v.picklist(agentShown)),
    knowledge: maybe(
      knowledge,
      'Ids or names of knowledge bases, or `all`: the agent gets passages of their files, and may tell ' +
        'their content to anybody who can open the chat.',
    ),
    timeout: maybe(
      timeout,
      'Seconds without a byte after which a run fails; by default those of the setting `AGENT_TIMEOUT`.',
    ),
    hasKey: described(v.boolean(), 'Whether requests have a key.'),
    headerNames: described(v.array(v.string()), 'The names of further headers.'),
  },
);

export const deploymentSchema = describedObject(
  'The code that a bot runs, the address of its chat, and the secrets that its application needs.',
  {
    webhookId: described(v.string(), "The last part of the chat's address."),
    chatUrl: described(v.string(), 'The address of the chat, for `chatUrl` of the widget and of clients.'),
    code: maybe(v.string(), "A module in the server's folder of bots, such as `shop.mjs`."),
    webhookUrl: maybe(v.string(), 'The address that receives events, if the bot has no code.'),
    agent: maybe(agentDeployment, 'The agent that answers, if the bot has neither code nor a webhook.'),
    webhookFormat: maybe(
      v.literal('hosted'),
      '`hosted`: requests to the webhook are those of the hosted product. Left out for the format of this server.',
    ),
    outgoingEvents: maybe(
      v.boolean(),
      'True for a bot that also receives events about the messages and events that it sends itself.',
    ),
    visitorHandoff: maybe(
      v.boolean(),
      'True if all visitors can ask for a person (`POST /conversations/{id}/handoff`), not only by a ' +
        'button of the bot.',
    ),
    ratings: maybe(
      v.boolean(),
      'False if visitors are not asked for a rating when a conversation with a person is closed.',
    ),
    readReceipts: maybe(
      v.boolean(),
      'True if visitors see what the person who answers has read, and members what the visitor has read.',
    ),
    returnUrl: maybe(
      v.string(),
      'The page of the site to which links in mails lead visitors whom the site identifies.',
    ),
    knowledgeResults: maybe(
      v.number(),
      'Passages of the knowledge bases that are searched for with each message of a user (`event.kb.results`).',
    ),
    signingSecret: maybe(
      v.string(),
      'Signs the events sent to the webhook. Returned only to callers who may change it, like the next field.',
    ),
    userKeySecret: maybe(
      v.string(),
      'Signs user keys of this bot (HS256). Absent if that secret is the server setting.',
    ),
  },
);

const botLog = describedObject(
  "One entry of a bot's log. It contains ids, numbers and texts of the server, never content of users.",
  {
    id: v.string(),
    timestamp,
    level: v.picklist(['info', 'warn', 'error']),
    type: v.picklist(botLogTypes),
    message: described(v.string(), 'A description of the entry.'),
    eventId: v.string(),
    conversationId: v.string(),
    attempt: described(v.number(), 'Counts from 1.'),
    status: maybe(v.number(), 'The HTTP status of the response, if there was one.'),
    reason: maybe(v.string(), 'The cause if there was no response, such as `timeout` or `ECONNREFUSED`.'),
    error: maybe(
      data,
      'The type, code and stack of an error that bot code threw. Its message only if the server wrote ' +
        'it, without values.',
    ),
  },
);
const deadLetter = describedObject('An event that could not be delivered.', {
  eventId: v.string(),
  conversationId: v.string(),
  userId: v.string(),
  type: described(v.picklist(deadLetterTypes), 'The cause of the event.'),
  createdAt: timestamp,
  failedAt: timestamp,
  attempts: v.number(),
  reason: described(v.string(), 'Why the last attempt failed: the HTTP status, or a short code.'),
});

export const botLogSchemas = { botLog, deadLetter };

/** A text of a declaration, such as a title. */
const label = v.pipe(schemas.whole, v.maxLength(limits.botText));
const name = v.pipe(schemas.id, v.maxLength(limits.fileTagName));
const tagValue = v.pipe(schemas.whole, v.maxLength(limits.fileTagValue));
const schema = schemas.data;

/** Values by name, at most as many as a bot can declare. */
const named = <T extends v.GenericSchema>(value: T) => tagsWithLimit(name, value, limits.botNames);
const attributes = named(label);

const tagDefinition = v.object({ title: maybe(label), description: maybe(label) });
const state = v.object({
  type: v.picklist(['conversation', 'user', 'bot']),
  schema,
  expiry: maybe(v.pipe(v.number(), v.minValue(0))),
});
const event = v.object({
  title: maybe(label),
  description: maybe(label),
  schema,
  attributes: maybe(attributes),
});
const action = v.object({
  title: maybe(label),
  description: maybe(label),
  billable: maybe(v.boolean()),
  cacheable: maybe(v.boolean()),
  input: v.object({ schema }),
  output: v.object({ schema }),
  attributes: maybe(attributes),
});
const media = v.object({ url: v.pipe(schemas.id, v.maxLength(limits.webhookUrl)), name: label });
const type = v.picklist(['studio', 'adk', 'desk']);

/** Values that are not empty: a program that sends `{}` or `[]` asks for nothing. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** A field of other servers of this API: accepted if it asks for nothing, otherwise refused with the alternative. */
const unavailable = (alternative: string) =>
  maybe(v.pipe(v.unknown(), v.metadata({ clientType: 'never' }), v.check(isEmpty, alternative)));

/** Fields that would have an effect at another server, and the message with which a value is refused. */
const unavailableFields = {
  url: unavailable('Use webhookUrl: this server sends events as docs/guides/bots.md describes.'),
  secrets: unavailable('Secrets of bot code are variables of its own process.'),
  recurringEvents: unavailable(
    'This server has no schedule: call createMessage of the Runtime API at that time.',
  ),
  integrations: unavailable('This server has no integrations: use a token of the kind `integration`.'),
  plugins: unavailable('This server has no plugins: the module of the bot imports what it needs.'),
  layers: unavailable('This server has no layers: the module of the bot imports what it needs.'),
  blocked: unavailable('Remove the code or the webhook of the bot with setBotDeployment.'),
};

/** A map whose entries replace those of the same name; null removes one, and null for the map removes all. */
const changed = <T extends v.GenericSchema>(value: T) => v.nullable(tagsOf(name, v.nullable(value)));
const changedTagDefinitions = v.nullable(v.object({ tags: maybe(changed(tagDefinition)) }));

const common = {
  description: maybe(label),
  medias: maybe(boundedArray(media, limits.botNames)),
  configuration: maybe(v.object({ data: maybe(schemas.data), schema: maybe(schema) })),
  maxExecutionTime: maybe(v.pipe(v.number(), v.minValue(0))),
  alwaysAlive: maybe(v.boolean()),
  type: maybe(type),
  ...unavailableFields,
};

/** Entries of the body of createBot. */
const newDefinition = {
  ...common,
  dev: maybe(v.boolean()),
  tags: maybe(tagsWithLimit(name, tagValue, limits.fileTags)),
  user: maybe(v.object({ tags: maybe(named(tagDefinition)) })),
  conversation: maybe(v.object({ tags: maybe(named(tagDefinition)) })),
  message: maybe(v.object({ tags: maybe(named(tagDefinition)) })),
  states: maybe(named(state)),
  events: maybe(named(event)),
  actions: maybe(named(action)),
  subscriptions: maybe(v.object({ events: v.nullable(named(schemas.data)) })),
};

/** Entries of the body of updateBot. */
const definitionChanges = {
  ...common,
  tags: maybe(tagsOf(name, v.nullable(tagValue))),
  user: maybe(changedTagDefinitions),
  conversation: maybe(changedTagDefinitions),
  message: maybe(changedTagDefinitions),
  states: maybe(changed(state)),
  events: maybe(changed(event)),
  actions: maybe(changed(action)),
  subscriptions: maybe(v.nullable(v.object({ events: maybe(changed(schemas.data)) }))),
};

const bot = describedObject('A bot of the workspace.', {
  id: v.string(),
  createdAt: described(timestamp, 'ISO 8601, like all other times.'),
  updatedAt: timestamp,
  name: v.string(),
  deployedAt: maybe(
    timestamp,
    'When the code, the webhook address or the agent of the bot last changed. Absent if it has none of them.',
  ),
  answeredBy: maybe(
    v.picklist(['agent', 'webhook', 'code', 'server', 'people']),
    'The first answerer of visitors: as set for the bot, as the settings of the server say (`server`), or only people.',
  ),
  tags: v.record(v.string(), v.string()),
  type: described(
    type,
    'How the bot is developed, as its creator declared it: `adk` (code) by default. It has no effect.',
  ),
});

const tagDefinitions = v.object({ tags: v.record(v.string(), tagDefinition) });

const definition = describedObject(
  'The parts of a bot that the server stores and returns as they were declared. Bot code does not depend on them.',
  {
    description: maybe(v.string()),
    maxExecutionTime: maybe(
      v.number(),
      'Milliseconds that a run of the bot may take, as it was declared; the limit is a setting of the server.',
    ),
    user: tagDefinitions,
    conversation: tagDefinitions,
    message: tagDefinitions,
    states: v.record(v.string(), state),
    events: v.record(v.string(), event),
    actions: v.record(v.string(), action),
    subscriptions: v.object({ events: v.nullable(v.record(v.string(), schemas.data)) }),
    configuration: described(
      v.object({ data: schemas.data, schema }),
      'Only callers who may change the bot receive `data`; it is empty for all others.',
    ),
    medias: v.array(media),
    alwaysAlive: v.boolean(),
  },
);
const empty = v.record(v.string(), v.never());

const details = describedObject('A bot with its definition.', {
  ...bot.entries,
  ...definition.entries,
  dev: described(v.boolean(), 'True for a bot that is being developed; `listBots` filters by it.'),
  status: v.picklist(['active']),
  signingSecret: maybe(
    v.string(),
    'Signs the events sent to the webhook; empty without a webhook. Only `getBot` returns it, to ' +
      'callers who may change the bot.',
  ),
  integrations: described(
    empty,
    'This server has no integrations, plugins, recurring events and secrets: these are always empty.',
  ),
  plugins: empty,
  recurringEvents: empty,
  secrets: v.array(v.string()),
});

export const agentTestSchema = describedObject('The result of a test of an agent.', {
  latencyMs: described(v.number(), 'Milliseconds until the first text of the answer, or until the failure.'),
  text: maybe(v.string(), 'The beginning of the answer.'),
  model: maybe(v.string(), 'The name of the model, as it is set.'),
  error: maybe(
    v.object({
      code: described(v.string(), 'As `reason` in the log of the bot.'),
      status: maybe(v.number(), 'The HTTP status of the response, if it is the reason.'),
      message: described(v.string(), 'The reason in words.'),
    }),
    'Why there is no answer, or only its beginning.',
  ),
});

export const botOrigin = describedObject('A page that has requested the chat of a bot.', {
  origin: described(v.string(), 'Such as `https://shop.example`.'),
  seenAt: described(timestamp, 'When it was last requested there.'),
});

export const webchatVersion = describedObject(
  'A dashboard configuration of a bot as it was stored at a time.',
  {
    id: v.string(),
    createdAt: timestamp,
    memberId: maybe(
      v.string(),
      'The member who stored it. Absent if no member did, or if it was stored by an earlier version.',
    ),
    memberName: maybe(v.string(), 'Their name or e-mail address. Absent if they were removed.'),
    configuration: schemas.storedConfiguration,
  },
);

export const botSchemas = {
  bot,
  details,
  newDefinition,
  definitionChanges,
  /** A filter: the bots that have all of these tags. */
  tagQuery: tagsWithLimit(name, tagValue, limits.filterTags),
};

const question = describedObject(
  'A message of a visitor for which a search of the knowledge of the bot found no passage.',
  {
    messageId: v.string(),
    conversationId: described(v.string(), 'The id of the server.'),
    text: described(v.string(), 'The beginning of the message as plain text.'),
    askedAt: timestamp,
  },
);

export const questionSchemas = { question };

export const types = {
  UnansweredQuestion: question,
  AgentDeployment: agentDeployment,
  Deployment: deploymentSchema,
  BotLog: botLog,
  DeadLetter: deadLetter,
  Bot: bot,
  BotDefinition: definition,
  BotDetails: details,
  AgentTest: agentTestSchema,
  BotOrigin: botOrigin,
  WebchatVersion: webchatVersion,
};
