// The error of a file whose text cannot be read.
import { JobError } from '../../jobs/job-error.ts';

/** The message says why, for the owner of the file; it contains nothing internal. */
export class UnreadableError extends JobError {}
