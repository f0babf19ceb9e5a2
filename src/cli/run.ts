// Runs one command line: parses it, runs the command, and prints an error in one line.
import { CommanderError } from '@commander-js/extra-typings';
import { apiUrlOf } from './connection.ts';
import { exitCodes, explain } from './errors.ts';
import type { Io } from './io.ts';
import { paint } from './output.ts';
import { createProgram } from './program.ts';

/** Runs a command line and returns the exit code. Never throws. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  let apiUrl: string | undefined;
  try {
    const program = createProgram(io).hook('preAction', (_, command) => {
      apiUrl = apiUrlOf(command.opts(), io);
    });
    await program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Thrown by commander after it has printed help or the version.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    if (io.signal.aborted) {
      io.stderr.write('Stopped.\n');
      return exitCodes.stopped;
    }
    const { line, exitCode } = explain(error, apiUrl);
    io.stderr.write(`${paint('red', 'Error:', io.stderr, io)} ${line}\n`);
    return exitCode;
  }
}
