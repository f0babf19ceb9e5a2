// The streams, environment and abort signal that a command uses instead of `process`, so that tests can supply their own.
import type { Readable } from 'node:stream';

/** A stream of text that may be a terminal. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  /** Width of the terminal in characters. */
  columns?: number | undefined;
}

export interface Io {
  stdin: Readable & { isTTY?: boolean | undefined };
  stdout: Output;
  stderr: Output;
  env: Record<string, string | undefined>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
