// The error of a file whose text cannot be read.
import { JobError } from '../../jobs/runner.ts';

/** The message contains the reason for the owner of the file; it must not contain internal details. */
export class UnreadableError extends JobError {}
