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
    .action(async (flags) => {
      if (io.env.npm_command === 'exec') stopWithParent();
      // The only import of the server in the command line: other commands start without loading it.
      await (await import('../server/run.ts')).runServer(flags, io.env);
    });

/**
 * Stops the server when the process that started it has ended. A signal ends npx, which does not pass it on: the server would
 * keep its port and the lock of the data folder.
 */
function stopWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
