// A terminal for tests of the command line: what is typed, what is read on both streams, and the exit code. No double of a server.
import { Readable } from 'node:stream';
import type { Io } from './command.ts';
import { runCli } from './run.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Terminal {
  env?: Record<string, string | undefined>;
  /** What comes by stdin. */
  input?: string;
  /** True: a terminal with a person before it. */
  isTTY?: boolean;
  columns?: number;
  signal?: AbortSignal;
  /** Sees what is written to stderr as it comes. */
  onError?(text: string): void;
}

/** Runs a command line as the program does. */
export async function run(
  args: readonly string[],
  { env = {}, input = '', isTTY = false, columns, signal, onError }: Terminal = {},
): Promise<Ran> {
  const ran: Ran = { code: 0, stdout: '', stderr: '' };
  const io: Io = {
    stdin: Object.assign(Readable.from([Buffer.from(input)]), { isTTY }),
    stdout: {
      isTTY,
      columns,
      write(text) {
        ran.stdout += text;
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
