// Runs the server as a process: reads flags and environment, handles signals and errors, and sets the exit code. With the same
// settings, it tries the agent.
import pino from 'pino';
import { botContextOf, readAgent, sendTestMessage, type TestAnswer } from './bots/index.ts';
import { readSettings } from './composition/settings.ts';
import { help, readFlags } from './flags.ts';
import { startServer } from './server.ts';
import { BotError, createLogger } from './startup/log.ts';
import { asStartError, StartError } from './startup/start-error.ts';
import { startupMessage } from './startup-message.ts';

/**
 * Runs the server until the process receives SIGTERM or SIGINT. A start that fails prints one line to stderr and exits
 * with 2 for invalid flags, and with 1 for any other reason.
 */
export async function runServer(args: readonly string[], env: Env): Promise<void> {
  try {
    await start(args, env);
  } catch (thrown) {
    const error = asStartError(thrown);
    const line =
      error instanceof StartError ? error.message : String(error instanceof Error ? error.stack : error);
    process.stderr.write(`${line}\n`);
    process.exit(error instanceof StartError ? error.exitCode : 1);
  }
}

type Env = Record<string, string | undefined>;

/** The frames of a stack: 10, the default, often end inside a library that a bot calls. */
const stackFrames = 30;

async function start(args: readonly string[], env: Env): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help());
    return;
  }
  const flags = readFlags(args);
  Error.stackTraceLimit = stackFrames;
  // Conversations are private: only the owner of this process can read the files that it writes.
  process.umask(0o077);
  const settings = readSettings({ ...env, ...flags });
  if (settings.DEV_ERRORS === 'on' && env.NODE_ENV === 'production') {
    throw new StartError('DEV_ERRORS shows errors of bots to visitors: unset it, or NODE_ENV=production.');
  }
  // Logs go to stderr: stdout has the startup message and the line `ready URL`.
  const logger = createLogger(settings.LOG_LEVEL, pino.destination({ dest: 2, sync: true }));
  const server = await startServer(settings, logger);

  let closing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal ends the process at once.
      if (closing) process.exit(1);
      closing = true;
      server.close().then(
        () => {
          logger.info('stopped');
          process.exit(0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'shutdown failed');
          process.exit(1);
        },
      );
    });
  }
  const fieldsOf = (error: unknown) => {
    const context = botContextOf(error);
    return context ? { ...context, err: new BotError(error) } : { err: error };
  };
  // Bot code may not await a promise that rejects: log the error and continue.
  process.on('unhandledRejection', (error) => logger.error(fieldsOf(error), 'unhandled rejection'));
  // The state is undefined, so the process ends. Node would print the message, which may contain text of visitors.
  process.on('uncaughtException', (error) => {
    logger.fatal(fieldsOf(error), 'uncaught exception');
    process.exit(1);
  });
  logger.info({ url: server.url, ...(server.metricsUrl && { metrics: server.metricsUrl }) }, 'started');
  const isTerminal = process.stdout.isTTY === true;
  const lines = await startupMessage(server, settings, isTerminal);
  // One write, so that a reader that waits for `ready` has received the lines before it.
  process.stdout.write(`${lines}ready ${server.url}\n`);
}

interface TestMessageOptions {
  /** Flags of `serve`. */
  flags: readonly string[];
  env: Env;
  message: string;
  signal: AbortSignal;
  /** Receives the text of the agent as it arrives. */
  onText(delta: string): void;
}

/** Sends one message to the agent of the settings. Throws StartError if a setting is wrong or missing, and the reason of `signal`. */
export async function tryAgentOfSettings(options: TestMessageOptions): Promise<TestAnswer> {
  const agent = await readAgent(readSettings({ ...options.env, ...readFlags(options.flags) }));
  if (!agent) throw new StartError('AGENT is required: the address of the agent, or --agent.', 2);
  return sendTestMessage(agent, options.message, options);
}
