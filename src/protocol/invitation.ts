// An invitation to a conversation, as the invited user sees it. Types only; no I/O.

export interface Invitation {
  conversationId: string;
  /** The id of the owner of the conversation. Their profile is not told: ids are what an application can check. */
  invitedBy: string;
  invitedAt: string;
}
