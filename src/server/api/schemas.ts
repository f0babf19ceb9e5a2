// The shapes that requests are checked against and answers are documented by. The compiler holds them to the protocol.
import * as v from 'valibot';
import type { Bot } from '../../protocol/admin.ts';
import type { Conversation } from '../../protocol/conversation.ts';
import { type ErrorBody, errorTypes } from '../../protocol/error.ts';
import type { Event } from '../../protocol/event.ts';
import type { FileFields, NewFile } from '../../protocol/file.ts';
import type { Invitation } from '../../protocol/invitation.ts';
import { foreignIdPattern, limits } from '../../protocol/limits.ts';
import type {
  Action,
  BlocItem,
  CardPayload,
  Feedback,
  Message,
  Option,
  Payload,
} from '../../protocol/message.ts';
import type { User, UserFields } from '../../protocol/user.ts';
import type { Webchat } from '../../protocol/webchat.ts';
import { queries } from './query-schemas.ts';

const text = v.pipe(v.string(), v.nonEmpty('Expected a text that is not empty.'));
/** A text that is stored as it is: SQLite would cut it at a NUL, and UTF-8 has no lone surrogates. */
const whole = v.pipe(
  v.string(),
  v.regex(
    /^(?:[^\0\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$/,
    'Expected a text without NUL and without half characters.',
  ),
);
const id = v.pipe(whole, v.nonEmpty('Expected a text that is not empty.'));
const finite = v.pipe(v.number(), v.finite());
const maybe = v.exactOptional;
const timestamp = v.pipe(v.string(), v.isoTimestamp());
const data = v.record(v.string(), v.unknown());

// Payloads keep their extra keys: buttons put `value` into a text, and integrations put what they like.
const textPayload = v.looseObject({ type: v.literal('text'), text, value: maybe(v.string()) });
const markdownPayload = v.looseObject({ type: v.literal('markdown'), markdown: text });
const title = maybe(text);
const fileId = maybe(text);
const imagePayload = v.looseObject({ type: v.literal('image'), imageUrl: text, title, fileId });
const audioPayload = v.looseObject({ type: v.literal('audio'), audioUrl: text, title, fileId });
const videoPayload = v.looseObject({ type: v.literal('video'), videoUrl: text, title, fileId });
const filePayload = v.looseObject({ type: v.literal('file'), fileUrl: text, title, fileId });
const locationPayload = v.looseObject({
  type: v.literal('location'),
  latitude: finite,
  longitude: finite,
  address: maybe(text),
  title,
});
const action = v.looseObject({
  action: v.picklist(['postback', 'url', 'say']),
  label: text,
  value: text,
}) satisfies v.GenericSchema<unknown, Action>;
const cardPayload = v.looseObject({
  type: v.literal('card'),
  title: text,
  subtitle: maybe(text),
  imageUrl: maybe(text),
  actions: v.array(action),
}) satisfies v.GenericSchema<unknown, CardPayload>;
const carouselPayload = v.looseObject({ type: v.literal('carousel'), items: v.array(cardPayload) });
const option = v.looseObject({ label: text, value: text }) satisfies v.GenericSchema<unknown, Option>;
const question = { text, options: v.array(option), disableFreeText: maybe(v.boolean()) };
const choicePayload = v.looseObject({ type: v.literal('choice'), ...question });
const dropdownPayload = v.looseObject({ type: v.literal('dropdown'), ...question });
const blocItem = v.variant('type', [
  textPayload,
  markdownPayload,
  imagePayload,
  audioPayload,
  videoPayload,
  filePayload,
  locationPayload,
]) satisfies v.GenericSchema<unknown, BlocItem>;
const blocPayload = v.looseObject({ type: v.literal('bloc'), items: v.array(blocItem) });

const payload = v.variant('type', [
  ...blocItem.options,
  cardPayload,
  carouselPayload,
  choicePayload,
  dropdownPayload,
  blocPayload,
]) satisfies v.GenericSchema<unknown, Payload>;

const user = v.object({
  id: v.string(),
  name: maybe(v.string()),
  pictureUrl: maybe(v.string()),
  profile: maybe(v.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
}) satisfies v.GenericSchema<unknown, User>;

/** What a client may set on a user, with the limits of the platform. */
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

const invitation = v.object({
  conversationId: v.string(),
  invitedBy: v.string(),
  invitedAt: timestamp,
}) satisfies v.GenericSchema<unknown, Invitation>;

/** What a visitor may say of a message. */
const feedback = v.object({
  value: v.picklist(['positive', 'negative']),
  comment: maybe(v.pipe(whole, v.maxLength(limits.feedbackComment))),
}) satisfies v.GenericSchema<unknown, Feedback>;

const message = v.object({
  id: v.string(),
  createdAt: timestamp,
  payload,
  userId: v.string(),
  conversationId: v.string(),
  metadata: maybe(data),
  feedback: maybe(feedback),
}) satisfies v.GenericSchema<unknown, Message>;

/** What announces a file. An empty one is refused: there is nothing to send. */
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
  features: v.array(
    v.picklist(['replay', 'idempotency', 'stream', 'typing', 'files', 'feedback', 'renewal']),
  ),
  limits: v.object({ messageBytes: v.number(), fileBytes: v.number(), fileTypes: v.array(v.string()) }),
}) satisfies v.GenericSchema<unknown, Webchat>;

const bot = v.object({
  id: v.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  name: v.string(),
  deployedAt: maybe(timestamp),
}) satisfies v.GenericSchema<unknown, Bot>;

/** Checked field by field, by the table that the widget has too (dashboard.ts); a schema would drop odd names unseen. */
const configuration = v.pipe(
  v.unknown(),
  v.metadata({
    type: 'object',
    description: 'Fields of the configuration of the widget, without its secrets.',
  }),
);

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
  invitation,
  message,
  feedback,
  fileFields,
  newFile,
  payload,
  event,
  error,
  webchat,
  bot,
  configuration,
  /** The `meta` of every list. */
  meta: v.object({ nextToken: maybe(v.string()) }),
  ...queries,
  nothing: v.object({}),
};

/** The schemas that the OpenAPI document gives a name. */
export const components = {
  User: user,
  Conversation: conversation,
  Invitation: invitation,
  Message: message,
  Event: event,
  Payload: payload,
  TextPayload: textPayload,
  MarkdownPayload: markdownPayload,
  ImagePayload: imagePayload,
  AudioPayload: audioPayload,
  VideoPayload: videoPayload,
  FilePayload: filePayload,
  LocationPayload: locationPayload,
  CardPayload: cardPayload,
  CarouselPayload: carouselPayload,
  ChoicePayload: choicePayload,
  DropdownPayload: dropdownPayload,
  BlocPayload: blocPayload,
  Action: action,
  Option: option,
  Feedback: feedback,
  NewFile: newFile,
  Webchat: webchat,
  Bot: bot,
  Error: error,
};
