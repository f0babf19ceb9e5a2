// Generated from src/protocol/schemas/handling.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/**
 * The author of a message, as the server knows them. A person has the name that they had when they wrote; in the Inbox
 * API, a participant other than the visitor has the kind `visitor` and a name.
 */
export interface MessageAuthor {
  kind: 'visitor' | 'bot' | 'person';
  name?: string;
  pictureUrl?: string;
}

/** A person who answers, as the visitor sees them: a member of the workspace, or somebody at another desk. */
export interface Person {
  name: string;
  pictureUrl?: string;
}

/** The present handling of a conversation, by its bot or a person. */
export interface Handling {
  conversationId: string;
  /** Rises with each change; 0 if no person was ever asked for. The value with the higher revision is the newer one. */
  revision: number;
  state: 'bot' | 'waiting' | 'assigned' | 'closed';
  /** The person who answers; only if the state is `assigned`. */
  person?: Person;
  /** Only if the state is `waiting`. `position`: the conversations that wait longer for a person. */
  queue?: { position: number };
  /** When a person answers again, if nobody does now. */
  opensAt?: string;
}

/** A line in the transcript between messages, such as "Ada joined". */
export interface Activity {
  /** The sequence number of the change in the conversation. Activities of one change share it. */
  seq: number;
  createdAt: string;
  type: 'handoff_requested' | 'person_joined' | 'person_left' | 'returned_to_bot' | 'conversation_closed';
  /** The cause: `system` is the server. For `person_joined` and `person_left`, the person who joined or left. */
  actor: { kind: 'visitor' | 'bot' | 'person' | 'system'; name?: string };
}

/** The answer to a request for a person. */
export interface HandoffAnswer {
  /** False if nobody can answer now: the conversation stays with the bot. */
  accepted: boolean;
  /** The conversations that wait longer for a person; left out when a person answers already. */
  position?: number;
  /** When a person answers again. */
  opensAt?: string;
}

/** Up to where one side has read a conversation. */
export interface ReadMark {
  /** The sequence number of the newest message that was read. */
  seq: number;
  /** Its time: messages up to it were read. */
  until: string;
}

/** A handoff as bots and other desks see it. */
export interface Handoff {
  id: string;
  requestedAt: string;
  requestedBy: 'visitor' | 'bot' | 'person';
  reason?: string;
  closedAt?: string;
  outcome?: 'resolved' | 'abandoned' | 'bot' | 'deleted';
}

/** The question how helpful a person was, which is asked once for each handoff, and its answer. */
export interface Rating {
  handoffId: string;
  state: 'offered' | 'dismissed' | 'given';
  offeredAt: string;
  /** From 1 to 5, the best; only if the state is `given`. */
  rating?: number;
  /** The comment of the visitor. */
  comment?: string;
  ratedAt?: string;
}
