// The server as a process: flags and environment in, exit code out. It is started and stopped in server.ts.
import pino from 'pino';
import { readFlags } from './flags.ts';
import { greeting } from './greeting.ts';
import { createLogger } from './log.ts';
import { startServer } from './server.ts';
import { readSettings } from './settings.ts';
import { help } from './settings-help.ts';
import { StartError } from './start-error.ts';

/**
 * Runs the server until the process is told to end. What cannot be started is told in one line on stderr; the process
 * then ends with 2 for flags that are none, and with 1 for all else.
 */
export async function runServer(args: readonly string[], env: Env): Promise<void> {
  try {
    await start(args, env);
  } catch (error) {
    const line =
      error instanceof StartError ? error.message : String(error instanceof Error ? error.stack : error);
    process.stderr.write(`${line}\n`);
    process.exit(error instanceof StartError ? error.exitCode : 1);
  }
}

type Env = Record<string, string | undefined>;

async function start(args: readonly string[], env: Env): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help());
    return;
  }
  const flags = readFlags(args);
  // Conversations are private: what this process writes is for its owner alone.
  process.umask(0o077);
  const settings = readSettings({ ...env, ...flags });
  // stderr: stdout carries nothing but what a person needs to begin, and the line that says the server is ready.
  const logger = createLogger(settings.LOG_LEVEL, pino.destination({ dest: 2, sync: true }));
  const server = await startServer(settings, logger);

  let closing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal means: now.
      if (closing) process.exit(1);
      closing = true;
      server.close().then(
        () => {
          logger.info('stopped');
          process.exit(0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'closing failed');
          process.exit(1);
        },
      );
    });
  }
  // Bot code may leave a promise that nobody awaits: that is an error to log, not a reason to die.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
  // Where it stands now nobody knows, so it ends; Node would print the message, and with it what a visitor wrote.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
  logger.info({ url: server.url }, 'started');
  const isTerminal = process.stdout.isTTY === true;
  const lines = await greeting(server, settings.DATA_DIR, isTerminal);
  // In one piece, so that nobody sees the last line without those before it.
  process.stdout.write(`${lines}ready ${server.url}\n`);
}
