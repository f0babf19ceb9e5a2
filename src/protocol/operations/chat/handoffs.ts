// Operations of the Chat API: handoffs to people, and the e-mail addresses of visitors.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { maybe } from '../../schemas/values.ts';
import { contactSchemas, visitorEmail } from '../../schemas/visitors.ts';
import { mutation, operations, query } from '../operation.ts';

const contactResponse = v.object({
  isOffered: v.boolean(),
  contact: maybe(contactSchemas.contact),
});

export const contacts = operations({
  getContact: query({
    route: 'GET /contact',
    summary:
      'Returns the e-mail address that the user of the key has left. `isOffered`: the server sends mails about answers of ' +
      'people.',
    auth: 'user',
    limitedKeys: true,
    output: contactResponse,
  }),

  setContact: mutation({
    route: 'PUT /contact',
    summary:
      'Stores the e-mail address to which answers of people are sent when the user has gone; null removes it. `locale`: the ' +
      'language of these mails. Refused if the server sends no mails.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden'],
    input: v.object({
      email: v.nullable(visitorEmail),
      locale: maybe(v.pipe(schemas.text, v.maxLength(35))),
    }),
    output: contactResponse,
    examples: [{ email: 'ann@example.com', locale: 'de' }, { email: null }],
  }),

  mailTranscript: mutation({
    route: 'POST /conversations/{id}/transcript-mail',
    summary:
      'Mails the conversation to the e-mail address that its owner has left, if a link in an earlier mail to it was opened. ' +
      'Otherwise only such a link is mailed (`sends` is `link`). Refused for addresses that get no mails, and after five mails ' +
      'to the address on a day.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: contactSchemas.transcript,
    examples: [{ id: '<<conversation>>' }],
  }),
});

const handling = v.object({ handling: handlingSchemas.handling });

export const handoffs = operations({
  requestHandoff: mutation({
    route: 'POST /conversations/{id}/handoff',
    summary:
      'Asks for a person. Until the conversation is returned, the bot receives no messages and sends none. Allowed if the ' +
      'bot offers it: to all of its visitors (`visitorHandoff` of its deployment), or by a button of the message `messageId` ' +
      'with the action `handoff`. Asking twice has no further effect. Outside of the opening hours it is not accepted: the ' +
      'bot goes on, and `opensAt` says when somebody is back. With `leavesMessage` it is accepted then, too, and the conversation ' +
      'waits: the visitor must have left an address (`setContact`), and writes the message afterwards.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    errors: ['ResourceNotFound', 'Forbidden'],
    input: v.object({
      reason: maybe(handlingSchemas.reason),
      messageId: maybe(schemas.id),
      leavesMessage: maybe(v.boolean()),
    }),
    output: v.object({ ...handlingSchemas.answer.entries, handling: handlingSchemas.handling }),
    examples: [{ id: '<<conversation>>', reason: 'A question about an order' }],
  }),

  cancelHandoff: mutation({
    route: 'DELETE /conversations/{id}/handoff',
    summary:
      'Returns to the bot while no person has answered yet. Has no effect if the bot answers already; when a person ' +
      'answers, it is a `HandledByPerson`.',
    auth: 'user',
    limitedKeys: true,
    errors: ['ResourceNotFound', 'HandledByPerson'],
    output: handling,
    examples: [{ id: '<<conversation>>' }],
  }),

  closeConversation: mutation({
    route: 'POST /conversations/{id}/close',
    summary:
      'Ends the conversation with a person. The visitor can still write: shortly afterwards to a person, later to the ' +
      'bot. Has no effect if nobody asked for a person.',
    auth: 'user',
    limitedKeys: true,
    errors: ['ResourceNotFound'],
    output: handling,
    examples: [{ id: '<<conversation>>' }],
  }),

  rateConversation: mutation({
    route: 'PUT /conversations/{id}/rating',
    summary:
      'Rates the person who answered, from 1 to 5, the best, with or without a comment. With `rating: null` the visitor does ' +
      'not want to. `handoffId` is that of the signal `rating_requested`, or of `rating` of the activities. A ' +
      'rating is given once: another one is an `AlreadyExists` with the first one in its `metadata`, and the same one again ' +
      'has no further effect.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    errors: ['ResourceNotFound', 'AlreadyExists'],
    input: v.pipe(
      v.object({
        handoffId: schemas.id,
        rating: v.nullable(handlingSchemas.stars),
        comment: maybe(handlingSchemas.ratingComment),
      }),
      v.check(({ rating, comment }) => rating !== null || comment === undefined, 'A comment needs a rating.'),
    ),
    output: v.object({ rating: handlingSchemas.rating }),
    examples: [
      { id: '<<rated>>', handoffId: '<<handoff>>', rating: 5, comment: 'Quick and friendly' },
      { id: '<<otherRated>>', handoffId: '<<otherHandoff>>', rating: null },
    ],
  }),

  listActivities: query({
    route: 'GET /conversations/{id}/activities',
    summary:
      'Returns who answers the conversation, and lists when persons were asked for, joined and left, newest first. ' +
      '`canRequest`: the visitor may ask for a person at any time. `rating`: whether the visitor was asked how helpful the ' +
      'last person was, who has finished. `hasReadReceipts`, `personRead`: where the bot has them, what persons have read.',
    auth: 'user',
    limitedKeys: true,
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: schemas.page,
    output: v.object({
      handling: handlingSchemas.handling,
      canRequest: v.boolean(),
      rating: maybe(handlingSchemas.rating),
      hasReadReceipts: maybe(v.literal(true)),
      personRead: maybe(handlingSchemas.readMark),
      activities: v.array(handlingSchemas.activity),
      meta: schemas.meta,
    }),
    examples: [{ id: '<<conversation>>' }],
  }),
});
