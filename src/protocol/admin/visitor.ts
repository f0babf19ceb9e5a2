// Types of the export of a visitor's data. Types only.
import type { File } from '../attachment.ts';
import type { Conversation, Invitation } from '../conversation.ts';
import type { Event } from '../event.ts';
import type { Contact } from '../handling/contact.ts';
import type { Rating } from '../handling/rating.ts';
import type { Feedback, Message } from '../message.ts';
import type { PreChatForm } from '../pre-chat-form/answers.ts';
import type { Tags } from '../runtime.ts';
import type { User } from '../user.ts';

/** A visitor as an administrator sees them. `id` is the foreign id if there is one. */
export interface Visitor {
  id: string;
  /** The id that the server assigned. */
  serverId: string;
  name?: string;
  createdAt: string;
}

/** One item of the export. */
export type ExportItem =
  | { type: 'user'; serverId: string; user: User }
  | { type: 'conversation'; isOwner: boolean; conversation: Conversation }
  /** What the visitor has answered in the form before a conversation. */
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
  /** What the bot has attached to the user, a conversation or a message. */
  | { type: 'tags'; id: string; tags: Tags; properties?: Tags; attributes?: Tags }
  /** A state of the user, or of a conversation of the user. */
  | { type: 'state'; ownerId: string; name: string; payload: Record<string, unknown>; updatedAt: string };
