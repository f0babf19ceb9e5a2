// The error of a request to the object store: 503 for clients, with the reason in the log only.
import { ApiError } from '../../api/errors.ts';

/** Seconds until clients should try again. */
const retryAfterSeconds = 5;

/** The store refused a request or did not answer it. No field contains its address or a key. */
export class S3Error extends ApiError {
  /** The operation of S3, such as `PutObject`. */
  readonly operation: string;
  /** The status of the response; 0 without one. */
  readonly status: number;
  /** The code in the response, such as `NoSuchKey`, or of the connection, such as `ECONNREFUSED`. */
  readonly reason: string;

  constructor(operation: string, status: number, reason: string) {
    super(
      'ServiceUnavailable',
      'The store of files does not answer. Try again later.',
      { retryAfter: retryAfterSeconds },
      { 'retry-after': String(retryAfterSeconds) },
    );
    this.operation = operation;
    this.status = status;
    this.reason = reason;
  }

  override get logMessage(): string {
    return `${this.operation}: ${this.status || 'no response'} ${this.reason}`;
  }

  /** True if the same request may succeed later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500 || this.reason === 'RequestTimeout';
  }
}
