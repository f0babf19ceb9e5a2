// The e-mail address that a visitor leaves, so that answers of people reach them when they have gone.

export type { Contact, MailedTranscript, TeamContact } from '../types/visitors.ts';

/** `new`: nobody has opened a link that was sent to it yet. Mails are sent in these two states. */
export const contactStates = ['new', 'confirmed', 'undeliverable', 'unsubscribed'] as const;
export type ContactState = (typeof contactStates)[number];
