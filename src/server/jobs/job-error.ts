// The error of a job that fails for an expected reason.

/** An expected failure. The message is stored with the job and shown to the user who requested it. */
export class JobError extends Error {}
