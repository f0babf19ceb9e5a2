// One class for each type of error on the wire, so that `instanceof` and `switch` both work.
import { type ErrorType, errorTypes, isErrorBody } from '../../protocol/error.ts';
import { ApiError } from './errors.ts';

/** An ApiError with a known `type`; `name` is the type followed by `Error`. */
class TypedError<T extends ErrorType> extends ApiError {
  declare readonly type: T;
  override readonly name = `${(this as ApiError).type}Error`;
}

/** The response does not contain an error of the table. */
export class UnknownError extends TypedError<'Unknown'> {}
/** 500: an internal error of the server; its log contains the `id`. */
export class InternalError extends TypedError<'Internal'> {}
/** 401: the token, the workspace or the bot is missing or not valid. */
export class UnauthorizedError extends TypedError<'Unauthorized'> {}
/** 403: the token does not have the permission. */
export class ForbiddenError extends TypedError<'Forbidden'> {}
/** 413: the body is larger than the limit of this address. */
export class PayloadTooLargeError extends TypedError<'PayloadTooLarge'> {}
/** 400: the body is not valid for the operation; `metadata.issues` lists the errors. */
export class InvalidPayloadError extends TypedError<'InvalidPayload'> {}
/** 415: the type of the body or of the file is not accepted. */
export class UnsupportedMediaTypeError extends TypedError<'UnsupportedMediaType'> {}
/** 405: the address exists, but not with this method. */
export class MethodNotFoundError extends TypedError<'MethodNotFound'> {}
/** 404: the id does not exist. */
export class ResourceNotFoundError extends TypedError<'ResourceNotFound'> {}
/** 400: a schema is not valid. */
export class InvalidJsonSchemaError extends TypedError<'InvalidJsonSchema'> {}
/** 400: the body is not JSON, or does not match its headers. */
export class InvalidDataFormatError extends TypedError<'InvalidDataFormat'> {}
/** 400: an id is not valid. */
export class InvalidIdentifierError extends TypedError<'InvalidIdentifier'> {}
/** 409: the offset of the request is not the offset of the upload. */
export class RelationConflictError extends TypedError<'RelationConflict'> {}
/** 409: a person answers the conversation, so that the bot can send nothing. */
export class HandledByPersonError extends TypedError<'HandledByPerson'> {}
/** 409: another person answers the conversation already: `metadata.assignee`. */
export class AlreadyTakenError extends TypedError<'AlreadyTaken'> {}
/** 409: another member answers the conversation: `metadata.assignee`. */
export class AssignedToOtherError extends TypedError<'AssignedToOther'> {}
/** 409: a colleague has written since the caller read the conversation. */
export class NewerReplyError extends TypedError<'NewerReply'> {}
/** 409: the conversation has changed since the caller read it. */
export class StaleRevisionError extends TypedError<'StaleRevision'> {}
/** 409: another resource still needs this one. */
export class ReferenceConstraintError extends TypedError<'ReferenceConstraint'> {}
/** 409: another request is writing the resource. */
export class ResourceLockedConflictError extends TypedError<'ResourceLockedConflict'> {}
/** 410: the resource that this request created earlier was deleted. */
export class ResourceGoneError extends TypedError<'ResourceGone'> {}
/** 410: the changes since this cursor are not kept any more. */
export class TooOldError extends TypedError<'TooOld'> {}
/** 400: a referenced resource does not exist. */
export class ReferenceNotFoundError extends TypedError<'ReferenceNotFound'> {}
/** 400: a parameter of the address is not valid for the operation. */
export class InvalidQueryError extends TypedError<'InvalidQuery'> {}
/** 400: bot code failed. */
export class RuntimeError extends TypedError<'Runtime'> {}
/** 409: a resource with this id exists already. */
export class AlreadyExistsError extends TypedError<'AlreadyExists'> {}
/** 429: too many requests; `retryAfterMs` is the waiting time. */
export class RateLimitedError extends TypedError<'RateLimited'> {}
/** 402: the account must pay. */
export class PaymentRequiredError extends TypedError<'PaymentRequired'> {}
/** 403: the quota is used up. */
export class QuotaExceededError extends TypedError<'QuotaExceeded'> {}
/** 413: the file is larger than the server accepts. */
export class LimitExceededError extends TypedError<'LimitExceeded'> {}
/** 400: the change would break existing resources. */
export class BreakingChangesError extends TypedError<'BreakingChanges'> {}
/** 507: the server has too little free disk space; `retryAfterMs` is the waiting time. */
export class InsufficientStorageError extends TypedError<'InsufficientStorage'> {}
/** 503: a part of the server does not answer; `retryAfterMs` is the waiting time. */
export class ServiceUnavailableError extends TypedError<'ServiceUnavailable'> {}
/** 501: the server does not have this operation; the message names the alternative. */
export class NotImplementedError extends TypedError<'NotImplemented'> {}
/** 504: the operation took too long. */
export class OperationTimeoutError extends TypedError<'OperationTimeout'> {}
/** 403: a user is created only with a proof of work; `solveChallenge` computes it from `metadata`. */
export class ChallengeRequiredError extends TypedError<'ChallengeRequired'> {}

/** The class of each type. The compiler reports a missing class and a class with another type. */
const classes: {
  [T in ErrorType]: new (
    ...args: ConstructorParameters<typeof ApiError>
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
  HandledByPerson: HandledByPersonError,
  AlreadyTaken: AlreadyTakenError,
  AssignedToOther: AssignedToOtherError,
  NewerReply: NewerReplyError,
  StaleRevision: StaleRevisionError,
  ReferenceConstraint: ReferenceConstraintError,
  ResourceLockedConflict: ResourceLockedConflictError,
  ResourceGone: ResourceGoneError,
  TooOld: TooOldError,
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
  ServiceUnavailable: ServiceUnavailableError,
  NotImplemented: NotImplementedError,
  OperationTimeout: OperationTimeoutError,
  ChallengeRequired: ChallengeRequiredError,
};

/**
 * The error of a response: an instance of the class of its type. UnknownError if the body is not an error of this API,
 * or if the table does not contain its type.
 */
export function typedError(code: number, body: unknown, retryAfterMs?: number): ApiError {
  if (!isErrorBody(body)) return new UnknownError(code, body, retryAfterMs);
  // A newer server may have more types. `hasOwn`, because the type may be `constructor`.
  const type = Object.hasOwn(errorTypes, body.type) ? body.type : 'Unknown';
  return new classes[type](code, { ...body, type }, retryAfterMs);
}

/** True for an ApiError, also for one of another copy of this package, where `instanceof` fails. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof Error && (value as Partial<ApiError>).isApiError === true;
}

/**
 * Converts any thrown value to an ApiError. An ApiError is returned as an instance of the class of its type. The
 * body of an error response, as an object or as JSON text, becomes an ApiError. Any other value becomes an UnknownError
 * with its message, and with the value itself as `cause`.
 */
export function errorFrom(value: unknown): ApiError {
  if (value instanceof TypedError) return value;
  if (isApiError(value)) {
    const { id, code, type, message, metadata, retryAfterMs } = value;
    const error = typedError(code, { id, code, type, message, ...(metadata && { metadata }) }, retryAfterMs);
    return Object.assign(error, { cause: value });
  }
  const body = typeof value === 'string' ? parsed(value) : value;
  if (isErrorBody(body)) return typedError(body.code, body);
  const message = value instanceof Error ? value.message : typeof value === 'string' ? value : '';
  const error = typedError(500, { id: '', code: 500, type: 'Unknown', message: message || 'Unknown error.' });
  return Object.assign(error, { cause: value });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
