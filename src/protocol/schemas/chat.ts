// Schemas of the Chat API: they validate requests and document responses. The compiler checks them against the types.
import * as v from 'valibot';
import type { Bot } from '../admin/admin.ts';
import type { FileFields, NewFile } from '../attachment.ts';
import type { Conversation, Invitation, ListedConversation } from '../conversation.ts';
import { type ErrorBody, errorTypes } from '../error.ts';
import type { Event } from '../event.ts';
import { foreignIdPattern, limits } from '../limits.ts';
import type { Feedback, Message } from '../message.ts';
import type { PageMeta } from '../page.ts';
import type { Configuration } from '../page-api/config.ts';
import { foreignUserIdPattern, foreignUserIdRule, type User, type UserFields } from '../user.ts';
import { features, type Webchat } from '../webchat.ts';
import { schemaOf } from './base/schema-of.ts';
import { userKeyInput } from './base/user-key-input.ts';
import { filledStorableText, filledText, maybe, storableText, timestamp } from './base/values.ts';
import { handlingComponents, handlingSchemas } from './handling.ts';
import { partComponents, partSchemas } from './parts.ts';
import * as payloads from './payloads.ts';
import { queries } from './query.ts';

const whole = storableText;
const id = filledStorableText;
const data = v.record(v.string(), v.unknown());

const user = schemaOf<User>()(
  v.object({
    id: v.string(),
    name: maybe(v.string()),
    pictureUrl: maybe(v.string()),
    profile: maybe(v.string()),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
);

/** The fields of a user that a client may set, with the limits of the platform. */
const userFields = schemaOf<UserFields>()(
  v.object({
    name: maybe(v.pipe(whole, v.maxLength(limits.userName))),
    pictureUrl: maybe(v.pipe(whole, v.maxLength(limits.userPictureUrl))),
    profile: maybe(v.pipe(whole, v.maxLength(limits.userProfile))),
  }),
);

const conversation = schemaOf<Conversation>()(
  v.object({
    id: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
);

const listedConversation = schemaOf<ListedConversation>()(
  v.object({
    ...conversation.entries,
    title: maybe(v.string()),
    preview: maybe(v.string()),
    lastMessageAt: maybe(timestamp),
    unread: maybe(v.pipe(v.number(), v.integer(), v.minValue(0))),
    state: maybe(handlingSchemas.handling.entries.state),
  }),
);

const invitation = schemaOf<Invitation>()(
  v.object({
    conversationId: v.string(),
    invitedBy: v.string(),
    invitedAt: timestamp,
  }),
);

/** The feedback that a visitor may send. */
const feedback = schemaOf<Feedback>()(
  v.object({
    value: v.picklist(['positive', 'negative']),
    comment: maybe(v.pipe(whole, v.maxLength(limits.feedbackComment))),
  }),
);

const message = schemaOf<Message>()(
  v.object({
    id: v.string(),
    createdAt: timestamp,
    payload: payloads.payload,
    userId: v.string(),
    conversationId: v.string(),
    metadata: maybe(data),
    author: maybe(handlingSchemas.author),
    feedback: maybe(feedback),
    parts: maybe(v.array(partSchemas.part)),
    supersedes: maybe(v.string()),
    supersededBy: maybe(v.string()),
  }),
);

/** The fields that announce a file. An empty file is refused, because there is nothing to upload. */
const fileFields = schemaOf<FileFields>()(
  v.object({
    key: v.pipe(id, v.maxLength(limits.fileKey)),
    size: v.pipe(v.number(), v.integer(), v.minValue(1)),
    contentType: maybe(v.pipe(v.string(), v.maxLength(255))),
  }),
);

const newFile = schemaOf<NewFile>()(
  v.object({
    id: v.string(),
    key: v.string(),
    size: v.number(),
    contentType: v.string(),
    status: v.picklist(['upload_pending', 'upload_completed']),
    url: v.string(),
    uploadUrl: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
);

const event = schemaOf<Event>()(
  v.object({
    id: v.string(),
    createdAt: timestamp,
    payload: data,
    conversationId: v.string(),
    userId: v.string(),
  }),
);

const error = schemaOf<ErrorBody>()(
  v.object({
    id: v.pipe(v.string(), v.regex(/^err_\d{14}x[0-9A-F]{8}$/)),
    code: v.pipe(v.number(), v.integer()),
    type: v.picklist(Object.keys(errorTypes) as (keyof typeof errorTypes)[]),
    message: v.string(),
    metadata: maybe(data),
  }),
);

/** As the server returns it. Its own object, so that the client's type is Configuration and not that of all data. */
const storedConfiguration: v.GenericSchema<unknown, Configuration> = { ...data };

const webchat = schemaOf<Webchat>()(
  v.object({
    configuration: storedConfiguration,
    botUserId: maybe(v.string()),
    features: v.array(v.picklist(features)),
    limits: v.object({
      messageBytes: v.number(),
      fileBytes: v.number(),
      fileTypes: v.array(v.string()),
      filesPerMessage: maybe(v.number()),
    }),
    sandboxOrigin: maybe(v.string()),
  }),
);

const bot = schemaOf<Bot>()(
  v.object({
    id: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    name: v.string(),
    deployedAt: maybe(timestamp),
    tags: v.record(v.string(), v.string()),
    type: v.picklist(['studio', 'adk', 'desk']),
  }),
);

/** Validated with the table of the widget (config.ts), because a schema would drop unknown names silently. */
const configuration = v.pipe(
  v.unknown(),
  v.metadata({
    type: 'object',
    description: 'Fields of the configuration of the widget, without its secrets.',
  }),
) as v.GenericSchema<unknown, Configuration>;

export const schemas = {
  text: filledText,
  whole,
  data,
  /** An id that a client chooses for a conversation. */
  foreignId: v.pipe(v.string(), v.regex(foreignIdPattern)),
  /** An id that an application chooses for a user. */
  foreignUserId: v.pipe(v.string(), v.regex(foreignUserIdPattern, `Expected ${foreignUserIdRule}.`)),
  userFields,
  userKey: userKeyInput,
  id,
  user,
  conversation,
  listedConversation,
  invitation,
  message,
  feedback,
  fileFields,
  newFile,
  payload: payloads.payload,
  event,
  error,
  webchat,
  bot,
  configuration,
  storedConfiguration,
  /** The `meta` of every list. */
  meta: schemaOf<PageMeta>()(v.object({ nextToken: maybe(v.string()) })),
  ...queries,
  nothing: v.object({}),
};

/** The schemas that have a name in the OpenAPI document. */
export const components = {
  User: user,
  Conversation: conversation,
  ListedConversation: listedConversation,
  Invitation: invitation,
  Message: message,
  Event: event,
  ...payloads.payloadComponents,
  Feedback: feedback,
  ...partComponents,
  ...handlingComponents,
  NewFile: newFile,
  Webchat: webchat,
  Bot: bot,
  Error: error,
};
