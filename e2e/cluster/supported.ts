// How many processes of this version can share a database.

/** Trials and the tests of examples start this many, unless they are told otherwise. */
export const supportedProcesses = 1;
