// The words for what can go wrong: one table for the wire (ErrorBody), one for the page (PlatformError).

/** Every error type of the wire with its HTTP status. */
export const errorTypes = {
  Unknown: 500,
  Internal: 500,
  Unauthorized: 401,
  Forbidden: 403,
  PayloadTooLarge: 413,
  InvalidPayload: 400,
  UnsupportedMediaType: 415,
  MethodNotFound: 405,
  ResourceNotFound: 404,
  InvalidJsonSchema: 400,
  InvalidDataFormat: 400,
  InvalidIdentifier: 400,
  RelationConflict: 409,
  ReferenceConstraint: 409,
  ResourceLockedConflict: 409,
  ResourceGone: 410,
  ReferenceNotFound: 400,
  InvalidQuery: 400,
  Runtime: 400,
  AlreadyExists: 409,
  RateLimited: 429,
  PaymentRequired: 402,
  QuotaExceeded: 403,
  LimitExceeded: 413,
  BreakingChanges: 400,
  OperationTimeout: 504,
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

/** Every code of a PlatformError. The words stand in the code that makes the error. */
export type PlatformErrorCode =
  /** A method was called before `webchat:initialized`. */
  | 'not_initialized'
  /** A method was called before `webchat:ready`. */
  | 'not_ready'
  /** The widget was destroyed, or its conversation left, while the call was under way. */
  | 'destroyed'
  /** The visitor has discarded the message before the server had it. */
  | 'discarded'
  /** An argument of a method is not what the method takes. */
  | 'invalid_argument'
  /** A configuration field has a wrong value; it fell back. */
  | 'invalid_configuration'
  /** A file of the widget could not be loaded. */
  | 'chunk_failed'
  /** The server could not be reached. */
  | 'network'
  /** The server failed (5xx), or is busy (429). */
  | 'server'
  /** The server refused the user key (401). */
  | 'unauthorized'
  /** The server refused the action (403). */
  | 'forbidden'
  /** The thing does not exist on the server (404). */
  | 'not_found'
  /** The server refused what was sent (other 4xx). */
  | 'rejected'
  /** A fault of ours. */
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
    name: /^not_(init|rea)/.test(code) ? ('InvalidStateError' as const) : ('PlatformError' as const),
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
