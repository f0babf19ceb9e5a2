// Schemas of the Chat API: users, conversations, messages, files and features; and the values that all APIs use.
import * as v from 'valibot';
import { foreignIdPattern, limits } from '../limits.ts';
import type { Operation } from '../operations/operation.ts';
import type { Configuration } from '../page-api/config.ts';
import { foreignUserIdPattern, foreignUserIdRule } from '../user.ts';
import { features } from '../webchat.ts';
import { error } from './error.ts';
import { handlingSchemas } from './handling.ts';
import { partSchemas } from './parts.ts';
import { payload } from './payloads.ts';
import { meta, queries } from './query.ts';
import {
  count,
  data,
  described,
  describedObject,
  filledStorableText,
  filledText,
  maybe,
  storableText,
  timestamp,
  writtenType,
} from './values.ts';

const user = describedObject(
  'A user as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`.',
  {
    id: v.string(),
    name: maybe(v.string()),
    pictureUrl: maybe(v.string()),
    profile: maybe(
      v.string(),
      'Opaque text of the application, at most 1,000 characters. The widget stores `data` here, as JSON.',
    ),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
);

const userFields = describedObject('The fields of a user that a client may set.', {
  name: maybe(v.pipe(storableText, v.maxLength(limits.userName))),
  pictureUrl: maybe(v.pipe(storableText, v.maxLength(limits.userPictureUrl))),
  profile: maybe(v.pipe(storableText, v.maxLength(limits.userProfile))),
});

const userSchemas = { user, userFields };

const conversation = describedObject(
  'A conversation as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`.',
  {
    id: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
);

const listedConversation = describedObject(
  'A conversation in the list of its owner. Other servers leave out the fields that they do not know.',
  {
    ...conversation.entries,
    title: maybe(
      v.string(),
      'The beginning of the first message of the owner, as plain text; left out until there is one.',
    ),
    preview: maybe(v.string(), 'The beginning of the last message, as plain text.'),
    lastMessageAt: maybe(timestamp),
    unread: maybe(
      count,
      'Messages of others after the last one that the owner has read, up to 99. 0 until a client has ' +
        'told what was read.',
    ),
    state: maybe(handlingSchemas.handling.entries.state, 'The present state of the handling.'),
  },
);

const invitation = describedObject('An invitation to a conversation, as the invited user sees it.', {
  conversationId: v.string(),
  invitedBy: described(
    v.string(),
    'The id of the owner of the conversation. Their profile is not included; an application can verify the id.',
  ),
  invitedAt: timestamp,
});

const event = describedObject('A custom event as the Chat API returns it.', {
  id: v.string(),
  createdAt: timestamp,
  payload: data,
  conversationId: v.string(),
  userId: v.string(),
});

const conversationSchemas = { conversation, listedConversation, invitation, event };

const feedback = describedObject("The visitor's feedback on a message. A plain server never sends it.", {
  value: v.picklist(['positive', 'negative']),
  comment: maybe(v.pipe(storableText, v.maxLength(limits.feedbackComment))),
});

const message = describedObject(
  'A message as the Chat API returns it. `metadata` is next to `payload`, never inside it.',
  {
    id: v.string(),
    createdAt: timestamp,
    payload,
    userId: v.string(),
    conversationId: v.string(),
    metadata: maybe(data),
    author: maybe(
      handlingSchemas.author,
      'The author, if it is a person who answers; in the Inbox API of every message.',
    ),
    feedback: maybe(feedback, "The visitor's feedback on a message of the bot, if any."),
    parts: maybe(
      v.array(partSchemas.part),
      'Content that is shown with the text of an answer: steps, sources, suggestions. Only messages of a bot have parts.',
    ),
    supersedes: maybe(
      v.string(),
      'The earlier message of the same author whose place this one takes. It and all messages between ' +
        'them are superseded: they stay in lists, and are not shown.',
    ),
    supersededBy: maybe(v.string(), 'The message that has taken the place of this one, or of one before it.'),
  },
);

const messageSchemas = { feedback, message };

const status = described(
  v.picklist(['upload_pending', 'upload_completed']),
  '`upload_pending` until all its bytes have arrived.',
);

const file = describedObject('A file as the server describes it.', {
  id: v.string(),
  key: described(v.string(), 'The file name that the visitor sees. Never a path.'),
  size: described(v.number(), 'Bytes.'),
  contentType: described(
    v.string(),
    'Media type, such as `image/png`: the declared one, corrected after the server has inspected the bytes.',
  ),
  status,
  url: described(v.string(), 'Grants read access to everyone who has it; it cannot be guessed.'),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** An empty file is refused, because there is nothing to upload. */
const fileFields = describedObject('The body of `POST /files`.', {
  key: v.pipe(filledStorableText, v.maxLength(limits.fileKey)),
  size: v.pipe(v.number(), v.integer(), v.minValue(1)),
  contentType: maybe(v.pipe(v.string(), v.maxLength(255)), 'Default: the type for the extension of `key`.'),
});

const newFile = describedObject(
  'The result of `POST /files`. Bytes are sent to `uploadUrl`, which needs no user key: `PUT` with ' +
    'all bytes, or `PATCH` with `Upload-Offset` to resume an upload; `HEAD` returns the offset (a ' +
    'subset of tus 1.0.0).',
  { ...file.entries, uploadUrl: v.string() },
);

const chatFileSchemas = { fileFields, newFile };

/** As the server returns it. */
const storedConfiguration = writtenType<Configuration>('Configuration', 'page-api/config.ts', data);

/** Validated with the table of the widget (config.ts), because a schema would drop unknown names silently. */
const configuration = writtenType<Configuration>(
  'Configuration',
  'page-api/config.ts',
  v.pipe(
    v.unknown(),
    v.metadata({
      type: 'object',
      description: 'Fields of the configuration of the widget, without its secrets.',
    }),
  ),
);

const feature = v.picklist(features);

const webchat = describedObject('The response of `GET {chat}/webchat`; 404 means a plain Chat API server.', {
  configuration: described(storedConfiguration, 'The dashboard configuration of this bot.'),
  botUserId: maybe(
    v.string(),
    "The id of the user who is the author of the bot's messages: other authors are participants or " +
      'people who answer.',
  ),
  features: v.array(feature),
  limits: v.object({
    messageBytes: v.number(),
    fileBytes: described(v.number(), 'Bytes of one file.'),
    fileTypes: described(
      v.array(v.string()),
      'Media types that may be uploaded, such as `image/*` or `application/pdf`; empty for all.',
    ),
    filesPerMessage: maybe(v.number(), 'Files in one message, if the bot limits them.'),
  }),
  sandboxOrigin: maybe(
    v.string(),
    'The origin in which apps of the bot run; without it, they are shown as text.',
  ),
});

const embedType = described(
  v.picklist(['preconfigured', 'configurable', 'fullscreen', 'sharableUrl']),
  "The form in which a bot's chat is embedded: HTML for pages, or the address of a separate page.",
);

const webchatSchemas = { embedType, storedConfiguration, configuration, webchat };

const marker = { isUserKey: true } as const;

/**
 * A user key that proves something of its user, in the query or the body. The server refuses a key that is limited to one
 * conversation in such a field, as in the header of an operation without `limitedKeys`.
 */
const userKeyInput = v.pipe(filledText, v.maxLength(limits.userKey), v.metadata(marker));

/** The names of the fields of an operation that contain a user key. */
export function userKeyFields({ input }: Pick<Operation, 'input'>): string[] {
  const { entries = {} } = (input ?? {}) as { entries?: Record<string, v.GenericSchema> };
  return Object.keys(entries).filter((name) => isUserKey(entries[name] as Schema));
}

type Schema = { pipe?: readonly { metadata?: Partial<typeof marker> }[]; wrapped?: Schema };

const isUserKey = ({ pipe = [], wrapped }: Schema): boolean =>
  pipe.some(({ metadata }) => metadata?.isUserKey) || (wrapped !== undefined && isUserKey(wrapped));

export const schemas = {
  text: filledText,
  whole: storableText,
  data,
  /** An id that a client chooses for a conversation. */
  foreignId: v.pipe(v.string(), v.regex(foreignIdPattern)),
  /** An id that an application chooses for a user. */
  foreignUserId: v.pipe(v.string(), v.regex(foreignUserIdPattern, `Expected ${foreignUserIdRule}.`)),
  userKey: userKeyInput,
  id: filledStorableText,
  ...userSchemas,
  ...conversationSchemas,
  ...messageSchemas,
  ...chatFileSchemas,
  ...webchatSchemas,
  payload,
  error,
  meta,
  ...queries,
  nothing: v.object({}),
};

export const types = {
  User: user,
  UserFields: userFields,
  Conversation: conversation,
  ListedConversation: listedConversation,
  Invitation: invitation,
  Event: event,
  Message: message,
  Feedback: feedback,
  FileStatus: status,
  File: file,
  FileFields: fileFields,
  NewFile: newFile,
  Feature: feature,
  Webchat: webchat,
  EmbedType: embedType,
};
