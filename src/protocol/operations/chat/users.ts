// Operations of the Chat API: users, their keys, return links and push subscriptions, and the features of the server.
import * as v from 'valibot';
import { localeHeader, proofHeader } from '../../headers.ts';
import { schemas } from '../../schemas/chat.ts';
import { maybe } from '../../schemas/values.ts';
import { preChatSchemas, pushSchemas } from '../../schemas/visitors.ts';
import { mutation, operations, query } from '../operation.ts';

export const userKeys = operations({
  renewKey: mutation({
    route: 'POST /users/me/key',
    summary: 'Issues a new key to the holder of an issued key. Refused for keys that an application signed.',
    auth: 'user',
    limitedKeys: false,
    status: 201,
    errors: ['Forbidden', 'AlreadyExists'],
    output: v.object({ key: v.string() }),
  }),

  revokeKey: mutation({
    route: 'DELETE /users/me/key',
    summary: 'Revokes the key of the request. Open streams of the user are closed.',
    auth: 'user',
    limitedKeys: true,
    output: schemas.nothing,
  }),

  revokeKeys: mutation({
    route: 'DELETE /users/me/keys',
    summary:
      'Revokes all keys of the caller that were signed until now, and permanently all keys without `iat`. Open ' +
      'streams of the user are closed.',
    auth: 'user',
    limitedKeys: false,
    output: schemas.nothing,
  }),
});

export const pushes = operations({
  getPush: query({
    route: 'GET /push',
    summary:
      'Returns whether the server sends pushes about answers of people, and the key that browsers need for a subscription ' +
      '(`applicationServerKey`).',
    auth: 'user',
    limitedKeys: true,
    output: v.object({ isOffered: v.boolean(), publicKey: maybe(v.string()) }),
  }),

  setPush: mutation({
    route: 'PUT /push',
    summary:
      'Stores the push subscription of a browser, so that answers of people reach the user when the page is closed; `keys: ' +
      'null` removes it. A user has five at most: the oldest is removed. `locale`: the language of notifications. `pageUrl`: ' +
      'the page that a press on a notification opens. Refused if the server sends no pushes, or not to this push service.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden'],
    input: v.object({
      endpoint: pushSchemas.address,
      keys: v.nullable(pushSchemas.keys),
      expirationTime: pushSchemas.expirationTime,
      locale: maybe(v.pipe(schemas.text, v.maxLength(35))),
      pageUrl: maybe(pushSchemas.address),
    }),
    output: v.object({}),
    examples: [
      {
        endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABm',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        locale: 'de',
        pageUrl: 'https://example.com/help',
      },
      { endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABm', keys: null },
    ],
  }),
});

export const returnLinks = operations({
  useReturnLink: mutation({
    route: 'POST /links/use',
    summary:
      'Opens the conversation of a link that was mailed. Returns a user key that is limited to this conversation and ends with ' +
      'the link; for a user whom an application identifies, `returnUrl` instead, if the bot has one. The link can be used ' +
      'again until it ends.',
    auth: 'none',
    hasSecrets: true,
    errors: ['Unauthorized'],
    input: v.object({ token: v.pipe(schemas.text, v.regex(/^[\w-]{43}$/, 'Expected the token of a link.')) }),
    output: v.object({
      userKey: maybe(v.string()),
      conversationId: maybe(v.string()),
      returnUrl: maybe(v.string()),
    }),
    examples: [{ token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  }),
});

export const webchat = operations({
  getWebchat: query({
    route: 'GET /webchat',
    summary:
      'Returns the features of this server that the plain Chat API does not have, and the dashboard ' +
      'configuration.',
    auth: 'none',
    output: schemas.webchat,
  }),
});

const userResponse = v.object({ user: schemas.user });

export const users = operations({
  createUser: mutation({
    route: 'POST /users',
    summary: 'Creates a user and returns their user key. Refused if applications sign the keys themselves.',
    auth: 'none',
    quota: 'users',
    status: 201,
    errors: ['Unauthorized', 'Forbidden', 'AlreadyExists', 'ChallengeRequired'],
    headers: [proofHeader, localeHeader],
    input: v.object({
      ...schemas.userFields.entries,
      id: maybe(schemas.foreignId),
      /** Also creates a conversation of the user, so that a visitor waits for one request and not for two. */
      firstConversation: maybe(v.boolean()),
      /** The answers to the form before this conversation, as for `POST /conversations`. */
      preChatForm: maybe(preChatSchemas.answers),
    }),
    output: v.object({
      user: schemas.user,
      key: v.string(),
      conversation: maybe(schemas.conversation),
    }),
    sample: { name: 'Ada Lovelace', profile: '{"plan":"pro"}' },
    examples: [
      {},
      { name: 'Ann', pictureUrl: 'https://example.com/a', profile: '{"a":1}' },
      { firstConversation: true },
      { firstConversation: true, preChatForm: { name: 'Ann', topic: 'Order' } },
    ],
  }),

  getOrCreateUser: mutation({
    route: 'POST /users/get-or-create',
    summary:
      'Returns the user of the key and creates them if necessary. The given fields overwrite the stored ones.',
    auth: 'key',
    limitedKeys: true,
    status: 201,
    errors: ['AlreadyExists'],
    input: schemas.userFields,
    output: userResponse,
    sample: { name: 'Ada Lovelace', profile: '{"plan":"pro"}' },
    examples: [{ name: 'Bea', profile: '{"a":1}' }],
  }),

  getUser: query({
    route: 'GET /users/me',
    summary: 'Returns the user of the key.',
    auth: 'user',
    limitedKeys: true,
    output: userResponse,
  }),

  updateUser: mutation({
    route: 'PUT /users/me',
    summary: 'Changes the user of the key. Omitted fields are unchanged.',
    auth: 'user',
    limitedKeys: false,
    input: schemas.userFields,
    output: userResponse,
    sample: { name: 'Ada Lovelace' },
    examples: [{ name: 'Cem' }],
  }),

  mergeUser: mutation({
    route: 'POST /users/me/merge',
    summary:
      'Moves the conversations, messages and files of an anonymous user to the user of the key, whom an application has ' +
      'identified, and deletes the anonymous user. `userKey` is the key of the anonymous user. Returns false if that ' +
      'user does not exist, for example after an earlier call.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'QuotaExceeded'],
    headers: [localeHeader],
    input: v.object({ userKey: schemas.userKey }),
    output: v.object({ merged: v.boolean() }),
    examples: [{ userKey: '<<key>>' }],
  }),

  deleteUser: mutation({
    route: 'DELETE /users/me',
    summary:
      'Deletes the user of the key, their files and the conversations that they own. Their messages in other ' +
      'conversations stay. A repeated call is refused with 401 and, in `metadata`, `userDeleted`: so a caller who has not ' +
      'received the response knows that it is done.',
    auth: 'user',
    limitedKeys: false,
    output: schemas.nothing,
  }),
});
