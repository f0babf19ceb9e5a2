// Runs command lines in tests, with in-memory streams.
import { Readable } from 'node:stream';
import type { Io } from './io.ts';
import { runCli } from './run.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Terminal {
  env?: Record<string, string | undefined>;
  /** The content of stdin. */
  input?: string;
  /** True for an interactive terminal. */
  isTTY?: boolean;
  columns?: number;
  signal?: AbortSignal;
  /** Called with each write to stdout. */
  onOutput?(text: string): void;
  /** Called with each write to stderr. */
  onError?(text: string): void;
}

/** Runs a command line as the program does. */
export async function run(
  args: readonly string[],
  { env = {}, input = '', isTTY = false, columns, signal, onOutput, onError }: Terminal = {},
): Promise<Ran> {
  const ran: Ran = { code: 0, stdout: '', stderr: '' };
  const io: Io = {
    stdin: Object.assign(Readable.from([Buffer.from(input)]), { isTTY }),
    stdout: {
      isTTY,
      columns,
      write(text) {
        ran.stdout += text;
        onOutput?.(text);
      },
    },
    stderr: {
      isTTY,
      columns,
      write(text) {
        ran.stderr += text;
        onError?.(text);
      },
    },
    env,
    signal: signal ?? new AbortController().signal,
  };
  ran.code = await runCli(args, io);
  return ran;
}

/** Streams that discard their output, for tests that run no command. */
export function createIo(): Io {
  const discard = { write: () => true };
  const { signal } = new AbortController();
  return { stdin: Readable.from([]), stdout: discard, stderr: discard, env: {}, signal };
}
