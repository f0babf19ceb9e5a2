// Every limit of the platform in one table, with its unit. No behaviour.

/** Limits of a user's fields. Apart, because the widget carries them and not the rest. */
export const userLimits = {
  /** Characters of `name`. */
  userName: 200,
  /** Characters of `pictureUrl`. */
  userPictureUrl: 40_000,
  /** Characters of `profile`. */
  userProfile: 1_000,
} as const;

/** Limits of what a visitor does beyond writing. */
export const visitorLimits = {
  /** Files in one message. */
  filesPerMessage: 8,
  /** Characters of a file's name. */
  fileKey: 200,
  /** Characters of the comment on a message. */
  feedbackComment: 1_000,
} as const;

export const limits = {
  ...userLimits,
  ...visitorLimits,
  /** Bytes of one Chat API request body (SPEC "Limits": 1 MB). */
  chatBodyBytes: 1_000_000,
  /** Bytes of one Admin API request body (SPEC "Limits": 50 MB). */
  adminBodyBytes: 50_000_000,
  /** Bytes of one message payload as JSON (the platform's limit behind the Chat API). */
  payloadBytes: 128_000,
  /** Characters of an id that a client chose (a foreign id). */
  foreignId: 70,
  /** Characters of an `Idempotency-Key`. */
  idempotencyKey: 255,
  /** Bytes of one uploaded file, unless the server sets less or more. */
  fileBytes: 100_000_000,
  /** Bytes of one uploaded file that no setting can exceed (SPEC "Limits": 1 GB). */
  maxFileBytes: 1_000_000_000,
  /** Items in one page of a Chat API list. */
  pageSize: 50,
} as const;

/** A foreign id: letters, digits, `_`, `-`, `/`, `\`, 1 to 70 characters. */
export const foreignIdPattern = /^[A-Za-z0-9_\-/\\]{1,70}$/;
