// `serve`: runs the server in this process. The server parses its flags itself and prints its own help and errors.
import type { Command } from '@commander-js/extra-typings';
import { createCommand } from './command.ts';
import type { Io } from './io.ts';

export const serve = (io: Io): Command<[string[]]> =>
  createCommand('serve', 'serve --port 3000 --data-dir ./data')
    .description('Starts the server. Every setting except secrets is also a flag.')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[flags...]')
    // The only import of the server in the command line: other commands start without loading it.
    .action(async (flags) => (await import('../server/run.ts')).runServer(flags, io.env));
