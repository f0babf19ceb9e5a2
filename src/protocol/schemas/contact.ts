// Schemas of e-mail addresses, and of those that visitors leave.
import * as v from 'valibot';
import { type Contact, contactStates, type MailedTranscript, type TeamContact } from '../handling/contact.ts';
import { emailPattern, visitorEmailPattern } from '../handling/email-address.ts';
import { limits } from '../limits.ts';
import { schemaOf } from './base/schema-of.ts';
import { schemas } from './chat.ts';

/** Normalized, so that one address identifies one person in any spelling. */
export const email = v.pipe(
  schemas.id,
  v.trim(),
  v.maxLength(limits.email),
  v.check((text) => emailPattern.test(text), 'Expected an e-mail address.'),
  v.transform((text) => text.normalize('NFC').toLowerCase()),
);

/**
 * The address that a visitor leaves: without the forms that need quotes in headers of mails, and with a domain that has a
 * dot, so that it names no machine of the operator's network.
 */
export const visitorEmail = v.pipe(
  email,
  v.check((text) => visitorEmailPattern.test(text), 'Expected an e-mail address.'),
);

export const contactSchemas = {
  /** For the visitor. */
  contact: schemaOf<Contact>()(v.object({ email: v.string() })),
  transcript: schemaOf<MailedTranscript>()(
    v.object({
      email: v.string(),
      sends: v.picklist(['transcript', 'link']),
    }),
  ),
  /** For the team. */
  ofTeam: schemaOf<TeamContact>()(
    v.object({
      email: v.string(),
      state: v.picklist(contactStates),
    }),
  ),
};
