// Operations of the Chat API: users.

import * as v from 'valibot';
import { proofHeader } from '../../proof-of-work.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ user: schemas.user });

export const users = operations({
  createUser: mutation({
    route: 'POST /users',
    summary:
      'Creates a user and gives the key that speaks for them. Refused when apps sign the keys themselves.',
    auth: 'none',
    quota: 'users',
    status: 201,
    errors: ['Unauthorized', 'Forbidden', 'AlreadyExists', 'ChallengeRequired'],
    headers: [proofHeader],
    input: v.object({ ...schemas.userFields.entries, id: v.exactOptional(schemas.foreignId) }),
    output: v.object({ user: schemas.user, key: v.string() }),
    examples: [{}, { name: 'Ann', pictureUrl: 'https://example.com/a', profile: '{"a":1}' }],
  }),

  getOrCreateUser: mutation({
    route: 'POST /users/get-or-create',
    summary:
      'Returns the user of the key, creating it if necessary; fields that are given overwrite the stored ones.',
    auth: 'key',
    status: 201,
    errors: ['AlreadyExists'],
    input: schemas.userFields,
    output: response,
    examples: [{ name: 'Bea' }],
  }),

  getUser: query({
    route: 'GET /users/me',
    summary: 'Returns the caller.',
    auth: 'user',
    output: response,
  }),

  updateUser: mutation({
    route: 'PUT /users/me',
    summary: 'Changes the caller; fields that are left out stay as they are.',
    auth: 'user',
    input: schemas.userFields,
    output: response,
    examples: [{ name: 'Cem' }],
  }),

  deleteUser: mutation({
    route: 'DELETE /users/me',
    summary: 'Deletes the caller, their files and the conversations they own. Their messages in others stay.',
    auth: 'user',
    output: schemas.nothing,
  }),
});
