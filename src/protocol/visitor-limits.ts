// The limits of attachments and feedback. Not in limits.ts, because a chunk of the widget contains them.
export const visitorLimits = {
  /** Files in one message. */
  filesPerMessage: 8,
  /** Characters of a file's name. */
  fileKey: 200,
  /** Characters of the comment on a message. */
  feedbackComment: 1_000,
} as const;
