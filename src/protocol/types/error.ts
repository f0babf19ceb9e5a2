// Generated from src/protocol/schemas/error.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

export type ErrorType =
  | 'Unknown'
  | 'Internal'
  | 'Unauthorized'
  | 'Forbidden'
  | 'PayloadTooLarge'
  | 'InvalidPayload'
  | 'UnsupportedMediaType'
  | 'MethodNotFound'
  | 'ResourceNotFound'
  | 'InvalidJsonSchema'
  | 'InvalidDataFormat'
  | 'InvalidIdentifier'
  | 'RelationConflict'
  | 'HandledByPerson'
  | 'AlreadyTaken'
  | 'AssignedToOther'
  | 'NewerReply'
  | 'StaleRevision'
  | 'ReferenceConstraint'
  | 'ResourceLockedConflict'
  | 'ResourceGone'
  | 'TooOld'
  | 'ReferenceNotFound'
  | 'InvalidQuery'
  | 'Runtime'
  | 'AlreadyExists'
  | 'RateLimited'
  | 'PaymentRequired'
  | 'QuotaExceeded'
  | 'LimitExceeded'
  | 'BreakingChanges'
  | 'InsufficientStorage'
  | 'ServiceUnavailable'
  | 'NotImplemented'
  | 'OperationTimeout'
  | 'ChallengeRequired';

/** The body of every error response: five fields, `code` equals the HTTP status. */
export interface ErrorBody {
  /** `err_` + UTC `yyyymmddhhmmss` + `x` + 8 upper-case hex digits; the server's log contains the same id. */
  id: string;
  code: number;
  type: ErrorType;
  message: string;
  metadata?: Record<string, unknown>;
}
