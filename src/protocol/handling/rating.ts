// The rating of a handoff by its visitor. Types of what the visitor, the team and the bot see of it.

/** `offered`: the visitor is asked; `dismissed`: they do not want to answer; `given`: they have. */
export const ratingStates = ['offered', 'dismissed', 'given'] as const;
export type RatingState = (typeof ratingStates)[number];

/** The question how helpful a person was, which is asked once for each handoff, and its answer. */
export interface Rating {
  handoffId: string;
  state: RatingState;
  offeredAt: string;
  /** From 1 to 5, the best; only if the state is `given`. */
  rating?: number;
  /** What the visitor has written to it. */
  comment?: string;
  ratedAt?: string;
}
