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

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damageCodes = [11, 26];

/** Converts an error of the disk or of the database to a StartError of one line. Returns any other error unchanged. */
export function asStartError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const { errcode, code, path, syscall } = error as NodeJS.ErrnoException & { errcode?: number };
  if (damageCodes.includes((errcode ?? 0) & 0xff)) {
    return new StartError('DATA_DIR: the database is damaged: restore a backup.', 1, { cause: error });
  }
  if (syscall === undefined || path === undefined) return error;
  return new StartError(`${path} cannot be used (${code}: ${syscall}).`, 1, { cause: error });
}
