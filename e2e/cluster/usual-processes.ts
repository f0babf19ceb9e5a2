// How many processes the tests of a cluster start.

/** The default number of processes of stress tests and of the tests of examples. */
export const usualProcesses = 3;
