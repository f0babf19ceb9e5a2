// The states of the rating of a handoff by its visitor.

/** `offered`: the visitor is asked; `dismissed`: they do not want to answer; `given`: they have. */
export const ratingStates = ['offered', 'dismissed', 'given'] as const;
export type RatingState = (typeof ratingStates)[number];
