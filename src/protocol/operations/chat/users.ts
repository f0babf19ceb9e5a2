// Operations of the Chat API: users.
import * as v from 'valibot';
import { localeHeader } from '../../headers/locale.ts';
import { proofHeader } from '../../headers/proof-of-work.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { preChatSchemas } from '../../schemas/visitors/pre-chat-form.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ user: schemas.user });

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
    output: response,
    sample: { name: 'Ada Lovelace', profile: '{"plan":"pro"}' },
    examples: [{ name: 'Bea', profile: '{"a":1}' }],
  }),

  getUser: query({
    route: 'GET /users/me',
    summary: 'Returns the user of the key.',
    auth: 'user',
    limitedKeys: true,
    output: response,
  }),

  updateUser: mutation({
    route: 'PUT /users/me',
    summary: 'Changes the user of the key. Omitted fields are unchanged.',
    auth: 'user',
    limitedKeys: false,
    input: schemas.userFields,
    output: response,
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
