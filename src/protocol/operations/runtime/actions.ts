// Operations of the Runtime API: actions.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations } from '../operation.ts';

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
