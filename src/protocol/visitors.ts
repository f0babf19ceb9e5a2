// Data of a visitor: e-mail address, pre-chat answers, and the export. The server and the widget use the same checks.
import type { Feedback, Message } from './message.ts';
import type { Conversation, Event, File, Invitation } from './types/chat.ts';
import type { Rating } from './types/handling.ts';
import type { Tags } from './types/runtime.ts';
import type { Contact, PreChatForm } from './types/visitors.ts';
import type { User } from './user.ts';

export type { Contact, MailedTranscript, TeamContact } from './types/visitors.ts';

/** `new`: nobody has opened a link that was sent to it yet. Mails are sent in these two states. */
export const contactStates = ['new', 'confirmed', 'undeliverable', 'unsubscribed'] as const;
export type ContactState = (typeof contactStates)[number];

/** One item of the export. */
export type ExportItem =
  | { type: 'user'; serverId: string; user: User }
  | { type: 'conversation'; isOwner: boolean; conversation: Conversation }
  /** Pre-chat answers of a conversation. */
  | { type: 'preChatForm'; conversationId: string; preChatForm: PreChatForm }
  | { type: 'message'; message: Message }
  | { type: 'feedback'; messageId: string; feedback: Feedback }
  | { type: 'event'; event: Event }
  | { type: 'file'; file: File }
  | { type: 'invitation'; invitation: Invitation }
  | { type: 'contact'; contact: Contact }
  /** A browser in which the visitor has switched on Web Push. */
  | { type: 'push'; push: { endpoint: string; locale: string; pageUrl?: string } }
  | { type: 'rating'; conversationId: string; rating: Rating }
  /** Tags that the bot has attached to the user, a conversation or a message. */
  | { type: 'tags'; id: string; tags: Tags; properties?: Tags; attributes?: Tags }
  /** A state of the user, or of a conversation of the user. */
  | { type: 'state'; ownerId: string; name: string; payload: Record<string, unknown>; updatedAt: string };

/** Characters of an e-mail address (RFC 5321, 4.5.3.1.3, without its brackets). */
export const emailLength = 254;

/** An address without space and control characters. */
export const emailPattern = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

/**
 * Without the forms that need quotes in headers of mails, and with a domain that has a dot, so that it names no machine of the
 * operator's network.
 */
export const visitorEmailPattern = /^[^"(),:;<>[\\\]]{1,64}@[^"(),:;<>[\\\].]+(?:\.[^"(),:;<>[\\\].]+)+$/;

/** @param text without space around it */
export const isVisitorEmail = (text: string): boolean =>
  text.length <= emailLength && emailPattern.test(text) && visitorEmailPattern.test(text);

export type { PreChatAnswers, PreChatForm } from './types/visitors.ts';

/** Characters of each answer, and the most fields of a site. The name has the limit of the names of users. */
export const preChatLimits = {
  topic: 100,
  consent: 1_000,
  fields: 10,
  fieldName: 50,
  fieldValue: 500,
} as const;

/**
 * Control characters, characters that end a line, characters that turn the direction of what follows, half characters and tags.
 * Answers are one line each, and everybody who reads them sees what was typed.
 */
const refused = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}|<[a-z!/?]/iu;

/** Whether an answer has only characters that it may have. */
export const isPlainLine = (text: string): boolean => !refused.test(text);
