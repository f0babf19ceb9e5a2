// The options of the readers of all formats, and their error.
import { JobError } from '../../jobs/runner.ts';

export interface ReadOptions {
  /** The `charset` of the content type that the owner of the file has declared. */
  charset?: string | undefined;
  /** Receives a sentence for the owner about text that could not be read, or may be wrong. */
  warn?: ((problem: string) => void) | undefined;
}

/** The error of a file whose text cannot be read. The message contains the reason for the owner of the file; it must not contain internal details. */
export class UnreadableError extends JobError {}
