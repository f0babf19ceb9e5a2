// The word for a start that cannot succeed: something the operator can mend. It carries one line, nothing else.

/** Stops the start; `message` is the one line that the operator reads on stderr before the process ends. */
export class StartError extends Error {
  override name = 'StartError';
  /** 2: the command line is wrong; 1: anything else. */
  readonly exitCode: 1 | 2;

  /** `options.cause`: what was thrown by something that is not ours, such as a bot's module. */
  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
