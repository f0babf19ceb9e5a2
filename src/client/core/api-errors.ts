// One class for each type of error on the wire, so that `instanceof` and `switch` both work. What the classes hold is
// ApiError's; whether to try again is not decided here.
import { type ErrorType, errorTypes, isErrorBody } from '../../protocol/error.ts';
import { ApiError } from './errors.ts';

/** An ApiError whose `type` is known; `name` is the type and `Error`. */
class TypedError<T extends ErrorType> extends ApiError {
  declare readonly type: T;
  override readonly name = `${(this as ApiError).type}Error`;
}

/** The answer says no more than that it failed, or not in the words of the table. */
export class UnknownError extends TypedError<'Unknown'> {}
/** 500: a fault of the server; its log has the `id`. */
export class InternalError extends TypedError<'Internal'> {}
/** 401: the token, or the workspace or bot it is for, is missing or not valid. */
export class UnauthorizedError extends TypedError<'Unauthorized'> {}
/** 403: the token may not do this. */
export class ForbiddenError extends TypedError<'Forbidden'> {}
/** 413: the body is larger than this address takes. */
export class PayloadTooLargeError extends TypedError<'PayloadTooLarge'> {}
/** 400: the body is not what the operation takes; `metadata.issues` says where. */
export class InvalidPayloadError extends TypedError<'InvalidPayload'> {}
/** 415: the body, or the file, is of a type that is not taken. */
export class UnsupportedMediaTypeError extends TypedError<'UnsupportedMediaType'> {}
/** 405: the address exists, but not with this method. */
export class MethodNotFoundError extends TypedError<'MethodNotFound'> {}
/** 404: there is nothing of this id. */
export class ResourceNotFoundError extends TypedError<'ResourceNotFound'> {}
/** 400: a schema is not valid. */
export class InvalidJsonSchemaError extends TypedError<'InvalidJsonSchema'> {}
/** 400: the body is not JSON, or not what its headers say. */
export class InvalidDataFormatError extends TypedError<'InvalidDataFormat'> {}
/** 400: an id is not valid. */
export class InvalidIdentifierError extends TypedError<'InvalidIdentifier'> {}
/** 409: the offset of the request is not the offset of the upload. */
export class RelationConflictError extends TypedError<'RelationConflict'> {}
/** 409: something else still needs it. */
export class ReferenceConstraintError extends TypedError<'ReferenceConstraint'> {}
/** 409: somebody else is writing it. */
export class ResourceLockedConflictError extends TypedError<'ResourceLockedConflict'> {}
/** 410: what the request made before was deleted since. */
export class ResourceGoneError extends TypedError<'ResourceGone'> {}
/** 400: something that is named does not exist. */
export class ReferenceNotFoundError extends TypedError<'ReferenceNotFound'> {}
/** 400: a parameter of the address is not what the operation takes. */
export class InvalidQueryError extends TypedError<'InvalidQuery'> {}
/** 400: bot code failed. */
export class RuntimeError extends TypedError<'Runtime'> {}
/** 409: something with this id exists already. */
export class AlreadyExistsError extends TypedError<'AlreadyExists'> {}
/** 429: too many requests; `retryAfterMs` says when to come back. */
export class RateLimitedError extends TypedError<'RateLimited'> {}
/** 402: the account has to pay. */
export class PaymentRequiredError extends TypedError<'PaymentRequired'> {}
/** 403: the quota is used up. */
export class QuotaExceededError extends TypedError<'QuotaExceeded'> {}
/** 413: more than the server's limit. */
export class LimitExceededError extends TypedError<'LimitExceeded'> {}
/** 400: the change would break what exists. */
export class BreakingChangesError extends TypedError<'BreakingChanges'> {}
/** 507: the server has too little free disk; `retryAfterMs` says when to come back. */
export class InsufficientStorageError extends TypedError<'InsufficientStorage'> {}
/** 504: it took too long. */
export class OperationTimeoutError extends TypedError<'OperationTimeout'> {}
/** 403: a user is created only with a proof of work; `solveChallenge` makes it of `metadata`. */
export class ChallengeRequiredError extends TypedError<'ChallengeRequired'> {}

/** The class of each type: the compiler sees that none is missing and none has another's type. */
const classes: {
  [T in ErrorType]: new (
    ...given: ConstructorParameters<typeof ApiError>
  ) => TypedError<T>;
} = {
  Unknown: UnknownError,
  Internal: InternalError,
  Unauthorized: UnauthorizedError,
  Forbidden: ForbiddenError,
  PayloadTooLarge: PayloadTooLargeError,
  InvalidPayload: InvalidPayloadError,
  UnsupportedMediaType: UnsupportedMediaTypeError,
  MethodNotFound: MethodNotFoundError,
  ResourceNotFound: ResourceNotFoundError,
  InvalidJsonSchema: InvalidJsonSchemaError,
  InvalidDataFormat: InvalidDataFormatError,
  InvalidIdentifier: InvalidIdentifierError,
  RelationConflict: RelationConflictError,
  ReferenceConstraint: ReferenceConstraintError,
  ResourceLockedConflict: ResourceLockedConflictError,
  ResourceGone: ResourceGoneError,
  ReferenceNotFound: ReferenceNotFoundError,
  InvalidQuery: InvalidQueryError,
  Runtime: RuntimeError,
  AlreadyExists: AlreadyExistsError,
  RateLimited: RateLimitedError,
  PaymentRequired: PaymentRequiredError,
  QuotaExceeded: QuotaExceededError,
  LimitExceeded: LimitExceededError,
  BreakingChanges: BreakingChangesError,
  InsufficientStorage: InsufficientStorageError,
  OperationTimeout: OperationTimeoutError,
  ChallengeRequired: ChallengeRequiredError,
};

/**
 * The error of a response: an instance of the class of its type. UnknownError if the body is not an error of this API,
 * or if the table does not contain its type.
 */
export function typedError(code: number, body: unknown, retryAfterMs?: number): ApiError {
  if (!isErrorBody(body)) return new UnknownError(code, body, retryAfterMs);
  // A newer server may have more types; `hasOwn`, because the type may be `constructor`.
  const type = Object.hasOwn(errorTypes, body.type) ? body.type : 'Unknown';
  return new classes[type](code, { ...body, type }, retryAfterMs);
}

/** True for an ApiError, also for one of another copy of this package, where `instanceof` fails. */
export function isApiError(thing: unknown): thing is ApiError {
  return thing instanceof Error && (thing as Partial<ApiError>).isApiError === true;
}

/**
 * Converts anything thrown to an ApiError. An ApiError is returned as it is, as an instance of the class of its type. The
 * body of an error response, as an object or as JSON text, becomes an ApiError. Anything else becomes an UnknownError
 * with its message, and with the thing itself as `cause`.
 */
export function errorFrom(thing: unknown): ApiError {
  if (thing instanceof TypedError) return thing;
  if (isApiError(thing)) {
    const { id, code, type, message, metadata, retryAfterMs } = thing;
    const error = typedError(code, { id, code, type, message, ...(metadata && { metadata }) }, retryAfterMs);
    return Object.assign(error, { cause: thing });
  }
  const body = typeof thing === 'string' ? parsed(thing) : thing;
  if (isErrorBody(body)) return typedError(body.code, body);
  const message = thing instanceof Error ? thing.message : typeof thing === 'string' ? thing : '';
  const error = typedError(500, { id: '', code: 500, type: 'Unknown', message: message || 'Unknown error.' });
  return Object.assign(error, { cause: thing });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
