// How many processes the tests of a cluster start.

/** Stress tests and the tests of examples start this many, unless they are told otherwise. */
export const usualProcesses = 3;
