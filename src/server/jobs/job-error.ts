// The error of a job that cannot be done.

/** An expected failure; its message is stored with the job, for whoever asked for it. */
export class JobError extends Error {}
