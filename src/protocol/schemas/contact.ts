// Schemas of e-mail addresses, and of those that visitors leave.
import * as v from 'valibot';
import { contactStates } from '../handling/contact.ts';
import { emailPattern, visitorEmailPattern } from '../handling/email-address.ts';
import { limits } from '../limits.ts';
import { describedObject } from './base/described.ts';
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

const contact = describedObject('The address that a visitor has left, as the visitor sees it.', {
  email: v.string(),
});

const transcript = describedObject(
  'The mail to a visitor who has asked for a transcript. `link`: the address is not confirmed yet.',
  { ...contact.entries, sends: v.picklist(['transcript', 'link']) },
);

const ofTeam = describedObject('The address of a visitor as the team sees it.', {
  ...contact.entries,
  state: v.picklist(contactStates),
});

export const contactSchemas = { contact, transcript, ofTeam };

export const types = { Contact: contact, MailedTranscript: transcript, TeamContact: ofTeam };
