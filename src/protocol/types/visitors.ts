// Generated from src/protocol/schemas/visitors.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** The address that a visitor has left, as the visitor sees it. */
export interface Contact {
  email: string;
}

/** The mail to a visitor who has asked for a transcript. `link`: the address is not confirmed yet. */
export interface MailedTranscript extends Contact {
  sends: 'transcript' | 'link';
}

/** The address of a visitor as the team sees it. */
export interface TeamContact extends Contact {
  state: 'new' | 'confirmed' | 'undeliverable' | 'unsubscribed';
}

/** A visitor as an administrator sees them. `id` is the foreign id if there is one. */
export interface Visitor {
  id: string;
  /** The id that the server assigned. */
  serverId: string;
  name?: string;
  createdAt: string;
}

/**
 * Days after which data is removed; 0 keeps it. `messagesDays`: conversations with everything in them, and visitors
 * without an id of the application who have none; `filesDays`: files of visitors; `logsDays`: the log of the bot and
 * dead letters; `contactsDays`: e-mail addresses.
 */
export interface RetentionDays {
  messagesDays: number;
  filesDays: number;
  logsDays: number;
  contactsDays: number;
}

/**
 * The answers as a client sends them, with the conversation that they begin. Each is left out if the form does not ask
 * for it.
 */
export interface PreChatAnswers {
  name?: string;
  email?: string;
  /** One of the topics of the site. */
  topic?: string;
  /** The sentence to which the visitor has agreed. */
  consent?: string;
  /** The answers in the fields of the site, by the name of the field. */
  fields?: Record<string, string>;
}

/** The values that are kept with the conversation. Name and e-mail address belong to the visitor, and are kept there. */
export interface PreChatForm {
  /** One of the topics of the site. */
  topic?: string;
  /** `at`: when the server received it. */
  consent?: { text: string; at: string };
  /** The answers in the fields of the site, by the name of the field. */
  fields?: Record<string, string>;
}

/** The page on which a visitor is. It is not stored. */
export interface VisitorPage {
  url: string;
  title?: string;
}
