// Types of custom events of a conversation (page to bot, bot to page). Types only.

/** A custom event as the Chat API returns it. */
export interface Event {
  id: string;
  createdAt: string;
  payload: Record<string, unknown>;
  conversationId: string;
  userId: string;
}
