// Schemas of the Runtime API that the Chat API does not have.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import type { PayloadType } from '../payloads.ts';
import { schemas } from './chat.ts';
import { payloadTypes } from './payloads.ts';
import { tagsWithLimit } from './tags.ts';
import {
  boundedArray,
  described,
  describedObject,
  maybe,
  preValidated,
  timestamp,
  writtenType,
} from './values.ts';

const isArray = (value: unknown) => Array.isArray(value);

const tags = described(
  v.record(v.string(), v.string()),
  'Texts under names, which a bot attaches to its conversations, messages and users to find them again.',
);

/** Refuses a list: to a schema of a record, it would be one with numbers as names. */
const noList = <T extends v.GenericSchema>(schema: T): T =>
  preValidated(schema, (value) => !isArray(value), 'Expected an object.');

const name = v.pipe(schemas.id, v.maxLength(limits.tagName));
const value = v.pipe(schemas.whole, v.maxLength(limits.tagValue));
/** Tags of a request. An empty value, and null, mean that there is no such tag. */
const newTags = noList(tagsWithLimit(name, v.nullable(value), limits.tags));

/** Names that the schema library drops. */
const droppedNames = ['__proto__', 'constructor', 'prototype'];

/** An object that is stored as it is. */
const storedObject = noList(
  preValidated(
    v.record(v.string(), v.unknown()),
    (value) =>
      typeof value !== 'object' || value === null || !droppedNames.some((name) => Object.hasOwn(value, name)),
    `Expected other names than ${droppedNames.join(', ')}.`,
  ),
);

/** A field of existing clients that this server does not support: it is refused instead of ignored. */
const refused = (message: string) => maybe(v.never(message));

/** Milliseconds until a state expires; null: never. */
const expiry = maybe(
  v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(limits.stateExpiry))),
);

const date = v.pipe(schemas.text, v.isoTimestamp('Expected a date and time in ISO 8601.'));

const conversation = describedObject(
  'A conversation as its bot sees it: `owner` is the user who created it, `fid` the id that the ' +
    'application chose.',
  {
    ...schemas.conversation.entries,
    tags: v.objectWithRest({ owner: v.string(), fid: maybe(v.string()) }, v.string()),
    channel: described(
      v.string(),
      '`channel`, unless the bot named another one when it created the conversation.',
    ),
    integration: described(v.string(), 'Always `chat`.'),
    messageCount: v.number(),
    properties: maybe(tags),
  },
);

const user = describedObject('A user as their bot sees them: `fid` is the id that the application chose.', {
  ...schemas.user.entries,
  tags: v.objectWithRest({ fid: maybe(v.string()), profile: maybe(v.string()) }, v.string()),
  properties: maybe(tags),
  attributes: maybe(tags),
});

const message = describedObject('A message as its bot sees it.', {
  ...schemas.message.entries,
  updatedAt: timestamp,
  type: described(
    writtenType<PayloadType>('PayloadType', 'payloads.ts', v.picklist(payloadTypes)),
    'The type of the payload.',
  ),
  direction: described(v.picklist(['incoming', 'outgoing']), '`outgoing`: the bot sent it.'),
  tags,
  origin: maybe(v.literal('synthetic')),
});

const event = describedObject('A custom event as its bot sees it.', {
  ...schemas.event.entries,
  type: described(v.string(), '`custom`, unless the bot named another type.'),
  messageId: maybe(v.string()),
  status: described(
    v.picklist(['pending', 'processed', 'ignored', 'failed', 'scheduled', 'canceled']),
    '`pending` until the bot has handled the event of a visitor; `failed` after its webhook has ' +
      'refused every attempt.',
  ),
  failureReason: described(v.nullable(v.string()), 'Why the last attempt at the webhook of the bot failed.'),
});

const stateType = described(
  v.picklist(['conversation', 'user', 'bot']),
  'The resources to which states belong.',
);

const state = describedObject('An object that a bot stores under a name.', {
  id: v.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  botId: v.string(),
  conversationId: maybe(v.string()),
  userId: maybe(v.string()),
  name: v.string(),
  type: stateType,
  payload: schemas.data,
  expiry: maybe(
    v.number(),
    'Milliseconds after the last change until the state expires; left out if it does not expire.',
  ),
  expiresAt: maybe(timestamp),
});

const stream = describedObject('An answer that is being written.', {
  id: v.string(),
  conversationId: v.string(),
  createdAt: timestamp,
});

const position = describedObject('The position of a streamed answer.', {
  position: described(v.number(), 'Characters (UTF-16) written so far.'),
  stopped: described(
    v.boolean(),
    'The visitor stopped it: further writes have no effect, and `end` returns the stored message.',
  ),
});

export const runtimeSchemas = {
  conversation,
  user,
  message,
  event,
  state,
  stream,
  position,
  created: v.object({ created: v.boolean() }),
  cached: v.object({ cached: v.boolean() }),
  newTags,
  /** A name that the bot chooses, of a state, a channel or a type. */
  name: v.pipe(schemas.id, v.maxLength(limits.runtimeName)),
  storedObject,
  expiry,
  refused,
  date,
  /** Entries of the body that finds a resource by its tags, or creates it. */
  discriminateByTags: maybe(boundedArray(name, limits.tags, 1)),
  /** The name of the integration as existing bots send it. */
  integrationName: maybe(
    v.picklist(['chat', 'webchat'], 'Expected chat or webchat: this server has no other integrations.'),
  ),
  /** The tags of a query: a resource must have all of them. */
  tagQuery: maybe(noList(tagsWithLimit(name, value, limits.filterTags))),
};

export const types = {
  Tags: tags,
  RuntimeConversation: conversation,
  RuntimeUser: user,
  RuntimeMessage: message,
  RuntimeEvent: event,
  StateType: stateType,
  RuntimeState: state,
  RuntimeStream: stream,
  StreamPosition: position,
};
