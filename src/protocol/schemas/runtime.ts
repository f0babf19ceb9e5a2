// Schemas of the Runtime API that the Chat API does not have.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import type {
  RuntimeConversation,
  RuntimeEvent,
  RuntimeMessage,
  RuntimeState,
  RuntimeStream,
  RuntimeUser,
  StreamPosition,
  Tags,
} from '../runtime.ts';
import { schemaOf } from './base/schema-of.ts';
import { maybe, timestamp } from './base/values.ts';
import { schemas } from './chat.ts';
import { payloadTypes } from './payloads.ts';
import { boundedArray, preValidated } from './pre-validation.ts';
import { tagsWithLimit } from './tags.ts';

const isArray = (value: unknown) => Array.isArray(value);

const tags = v.record(v.string(), v.string());
/** Tags of a response. Some have known names, which the type of a record does not contain. */
const namedTags = <T extends Tags>() => ({ ...tags }) as unknown as v.GenericSchema<unknown, T>;

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
      typeof value !== 'object' || value === null || !droppedNames.some((one) => Object.hasOwn(value, one)),
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

export const runtimeSchemas = {
  conversation: schemaOf<RuntimeConversation>()(
    v.object({
      ...schemas.conversation.entries,
      tags: namedTags<RuntimeConversation['tags']>(),
      channel: v.string(),
      integration: v.string(),
      messageCount: v.number(),
      properties: maybe(tags),
    }),
  ),
  user: schemaOf<RuntimeUser>()(
    v.object({
      ...schemas.user.entries,
      tags: namedTags<RuntimeUser['tags']>(),
      properties: maybe(tags),
      attributes: maybe(tags),
    }),
  ),
  message: schemaOf<RuntimeMessage>()(
    v.object({
      ...schemas.message.entries,
      updatedAt: timestamp,
      type: v.picklist(payloadTypes),
      direction: v.picklist(['incoming', 'outgoing']),
      tags,
      origin: maybe(v.literal('synthetic')),
    }),
  ),
  event: schemaOf<RuntimeEvent>()(
    v.object({
      ...schemas.event.entries,
      type: v.string(),
      messageId: maybe(v.string()),
      status: v.picklist(['pending', 'processed', 'ignored', 'failed', 'scheduled', 'canceled']),
      failureReason: v.nullable(v.string()),
    }),
  ),
  state: schemaOf<RuntimeState>()(
    v.object({
      id: v.string(),
      createdAt: timestamp,
      updatedAt: timestamp,
      botId: v.string(),
      conversationId: maybe(v.string()),
      userId: maybe(v.string()),
      name: v.string(),
      type: v.picklist(['conversation', 'user', 'bot']),
      payload: schemas.data,
      expiry: maybe(v.number()),
      expiresAt: maybe(timestamp),
    }),
  ),
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
  stream: schemaOf<RuntimeStream>()(
    v.object({
      id: v.string(),
      conversationId: v.string(),
      createdAt: timestamp,
    }),
  ),
  position: schemaOf<StreamPosition>()(
    v.object({
      position: v.number(),
      stopped: v.boolean(),
    }),
  ),
};
