// Operations of the Runtime API: the widget on the visitor's page.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { visibilities } from '../../signal.ts';
import { mutation, operations, query } from '../operation.ts';

/** Milliseconds after which the typing indicator of a bot ends, unless it is set again. */
export const typingTimeoutMs = 30_000;

export const widget = operations({
  setTyping: query({
    id: 'setBotTyping',
    route: 'POST /conversations/{id}/typing',
    summary: `Shows the typing indicator of the bot for ${typingTimeoutMs} ms, or ends it. It also ends with a message.`,
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({ typing: v.boolean() }),
    output: schemas.nothing,
    examples: [
      { id: '<<conversation>>', typing: true },
      { id: '<<conversation>>', typing: false },
    ],
  }),

  setVisibility: mutation({
    route: 'POST /conversations/{id}/visibility',
    summary: 'Opens or closes the window on the visitor’s page.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({ visibility: v.picklist(visibilities) }),
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>', visibility: 'toggle' }],
  }),

  configureWebchat: mutation({
    route: 'POST /conversations/{id}/configuration',
    summary: 'Changes the configuration of the visitor’s widget until the page is reloaded.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({ configuration: schemas.configuration }),
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>', configuration: { color: '#0a7a5a', botName: 'Ann' } }],
  }),
});
