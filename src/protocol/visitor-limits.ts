// The limits of what a visitor does beyond writing. Apart, because a chunk of the widget carries them. No behaviour.

export const visitorLimits = {
  /** Files in one message. */
  filesPerMessage: 8,
  /** Characters of a file's name. */
  fileKey: 200,
  /** Characters of the comment on a message. */
  feedbackComment: 1_000,
} as const;
