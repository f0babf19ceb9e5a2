// The thread in which the module of a bot runs: it loads the module, and runs its handler for each event.
import { parentPort, workerData } from 'node:worker_threads';
import type { BotHandler } from '../../../protocol/bot.ts';
import { StartError } from '../../startup/start-error.ts';
import { isVisitorStop } from '../answers/stream.ts';
import { botContextOf, runBotCode } from '../current-event.ts';
import { importBot } from '../module.ts';
import { type FromThread, type SentError, type StartedRun, sentError, type ToThread } from './messages.ts';
import { createThreadBot, type ThreadBot } from './thread-bot.ts';

export interface BotThreadData {
  path: string;
  /** The setting that errors of the module name. */
  setting: string;
  stackTraceLimit: number;
}

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const post = (message: FromThread) => port.postMessage(message);
const { path, setting, stackTraceLimit } = workerData as BotThreadData;
Error.stackTraceLimit = stackTraceLimit;

const running = new Map<number, ThreadBot>();

async function handle(handler: BotHandler, started: StartedRun): Promise<void> {
  const { run, context, event } = started;
  const thread = createThreadBot(started, post);
  running.set(run, thread);
  let failure: { error: SentError } | undefined;
  try {
    await runBotCode({ ...context, run }, () => handler(event, thread.bot));
  } catch (error) {
    if (!isVisitorStop(error)) failure = { error: sentError(error) };
  }
  try {
    if (!failure) await thread.finish();
  } catch (error) {
    failure = { error: sentError(error) };
  }
  thread.close();
  running.delete(run);
  post({ kind: 'done', run, ...failure });
}

function reportUncaught(error: unknown, isLast: boolean): void {
  const { run, ...context } = botContextOf(error) ?? {};
  const isKnown = Object.keys(context).length > 0;
  post({ kind: 'uncaught', context: isKnown ? context : undefined, run, error: sentError(error), isLast });
}
// Bot code may not await a promise that rejects: the server logs the error, and the thread continues.
process.on('unhandledRejection', (error) => reportUncaught(error, false));
// The state is undefined, so the thread ends, and the server starts another one.
process.on('uncaughtException', (error) => {
  reportUncaught(error, true);
  process.exit(1);
});

try {
  const handler = await importBot(path, setting);
  port.on('message', (message: ToThread) => {
    if (message.kind === 'ping') post({ kind: 'pong' });
    else if (message.kind === 'event') void handle(handler, message);
    else running.get(message.run)?.receive(message);
  });
  post({ kind: 'ready' });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  const cause = error.cause === undefined ? {} : { error: sentError(error.cause) };
  post({ kind: 'unloadable', problem: error.message, ...cause });
}
