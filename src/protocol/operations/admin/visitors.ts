// Operations of the Admin API: visitors.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { maybe, timestamp } from '../../schemas/values.ts';
import { visitor } from '../../schemas/visitors.ts';
import type { ExportItem } from '../../visitors.ts';
import { mutation, operations, query } from '../operation.ts';

const item = v.looseObject({
  type: v.picklist([
    'user',
    'conversation',
    'message',
    'feedback',
    'event',
    'file',
    'invitation',
    'tags',
    'state',
    'contact',
    'push',
    'rating',
    'preChatForm',
  ] satisfies ExportItem['type'][]),
});

export const visitors = operations({
  listVisitors: query({
    route: 'GET /bots/{id}/users',
    summary:
      'Lists the visitors of a bot, newest first. `userId` selects one visitor, by the id of the server or of ' +
      'the application.',
    auth: 'workspace',
    permission: 'users.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({ ...schemas.sizedPage, userId: maybe(schemas.id) }),
    output: v.object({ users: v.array(visitor), meta: schemas.meta }),
    examples: [{ id: '<<bot>>' }],
  }),

  exportVisitor: query({
    route: 'GET /bots/{id}/users/{userId}/export',
    isHeavy: true,
    summary:
      'Exports all data of a visitor, in pages: profile, conversations with the answers to the form before them, messages, feedback, events, ' +
      'files, invitations, e-mail address, browsers with Web Push, ratings, and what the bot has stored about them (tags and states).',
    auth: 'workspace',
    permission: 'users.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ items: v.array(item), meta: schemas.meta }),
    examples: [{ id: '<<demoBot>>', userId: '<<user>>' }],
  }),

  createVisitorArchive: mutation({
    route: 'POST /bots/{id}/users/{userId}/archive',
    summary:
      'Returns an address from which all data of a visitor can be downloaded within ten minutes, as one ZIP archive: JSON, ' +
      'readable conversations, files, and the notes of the team in a folder of their own. Whoever has the address can download it.',
    auth: 'workspace',
    permission: 'privacy.write',
    errors: ['ResourceNotFound'],
    hasSecrets: true,
    output: v.object({ url: v.string(), expiresAt: timestamp }),
    examples: [{ id: '<<demoBot>>', userId: '<<user>>' }],
  }),

  deleteVisitor: mutation({
    route: 'DELETE /bots/{id}/users/{userId}',
    summary:
      'Deletes a visitor with their files and the conversations that they own. Their messages in other ' +
      'conversations stay.',
    auth: 'workspace',
    permission: 'users.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>', userId: '<<other>>' }],
  }),
});
