// An invitation to a conversation, as the invited user sees it. Types only; no I/O.

export interface Invitation {
  conversationId: string;
  /** The id of the owner of the conversation. Their profile is not included; an application can verify the id. */
  invitedBy: string;
  invitedAt: string;
}
