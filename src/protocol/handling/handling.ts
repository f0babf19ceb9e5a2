// Who answers a conversation: its bot, or a person. Types of what visitors, bots and other desks see of it.

/** Who is responsible for a conversation. A conversation that nobody was ever asked for has the state `bot`. */
export const handlingStates = ['bot', 'waiting', 'assigned', 'snoozed', 'closed'] as const;
export type HandlingState = (typeof handlingStates)[number];

/** The states that visitors see: a snoozed conversation is `assigned` or `waiting` to them. */
export const visibleStates = ['bot', 'waiting', 'assigned', 'closed'] as const;
export type VisibleState = (typeof visibleStates)[number];

/** Who writes a message or acts in a conversation. */
export const authorKinds = ['visitor', 'bot', 'person'] as const;
export type AuthorKind = (typeof authorKinds)[number];

/**
 * The author of a message, as the server knows them. A person has the name that they had when they wrote; in the Inbox API,
 * a participant other than the visitor has the kind `visitor` and a name.
 */
export interface MessageAuthor {
  kind: AuthorKind;
  name?: string;
  pictureUrl?: string;
}

/** A person who answers, as the visitor sees them: a member of the workspace, or somebody at another desk. */
export interface Person {
  name: string;
  pictureUrl?: string;
}

/** Who answers a conversation now. */
export interface Handling {
  conversationId: string;
  /** Rises with each change; 0 if no person was ever asked for. The value with the higher revision is the newer one. */
  revision: number;
  state: VisibleState;
  /** Who answers; only if the state is `assigned`. */
  person?: Person;
  /** Only if the state is `waiting`. `position`: the conversations that wait longer for a person. */
  queue?: { position: number };
  /** When a person answers again, if nobody does now. */
  opensAt?: string;
}

/** What visitors can see of the work on their conversation. Notes, tags and snoozing are not in this list. */
export const activityTypes = [
  'handoff_requested',
  'person_joined',
  'person_left',
  'returned_to_bot',
  'conversation_closed',
] as const;
export type ActivityType = (typeof activityTypes)[number];

/** A line in the transcript between messages, such as "Ada joined". */
export interface Activity {
  /** The sequence number of the change in the conversation. Activities of one change share it. */
  seq: number;
  createdAt: string;
  type: ActivityType;
  /** Who caused it: `system` is the server. For `person_joined` and `person_left`, the person who joined or left. */
  actor: { kind: AuthorKind | 'system'; name?: string };
}

/** What the answer to a request for a person says. */
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

/** How a handoff ended. */
export const handoffOutcomes = ['resolved', 'abandoned', 'bot', 'deleted'] as const;
export type HandoffOutcome = (typeof handoffOutcomes)[number];

/** A handoff as bots and other desks see it. */
export interface Handoff {
  id: string;
  requestedAt: string;
  requestedBy: AuthorKind;
  reason?: string;
  closedAt?: string;
  outcome?: HandoffOutcome;
}
