// Operations of the Chat API: links in mails that open one conversation.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations } from '../operation.ts';

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
