// The e-mail address that a visitor leaves, so that answers of people reach them when they have gone.

/** `new`: nobody has opened a link that was sent to it yet. Mails are sent in these two states. */
export const contactStates = ['new', 'confirmed', 'undeliverable', 'unsubscribed'] as const;
export type ContactState = (typeof contactStates)[number];

/** What visitors see of the address that they have left. */
export interface Contact {
  email: string;
}

/** What was mailed to a visitor who has asked for a transcript. `link`: the address is not confirmed yet. */
export interface MailedTranscript extends Contact {
  sends: 'transcript' | 'link';
}

/** What the team sees of the address of a visitor. */
export interface TeamContact extends Contact {
  state: ContactState;
}
