// Types of conversations, which contain messages and events. Types only.
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
