// The errors of the mock server: the five fields of the Chat API.
import { type ErrorBody, type ErrorType, errorTypes } from '../../../protocol/error.ts';

/** A refused request. */
export class Failure extends Error {
  readonly type: ErrorType;

  constructor(type: ErrorType, message: string) {
    super(message);
    this.type = type;
  }

  /** `number`: makes the id of the error. */
  body(number: number): ErrorBody {
    const id = `err_20260101000000x${number.toString(16).toUpperCase().padStart(8, '0')}`;
    return { id, code: errorTypes[this.type], type: this.type, message: this.message };
  }
}

export const notFound = (): Failure => new Failure('ResourceNotFound', 'There is nothing with this id.');
export const forbidden = (): Failure => new Failure('Forbidden', 'This is not yours.');
export const invalid = (message: string): Failure => new Failure('InvalidPayload', message);
