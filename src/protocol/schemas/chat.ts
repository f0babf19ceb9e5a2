// Schemas of the Chat API: they validate requests and document responses. The compiler checks them against the types.
import * as v from 'valibot';
import type { Bot } from '../admin/admin.ts';
import type { FileFields, NewFile } from '../attachment.ts';
import type { Conversation, ListedConversation } from '../conversation.ts';
import { type ErrorBody, errorTypes } from '../error.ts';
import type { Event } from '../event.ts';
import type { Invitation } from '../invitation.ts';
import { foreignIdPattern, limits } from '../limits.ts';
import type { Feedback, Message, PayloadOf, PayloadType } from '../message.ts';
import type { Configuration } from '../page-api/config.ts';
import type { User, UserFields } from '../user.ts';
import { features, type Webchat } from '../webchat.ts';
import { handlingComponents, handlingSchemas } from './handling.ts';
import { partComponents, partSchemas } from './parts.ts';
import * as payloads from './payloads.ts';
import { queries } from './query.ts';

const text = v.pipe(v.string(), v.nonEmpty('Expected a text that is not empty.'));
/** A text that can be stored unchanged: SQLite would cut it at a NUL, and UTF-8 has no lone surrogates. */
const whole = v.pipe(
  v.string(),
  v.regex(
    /^(?:[^\0\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$/,
    'Expected a text without NUL and without half characters.',
  ),
);
const id = v.pipe(whole, v.nonEmpty('Expected a text that is not empty.'));
const maybe = v.exactOptional;
const timestamp = v.pipe(v.string(), v.isoTimestamp());
const data = v.record(v.string(), v.unknown());

const user = v.object({
  id: v.string(),
  name: maybe(v.string()),
  pictureUrl: maybe(v.string()),
  profile: maybe(v.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
}) satisfies v.GenericSchema<unknown, User>;

/** The fields of a user that a client may set, with the limits of the platform. */
const userFields = v.object({
  name: maybe(v.pipe(whole, v.maxLength(limits.userName))),
  pictureUrl: maybe(v.pipe(whole, v.maxLength(limits.userPictureUrl))),
  profile: maybe(v.pipe(whole, v.maxLength(limits.userProfile))),
}) satisfies v.GenericSchema<unknown, UserFields>;

const conversation = v.object({
  id: v.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
}) satisfies v.GenericSchema<unknown, Conversation>;

const listedConversation = v.object({
  ...conversation.entries,
  title: maybe(v.string()),
  preview: maybe(v.string()),
  lastMessageAt: maybe(timestamp),
  unread: maybe(v.pipe(v.number(), v.integer(), v.minValue(0))),
  state: maybe(handlingSchemas.handling.entries.state),
}) satisfies v.GenericSchema<unknown, ListedConversation>;

const invitation = v.object({
  conversationId: v.string(),
  invitedBy: v.string(),
  invitedAt: timestamp,
}) satisfies v.GenericSchema<unknown, Invitation>;

/** The feedback that a visitor may send. */
const feedback = v.object({
  value: v.picklist(['positive', 'negative']),
  comment: maybe(v.pipe(whole, v.maxLength(limits.feedbackComment))),
}) satisfies v.GenericSchema<unknown, Feedback>;

const message = v.object({
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
}) satisfies v.GenericSchema<unknown, Message>;

/** The fields that announce a file. An empty file is refused, because there is nothing to upload. */
const fileFields = v.object({
  key: v.pipe(id, v.maxLength(limits.fileKey)),
  size: v.pipe(v.number(), v.integer(), v.minValue(1)),
  contentType: maybe(v.pipe(v.string(), v.maxLength(255))),
}) satisfies v.GenericSchema<unknown, FileFields>;

const newFile = v.object({
  id: v.string(),
  key: v.string(),
  size: v.number(),
  contentType: v.string(),
  status: v.picklist(['upload_pending', 'upload_completed']),
  url: v.string(),
  uploadUrl: v.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
}) satisfies v.GenericSchema<unknown, NewFile>;

const event = v.object({
  id: v.string(),
  createdAt: timestamp,
  payload: data,
  conversationId: v.string(),
  userId: v.string(),
}) satisfies v.GenericSchema<unknown, Event>;

const error = v.object({
  id: v.pipe(v.string(), v.regex(/^err_\d{14}x[0-9A-F]{8}$/)),
  code: v.pipe(v.number(), v.integer()),
  type: v.picklist(Object.keys(errorTypes) as (keyof typeof errorTypes)[]),
  message: v.string(),
  metadata: maybe(data),
}) satisfies v.GenericSchema<unknown, ErrorBody>;

const webchat = v.object({
  configuration: data,
  features: v.array(v.picklist(features)),
  limits: v.object({
    messageBytes: v.number(),
    fileBytes: v.number(),
    fileTypes: v.array(v.string()),
    filesPerMessage: maybe(v.number()),
  }),
  sandboxOrigin: maybe(v.string()),
}) satisfies v.GenericSchema<unknown, Webchat>;

const bot = v.object({
  id: v.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  name: v.string(),
  deployedAt: maybe(timestamp),
  tags: v.record(v.string(), v.string()),
  type: v.picklist(['studio', 'adk', 'desk']),
}) satisfies v.GenericSchema<unknown, Bot>;

/** Validated with the table of the widget (config.ts), because a schema would drop unknown names silently. */
const configuration = v.pipe(
  v.unknown(),
  v.metadata({
    type: 'object',
    description: 'Fields of the configuration of the widget, without its secrets.',
  }),
) as v.GenericSchema<unknown, Configuration>;
/** As the server returns it. */
const storedConfiguration = { ...data } as unknown as v.GenericSchema<unknown, Configuration>;

export const schemas = {
  text,
  whole,
  data,
  /** An id that a client chooses for a user or a conversation. */
  foreignId: v.pipe(v.string(), v.regex(foreignIdPattern)),
  userFields,
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
  meta: v.object({ nextToken: maybe(v.string()) }),
  ...queries,
  nothing: v.object({}),
};

/** One for each payload type. */
const payloadComponents: {
  [Type in PayloadType as `${Capitalize<Type>}Payload`]: v.GenericSchema<unknown, PayloadOf<Type>>;
} = {
  TextPayload: payloads.textPayload,
  MarkdownPayload: payloads.markdownPayload,
  ImagePayload: payloads.imagePayload,
  AudioPayload: payloads.audioPayload,
  VideoPayload: payloads.videoPayload,
  FilePayload: payloads.filePayload,
  LocationPayload: payloads.locationPayload,
  CardPayload: payloads.cardPayload,
  CarouselPayload: payloads.carouselPayload,
  ChoicePayload: payloads.choicePayload,
  DropdownPayload: payloads.dropdownPayload,
  BlocPayload: payloads.blocPayload,
};

/** The schemas that have a name in the OpenAPI document. */
export const components = {
  User: user,
  Conversation: conversation,
  ListedConversation: listedConversation,
  Invitation: invitation,
  Message: message,
  Event: event,
  Payload: payloads.payload,
  ...payloadComponents,
  Action: payloads.action,
  Option: payloads.option,
  Feedback: feedback,
  ...partComponents,
  ...handlingComponents,
  NewFile: newFile,
  Webchat: webchat,
  Bot: bot,
  Error: error,
};
