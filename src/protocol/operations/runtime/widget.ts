// Operations of the Runtime API: the widget on the visitor's page, and actions by name.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { visibilities } from '../../signal.ts';
import { mutation, operations, query } from '../operation.ts';

/** The actions that `callAction` accepts. */
export const actionTypes = [
  'webchat:getUserData',
  'webchat:getOrCreateUser',
  'webchat:showWebchat',
  'webchat:hideWebchat',
  'webchat:toggleWebchat',
  'webchat:configWebchat',
  'webchat:customEvent',
  'webchat:startTypingIndicator',
  'webchat:stopTypingIndicator',
  'chat:sendEvent',
] as const;

export const actions = operations({
  callAction: mutation({
    route: 'POST /actions',
    summary:
      'Runs an action by name, for compatibility with bots of other platforms. Nothing is cached: `cached` is ' +
      'false.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'AlreadyExists'],
    input: v.object({ type: v.picklist(actionTypes), input: schemas.data }),
    output: v.object({ output: schemas.data, meta: v.object({ cached: v.boolean() }) }),
    examples: [
      { type: 'webchat:getUserData', input: { userId: '<<user>>' } },
      {
        type: 'webchat:getOrCreateUser',
        input: {
          name: 'Ann',
          email: 'ann@example.com',
          user: { id: 'agent-of-<<user>>', conversationId: '<<conversation>>' },
        },
      },
      { type: 'webchat:toggleWebchat', input: { conversationId: '<<conversation>>' } },
      {
        type: 'webchat:configWebchat',
        input: { conversationId: '<<conversation>>', config: '{"color":"#0a7a5a"}' },
      },
      { type: 'webchat:customEvent', input: { conversationId: '<<conversation>>', event: '{"a":[1]}' } },
      {
        type: 'webchat:startTypingIndicator',
        input: { conversationId: '<<conversation>>', messageId: '<<message>>', timeout: 5_000 },
      },
      { type: 'webchat:stopTypingIndicator', input: { conversationId: '<<conversation>>' } },
      { type: 'chat:sendEvent', input: { conversationId: '<<conversation>>', payload: { a: [1] } } },
    ],
  }),
});

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
