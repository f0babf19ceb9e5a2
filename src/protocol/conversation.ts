// Types of conversations, which contain messages and events, and of invitations to them. Types only.
import type { VisibleState } from './handling/handling.ts';

/** A conversation as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`. */
export interface Conversation {
  id: string;
  createdAt: string;
  updatedAt: string;
}

/** A conversation in the list of its owner. Other servers leave out the fields that they do not know. */
export interface ListedConversation extends Conversation {
  /** The beginning of the first message of the owner, as plain text; left out until there is one. */
  title?: string;
  /** The beginning of the last message, as plain text. */
  preview?: string;
  lastMessageAt?: string;
  /** Messages of others after the last one that the owner has read, up to 99. 0 until a client has told what was read. */
  unread?: number;
  /** Who answers. */
  state?: VisibleState;
}

/** An invitation to a conversation, as the invited user sees it. */
export interface Invitation {
  conversationId: string;
  /** The id of the owner of the conversation. Their profile is not included; an application can verify the id. */
  invitedBy: string;
  invitedAt: string;
}
