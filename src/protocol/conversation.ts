// Types of conversations, which contain messages and events. Types only.

/** A conversation as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`. */
export interface Conversation {
  id: string;
  createdAt: string;
  updatedAt: string;
}
