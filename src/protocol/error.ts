// The error types: one table for the wire (ErrorBody), one for the page (PlatformError).
import type { ErrorBody } from './types/error.ts';

export type * from './types/error.ts';

/** Every error type of the wire with its HTTP status. The comments are the documentation: docs/reference/errors.md shows them. */
export const errorTypes = {
  /** An unspecified failure. The client also reports it if a response does not contain a valid error body. */
  Unknown: 500,
  /** An internal error of the server. Its log contains the `id`. */
  Internal: 500,
  /** The user key, or the token and the workspace, is missing or not valid. */
  Unauthorized: 401,
  /** The caller does not have the permission, or the server does not allow pages of this origin. */
  Forbidden: 403,
  /** The body is larger than the limit of this address. */
  PayloadTooLarge: 413,
  /** The body is not valid for the operation; `metadata.issues` lists the errors. The status is 422 if the `Idempotency-Key` was used for another request. */
  InvalidPayload: 400,
  /** The type of the body or of the file is not accepted. */
  UnsupportedMediaType: 415,
  /** The address exists, but not with this method; the header `Allow` lists the valid methods. */
  MethodNotFound: 405,
  /** The address does not exist, or the id does not exist. */
  ResourceNotFound: 404,
  /** A JSON schema is not valid. */
  InvalidJsonSchema: 400,
  /** The body is not JSON, or does not match its headers. */
  InvalidDataFormat: 400,
  /** Returned only by other servers of this API: an id is not valid. */
  InvalidIdentifier: 400,
  /** The offset of the upload differs from the number of stored bytes, or the question of the bot was settled in another way (`metadata.interrupt`). */
  RelationConflict: 409,
  /** A person answers the conversation, the visitor waits for one, or it is closed: the bot can send nothing. */
  HandledByPerson: 409,
  /** Another person answers the conversation already: `metadata.assignee`. */
  AlreadyTaken: 409,
  /** Another member answers the conversation: `metadata.assignee`. Only this member and members with `inbox.assign` can assign it. */
  AssignedToOther: 409,
  /** A colleague has written in the conversation since the caller read it; `metadata.seq` is the current sequence number of the conversation. */
  NewerReply: 409,
  /** The conversation has changed since the caller read it, or its state does not allow the action; `metadata` is the current `{state, revision}`. */
  StaleRevision: 409,
  /** Another resource still needs this one. */
  ReferenceConstraint: 409,
  /** Another request is writing the resource. */
  ResourceLockedConflict: 409,
  /** The resource that this request created earlier was deleted. */
  ResourceGone: 410,
  /** The changes since this cursor are no longer stored, or other conversations have become visible to the caller since then: list everything again. */
  TooOld: 410,
  /** Returned only by other servers of this API: a referenced resource does not exist. */
  ReferenceNotFound: 400,
  /** A parameter of the address is not valid for the operation. */
  InvalidQuery: 400,
  /** Returned only by other servers of this API: bot code failed. */
  Runtime: 400,
  /** A resource with this id exists already. */
  AlreadyExists: 409,
  /** Too many requests; the header `Retry-After` contains the waiting time. */
  RateLimited: 429,
  /** Returned only by other servers of this API: the account must pay. */
  PaymentRequired: 402,
  /** The maximum number of items or amount of data is reached. */
  QuotaExceeded: 403,
  /** The file is larger than the server accepts. */
  LimitExceeded: 413,
  /** Returned only by other servers of this API: the change would break existing resources. */
  BreakingChanges: 400,
  /** The server has too little free disk space; the header `Retry-After` contains the waiting time. The status is 503 instead if the disk is completely full. */
  InsufficientStorage: 507,
  /** A part of the server, such as the file store, does not respond; the header `Retry-After` contains the waiting time. */
  ServiceUnavailable: 503,
  /** The operation exists on other servers of this API, but not on this one; the message names the alternative. */
  NotImplemented: 501,
  /** Returned only by other servers of this API: the operation took too long. */
  OperationTimeout: 504,
  /** A user is created only with a proof of work; `metadata` is `{algorithm: 'sha-256', challenge, bits}`, and the message describes how to compute the proof. */
  ChallengeRequired: 403,
} as const;

/** The `metadata` of `ChallengeRequired`: the proof to compute (docs/concepts/security.md#proof-of-work). */
export interface Challenge {
  algorithm: 'sha-256';
  /** Text without spaces; valid for one user, for five minutes. */
  challenge: string;
  /** SHA-256(challenge + '.' + nonce) must begin with this many zero bits. */
  bits: number;
}

