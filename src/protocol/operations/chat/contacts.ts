// Operations of the Chat API: the e-mail address for answers that come when the visitor has gone.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { contactSchemas, visitorEmail } from '../../schemas/contact.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({
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
    output: response,
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
    output: response,
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
