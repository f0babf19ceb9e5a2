// Generated from src/protocol/schemas/chat/conversations.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

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
  /** The present state of the handling. */
  state?: 'bot' | 'waiting' | 'assigned' | 'closed';
}

/** An invitation to a conversation, as the invited user sees it. */
export interface Invitation {
  conversationId: string;
  /** The id of the owner of the conversation. Their profile is not included; an application can verify the id. */
  invitedBy: string;
  invitedAt: string;
}

/** A custom event as the Chat API returns it. */
export interface Event {
  id: string;
  createdAt: string;
  payload: Record<string, unknown>;
  conversationId: string;
  userId: string;
}
