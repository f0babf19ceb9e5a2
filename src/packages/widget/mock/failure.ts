// The errors of the mock server: the five fields of the Chat API.
import { type ErrorBody, type ErrorType, errorTypes } from '../../../protocol/error.ts';

/** A refused request. */
export class Failure extends Error {
  readonly type: ErrorType;
  readonly metadata: Record<string, unknown> | undefined;

  constructor(type: ErrorType, message: string, metadata?: Record<string, unknown>) {
    super(message);
    this.type = type;
    this.metadata = metadata;
  }

  /** `number`: makes the id of the error. */
  body(number: number): ErrorBody {
    const id = `err_20260101000000x${number.toString(16).toUpperCase().padStart(8, '0')}`;
    const { type, message, metadata } = this;
    return { id, code: errorTypes[type], type, message, ...(metadata && { metadata }) };
  }
}

export const notFound = (): Failure => new Failure('ResourceNotFound', 'There is nothing with this id.');
export const forbidden = (): Failure => new Failure('Forbidden', 'This is not yours.');
/** `path`: the field, with dots. */
export const invalid = (path: string, message: string): Failure =>
  new Failure('InvalidPayload', `${path}: ${message}`, { issues: [{ path, message }] });
