// Operations of the Admin API: webchat.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

export const webchat = operations({
  getBotWebchat: query({
    route: 'GET /bots/{id}/webchat',
    summary:
      'Returns the stored dashboard configuration; with a `type`, also the code that adds the chat to a page.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['ResourceNotFound'],
    input: v.object({ type: maybe(schemas.embedType) }),
    output: v.object({ configuration: schemas.storedConfiguration, code: maybe(v.string()) }),
    examples: [{ id: '<<bot>>' }],
  }),

  setBotWebchat: mutation({
    route: 'PUT /bots/{id}/webchat',
    summary:
      'Replaces the stored dashboard configuration. Blank fields are omitted, and deprecated ones with a warning. If ' +
      'one field is invalid, nothing is changed.',
    auth: 'workspace',
    permission: 'webchat.update',
    errors: ['ResourceNotFound'],
    input: v.object({ configuration: schemas.configuration }),
    output: v.object({
      configuration: schemas.storedConfiguration,
      warnings: maybe(v.array(v.string())),
    }),
    sample: {
      id: '<<bot>>',
      configuration: { color: '#0a7a5a', botName: 'Help desk', starters: ['Where is my order?'] },
    },
    examples: [
      { id: '<<bot>>', configuration: { color: '#0a7a5a', botName: 'Ann', starters: ['Hi'], radius: 2 } },
    ],
  }),

  getBotSnippet: query({
    route: 'GET /bots/{id}/snippet',
    summary: 'Returns the HTML that adds the chat to a page.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['ResourceNotFound'],
    output: v.object({ snippet: v.string() }),
    examples: [{ id: '<<bot>>' }],
  }),
});
