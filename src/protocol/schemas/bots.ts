// Schemas of bots in the Admin API: what a program declares about a bot, and the bot as it is returned.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { described, describedObject, maybe } from './base/described.ts';
import { timestamp } from './base/values.ts';
import { schemas } from './chat.ts';
import { boundedArray } from './pre-validation.ts';
import { tagsOf, tagsWithLimit } from './tags.ts';

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

/** What is not empty: a program that sends `{}` or `[]` asks for nothing. */
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

export const botSchemas = {
  bot,
  details,
  newDefinition,
  definitionChanges,
  /** A filter: the bots that have all of these tags. */
  tagQuery: tagsWithLimit(name, tagValue, limits.filterTags),
};

export const types = { Bot: bot, BotDefinition: definition, BotDetails: details };
