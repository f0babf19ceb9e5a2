// Handling of a conversation: by its bot or a person, and the states of ratings.

export type * from './types/handling.ts';

/** `offered`: the visitor is asked; `dismissed`: they do not want to answer; `given`: they have. */
export const ratingStates = ['offered', 'dismissed', 'given'] as const;

/** States of the handling of a conversation. A conversation that nobody was ever asked for has the state `bot`. */
export const handlingStates = ['bot', 'waiting', 'assigned', 'snoozed', 'closed'] as const;
export type HandlingState = (typeof handlingStates)[number];

/** The states that visitors see: a snoozed conversation is `assigned` or `waiting` to them. */
export const visibleStates = ['bot', 'waiting', 'assigned', 'closed'] as const;
export type VisibleState = (typeof visibleStates)[number];

/** Authors of messages and actions in a conversation. */
export const authorKinds = ['visitor', 'bot', 'person'] as const;
export type AuthorKind = (typeof authorKinds)[number];

/** Activities that visitors can see in their conversation. Notes, tags and snoozing are not in this list. */
export const activityTypes = [
  'handoff_requested',
  'person_joined',
  'person_left',
  'returned_to_bot',
  'conversation_closed',
] as const;

/** How a handoff ended. */
export const handoffOutcomes = ['resolved', 'abandoned', 'bot', 'deleted'] as const;
export type HandoffOutcome = (typeof handoffOutcomes)[number];
