// Types of the export of a visitor's data. Types only.
import type { Contact } from '../handling/contact.ts';
import type { Feedback, Message } from '../message.ts';
import type { PreChatForm } from '../pre-chat-form/answers.ts';
import type { Conversation, Event, File, Invitation } from '../types/chat.ts';
import type { Rating } from '../types/handling.ts';
import type { Tags } from '../types/runtime.ts';
import type { User } from '../user.ts';

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
