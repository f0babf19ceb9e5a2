// The words for a conversation: the room that messages and events belong to. Types only; no I/O.

/** A conversation as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`. */
export interface Conversation {
  id: string;
  createdAt: string;
  updatedAt: string;
}
