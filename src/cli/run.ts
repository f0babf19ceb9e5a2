// One command line from beginning to end: found, read, run, its failure told in one line. It knows no command.
import { readFile } from 'node:fs/promises';
import type { Command, Io, Values } from './command.ts';
import { commands } from './commands.ts';
import { apiUrlOf, connect } from './connection.ts';
import { exitCodes, explain } from './errors.ts';
import { helpOf, overview } from './help.ts';
import { paint } from './output.ts';
import { readCommandLine } from './parse.ts';

/** Runs a command line and gives the exit code. Never throws. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  let apiUrl: string | undefined;
  try {
    const asked = readCommandLine(args, commands);
    switch (asked.kind) {
      case 'version':
        io.stdout.write(`${await version()}\n`);
        break;
      case 'help':
        io.stdout.write(asked.command ? helpOf(asked.command) : overview(commands, asked.group));
        break;
      case 'pass':
        await asked.command.takesAll?.(asked.args, io);
        break;
      case 'run': {
        const { command, values, parameter = '' } = asked;
        apiUrl = apiUrlOf(values, io);
        await command.run?.({
          parameter,
          options: values as Values<Command['options']>,
          io,
          apiUrl,
          connect: () => connect(command.needs, values, io),
        });
      }
    }
    return exitCodes.done;
  } catch (error) {
    if (io.signal.aborted) {
      io.stderr.write('Stopped.\n');
      return exitCodes.stopped;
    }
    const { line, exitCode } = explain(error, apiUrl);
    io.stderr.write(`${paint('red', 'Error:', io.stderr, io)} ${line}\n`);
    return exitCode;
  }
}

/** Of the package, seen from this module's source and from its built form in `dist/node/src/cli`. */
async function version(): Promise<string> {
  const path = import.meta.url.endsWith('.ts') ? '../../package.json' : '../../../../package.json';
  const text = await readFile(new URL(path, import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
