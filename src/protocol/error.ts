// The words for what can go wrong: one table for the wire (ErrorBody), one for the page (PlatformError).

/** Every error type of the wire with its HTTP status. The comments are the documentation: docs/reference/errors.md shows them. */
export const errorTypes = {
  /** A failure of which no more is known; also what our client says where the answer was no error body. */
  Unknown: 500,
  /** A fault of the server. The `id` stands in its log. */
  Internal: 500,
  /** The user key, or the token and the workspace, is missing or not valid. */
  Unauthorized: 401,
  /** The caller may not do this; or pages of this origin are not let in. */
  Forbidden: 403,
  /** The body is larger than this address takes. */
  PayloadTooLarge: 413,
  /** The body is not what the operation takes; `metadata.issues` says where. */
  InvalidPayload: 400,
  /** The body, or the file, is of a type that is not taken. */
  UnsupportedMediaType: 415,
  /** The address exists, but not with this method; the header `Allow` says which. */
  MethodNotFound: 405,
  /** There is nothing at this address, or nothing of this id. */
  ResourceNotFound: 404,
  /** Kept for servers of the same API: a schema is not valid. */
  InvalidJsonSchema: 400,
  /** The body is not JSON, or not what its headers say. */
  InvalidDataFormat: 400,
  /** Kept for servers of the same API: an id is not valid. */
  InvalidIdentifier: 400,
  /** The upload goes on from another place than where it stands. */
  RelationConflict: 409,
  /** Something else still needs it. */
  ReferenceConstraint: 409,
  /** Somebody else is writing it. */
  ResourceLockedConflict: 409,
  /** What the request made before was deleted since. */
  ResourceGone: 410,
  /** Kept for servers of the same API: something that is named does not exist. */
  ReferenceNotFound: 400,
  /** A parameter of the address is not what the operation takes. */
  InvalidQuery: 400,
  /** Kept for servers of the same API: bot code failed. */
  Runtime: 400,
  /** Something with this id exists already. */
  AlreadyExists: 409,
  /** Too many requests; the header `Retry-After` says when to come back. */
  RateLimited: 429,
  /** Kept for servers of the same API: the account has to pay. */
  PaymentRequired: 402,
  /** There are as many of these, or as much is stored, as there may be. */
  QuotaExceeded: 403,
  /** The file is larger than the server takes. */
  LimitExceeded: 413,
  /** Kept for servers of the same API: the change would break what exists. */
  BreakingChanges: 400,
  /** The server has too little free disk; the header `Retry-After` says when to come back. */
  InsufficientStorage: 507,
  /** Kept for servers of the same API: it took too long. */
  OperationTimeout: 504,
  /** A user is created only with a proof of work; `metadata` is `{algorithm: 'sha-256', challenge, bits}`, and the message says how. */
  ChallengeRequired: 403,
} as const;

export type ErrorType = keyof typeof errorTypes;

/** The body of every error response: five fields, `code` equals the HTTP status. */
export interface ErrorBody {
  /** `err_` + UTC `yyyymmddhhmmss` + `x` + 8 upper-case hex digits; the same id stands in the server's log. */
  id: string;
  code: number;
  type: ErrorType;
  message: string;
  metadata?: Record<string, unknown>;
}

/** The `metadata` of `ChallengeRequired`: what a client solves to create a user (docs/concepts/security.md#proof-of-work). */
export interface Challenge {
  algorithm: 'sha-256';
  /** Text without spaces; good for one user, for five minutes. */
  challenge: string;
  /** SHA-256(challenge + '.' + nonce) has to begin with so many zero bits. */
  bits: number;
}

/** True only for a whole error body (code, type, id and message), as existing clients check it. */
export function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null) return false;
  const body = value as Partial<Record<keyof ErrorBody, unknown>>;
  return (
    typeof body.code === 'number' &&
    typeof body.type === 'string' &&
    typeof body.id === 'string' &&
    typeof body.message === 'string'
  );
}

/** Every code of a PlatformError. The comments are the documentation: docs/reference/errors.md shows them. */
export type PlatformErrorCode =
  /**
   * A method was called before `webchat:initialized`.
   * Cure: Wait for the event, or give the call to `platform.push()`.
   */
  | 'not_initialized'
  /**
   * A method was called before `webchat:ready`.
   * Cure: Wait for the event: it comes when the window is opened for the first time.
   */
  | 'not_ready'
  /**
   * The widget was destroyed, or its conversation left, while the call was under way.
   * Cure: None is needed; call again in the life that follows.
   */
  | 'destroyed'
  /**
   * The visitor has discarded the message before the server had it.
   * Cure: None is needed.
   */
  | 'discarded'
  /**
   * An argument of a method is not what the method takes.
   * Cure: Give what the message names.
   */
  | 'invalid_argument'
  /**
   * A configuration field has a wrong value; it fell back.
   * Cure: Correct the field as docs/reference/configuration.md says.
   */
  | 'invalid_configuration'
  /**
   * A file of the widget could not be loaded.
   * Cure: Serve all files of `webchat/`, and allow them in `script-src`; `platform.doctor()` names the file.
   */
  | 'chunk_failed'
  /**
   * The server could not be reached.
   * Cure: The chat tries again by itself; `platform.doctor()` says what is in the way.
   */
  | 'network'
  /**
   * The server failed (5xx), or is busy (429).
   * Cure: Look into the log of the server.
   */
  | 'server'
  /**
   * The server refused the user key (401).
   * Cure: Fetch a new key from your backend and give it to `updateUser({userKey})`: docs/guides/identify.md.
   */
  | 'unauthorized'
  /**
   * The server refused the action (403).
   * Cure: See that the page may use the server (`ALLOWED_ORIGINS`), and that the visitor is in the conversation.
   */
  | 'forbidden'
  /**
   * The thing does not exist on the server (404).
   * Cure: The chat begins a new conversation by itself; otherwise correct the address of the chat.
   */
  | 'not_found'
  /**
   * The server refused what was sent (other 4xx).
   * Cure: Send what the message asks for; the limits are in docs/reference/settings.md.
   */
  | 'rejected'
  /**
   * A fault of ours.
   * Cure: Tell us, with `cause`.
   */
  | 'internal';

/** The codes where trying again can help. */
const retryable: readonly PlatformErrorCode[] = ['chunk_failed', 'network', 'server'];

/** The error that methods of `window.platform` throw or reject with, and that the `error` event carries. */
export interface PlatformError extends Error {
  /** `InvalidStateError` for a method called too early (as in the web platform), else `PlatformError`. */
  name: 'InvalidStateError' | 'PlatformError';
  code: PlatformErrorCode;
  /** Whether trying again can help. */
  retryable: boolean;
}

/** Makes a PlatformError. `message` says what happened and what to do, in one or two sentences. */
export function platformError(code: PlatformErrorCode, message: string, cause?: unknown): PlatformError {
  return Object.assign(new Error(message, cause === undefined ? undefined : { cause }), {
    name: /^not_[ir]/.test(code) ? ('InvalidStateError' as const) : ('PlatformError' as const),
    code,
    retryable: retryable.includes(code),
  });
}

/** True for an error made by `platformError`, also one of another bundle (so no instanceof). */
export function isPlatformError(error: unknown): error is PlatformError {
  return (
    error instanceof Error &&
    typeof (error as Partial<PlatformError>).code === 'string' &&
    'retryable' in error
  );
}