/** True only for a complete error body (code, type, id and message), as existing clients check it. */
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
   * Cure: Wait for the event, or pass the call to `platform.push()`.
   */
  | 'not_initialized'
  /**
   * A method was called before `webchat:ready`.
   * Cure: Wait for the event: it is emitted when the window is opened for the first time.
   */
  | 'not_ready'
  /**
   * The widget was destroyed, or its conversation ended, before the call finished.
   * Cure: None is needed; repeat the call in the new widget or conversation.
   */
  | 'destroyed'
  /**
   * The visitor discarded the message before the server received it.
   * Cure: None is needed.
   */
  | 'discarded'
  /**
   * An argument of a method is not valid.
   * Cure: Correct the argument that the message names.
   */
  | 'invalid_argument'
  /**
   * The chat that `create` or `init` should start is already on the page.
   * Cure: Use the running chat (`platform.instances`), or give the second chat its own `instance`.
   */
  | 'instance_taken'
  /**
   * The script of the chat cannot be loaded without a window, for example on a server.
   * Cure: Call `loadWebchat()` in the browser, for example in an effect.
   */
  | 'no_window'
  /**
   * The page's content security policy blocks the script of the chat.
   * Cure: Allow its address in `script-src`, or pass the page's `nonce`.
   */
  | 'script_blocked'
  /**
   * The script of the chat could not be loaded, or does not match its `integrity`.
   * Cure: Open its address in the browser; compare the hash with the file `integrity.json` of its version.
   */
  | 'script_failed'
  /**
   * The script of the chat was not loaded within the time limit.
   * Cure: The next call tries again; check the network.
   */
  | 'script_timeout'
  /**
   * A configuration field has an invalid value; a fallback is used.
   * Cure: Correct the field: docs/reference/configuration.md.
   */
  | 'invalid_configuration'
  /**
   * A file of the widget could not be loaded.
   * Cure: Serve all files of `webchat/`, and allow them in `script-src`; `platform.doctor()` names the file.
   */
  | 'chunk_failed'
  /**
   * The server could not be reached.
   * Cure: The chat tries again by itself; `platform.doctor()` reports the cause.
   */
  | 'network'
  /**
   * The server failed (5xx), or received too many requests (429).
   * Cure: Check the log of the server.
   */
  | 'server'
  /**
   * The server rejected the user key (401).
   * Cure: Fetch a new key from your backend and pass it to `updateUser({userKey})`: docs/guides/identify.md.
   */
  | 'unauthorized'
  /**
   * The page's function `getUserKey` failed, did not answer within ten seconds, or returned neither a key nor `null`.
   * Cure: If the failure is temporary, none is needed: messages wait, and the next attempt calls the function again. Otherwise correct the function; `cause` is its error.
   */
  | 'user_key_failed'
  /**
   * A hook of the page (`platform.use`) failed; `cause` is its error.
   * Cure: Correct the hook. A message that `beforeSend` could not process waits with a button to send it again.
   */
  | 'hook_failed'
  /**
   * The server rejected the action (403).
   * Cure: Check that the server allows the origin of the page (`ALLOWED_ORIGINS`), and that the visitor is a participant of the conversation.
   */
  | 'forbidden'
  /**
   * The resource does not exist on the server (404).
   * Cure: If the conversation is missing, the chat creates a new one by itself; otherwise correct the address of the chat.
   */
  | 'not_found'
  /**
   * The server rejected the data (other 4xx).
   * Cure: Correct the data as the message describes; docs/reference/settings.md lists the limits.
   */
  | 'rejected'
  /**
   * A bug in the widget.
   * Cure: Report it with `cause`.
   */
  | 'internal';

/** The codes for which a retry can help. */
const retryable: readonly PlatformErrorCode[] = ['chunk_failed', 'network', 'server'];

/** The error that methods of `window.platform` throw or reject with, and that the `error` event carries. */
export interface PlatformError extends Error {
  /** `InvalidStateError` if a method was called too early (as in the web platform), otherwise `PlatformError`. */
  name: 'InvalidStateError' | 'PlatformError';
  code: PlatformErrorCode;
  /** Whether a retry can help. */
  retryable: boolean;
}

/** Creates a PlatformError. `message` describes the problem and the cure in one or two sentences. */
export function platformError(code: PlatformErrorCode, message: string, cause?: unknown): PlatformError {
  return Object.assign(new Error(message, cause === undefined ? undefined : { cause }), {
    name: /^not_[ir]/.test(code) ? ('InvalidStateError' as const) : ('PlatformError' as const),
    code,
    retryable: retryable.includes(code),
  });
}

/** True for an error created by `platformError`, also by that of another bundle (so no instanceof). */
export function isPlatformError(error: unknown): error is PlatformError {
  return (
    error instanceof Error &&
    typeof (error as Partial<PlatformError>).code === 'string' &&
    'retryable' in error
  );
}
