// How many processes of this version can share a database.

/** Stress tests and the tests of examples start this many, unless they are told otherwise. */
export const supportedProcesses = 1;
