// The error of a start that fails because of a problem that the operator can fix.

/** Ends the start; `message` is printed to stderr as one line. */
export class StartError extends Error {
  override name = 'StartError';
  /** 2 for an invalid command line, 1 for any other problem. */
  readonly exitCode: 1 | 2;

  /** `options.cause`: the original error, such as one thrown by the module of a bot. */
  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
