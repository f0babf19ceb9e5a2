// The word for a start that cannot succeed: something the operator can mend. It carries one line, nothing else.

/** Stops the start; `message` is the one line that the operator reads on stderr before exit code 1. */
export class StartError extends Error {
  override name = 'StartError';
}
