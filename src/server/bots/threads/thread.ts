// Runs the module of a bot in a thread of its own, so that code which blocks, or which ends its thread, disturbs no other
// bot and not the server (docs/decisions/archive/0063-bot-threads.md).
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { BotEvent } from '../../../protocol/bot.ts';
import { startWorker } from '../../jobs/worker-thread.ts';
import { BotError } from '../../startup/log.ts';
import { StartError } from '../../startup/start-error.ts';
import type { BotApi } from '../bot-api.ts';
import type { BotContext } from '../current-event.ts';
import { type FromThread, receivedError, type ToThread } from './messages.ts';
import { createServedRun, type ServedRun } from './served-run.ts';
import type { BotThreadData } from './worker.ts';

/** The thread ended while it handled the event, for a reason that may have nothing to do with the event. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

export interface BotThread {
  /** Starts the thread again if it has ended. */
  prepare(): Promise<void>;
  /** Handles one event. Rejects with the error of the bot, or with ThreadEnded. */
  run(event: BotEvent, api: BotApi, context: BotContext): Promise<void>;
  close(): Promise<void>;
}

export interface BotThreads {
  logger: Logger;
  /** Node flags of the thread. */
  execArgv?: string[] | undefined;
  /** Milliseconds in which the thread must react when an event is over; the default is 5,000. */
  reactionTime?: number;
  /** Milliseconds that the module can take to load at each start of the thread; the default is 60,000. */
  loadTime?: number | undefined;
  /** The memory of the thread; the default is that of the process. */
  heapMegabytes?: number | undefined;
}

export interface BotThreadOptions extends BotThreads {
  /** The module. */
  path: string;
  /** The setting that errors of the module name. */
  setting: string;
  /** Ends the thread if it is aborted while the module is being loaded. */
  signal?: AbortSignal | undefined;
}

const defaultReactionTimeMs = 5_000;
/** As long as an event. */
const defaultLoadTimeMs = 60_000;
/** Milliseconds between two questions whether the thread reacts. */
const pingIntervalMs = 1_000;

/** Starts the thread and loads the module. Throws StartError when that fails, and the reason of the signal. */
export async function startBotThread(options: BotThreadOptions): Promise<BotThread> {
  const { path, setting, logger, execArgv, heapMegabytes, signal } = options;
  const { reactionTime = defaultReactionTimeMs, loadTime = defaultLoadTimeMs } = options;
  const runs = new Map<number, ServedRun>();
  /** When the unanswered ping was sent. */
  let pingedAt: number | undefined;
  let pings: NodeJS.Timeout | undefined;
  let count = 0;
  let isClosed = false;
  let current: Promise<Worker> | undefined;
  let live: Worker | undefined;
  /** Ends the thread that loads the module. A module can hang forever, also with all of a processor. */
  let giveUp: ((reason: unknown) => void) | undefined;

  /** Ends all events of the thread, which has ended or is about to. The next event starts another one. */
  function forget(reason: ThreadEnded): void {
    live = undefined;
    current = undefined;
    pingedAt = undefined;
    for (const run of [...runs.values()]) run.end(reason);
  }

  function start(): Promise<Worker> {
    const workerData: BotThreadData = { path, setting, stackTraceLimit: Error.stackTraceLimit };
    const resourceLimits =
      heapMegabytes === undefined ? undefined : { maxOldGenerationSizeMb: heapMegabytes };
    const worker = startWorker(import.meta.url, { workerData, resourceLimits, execArgv, isTrusted: true });
    return new Promise((resolve, reject) => {
      let isGivenUp = false;
      const end = (reason: unknown) => {
        isGivenUp = true;
        over();
        reject(reason);
        void worker.terminate();
      };
      const timer = setTimeout(
        () => end(new StartError(`${setting}: ${path} takes too long to load.`)),
        loadTime,
      );
      /** The module is loaded, or will not be. */
      const over = () => {
        clearTimeout(timer);
        if (giveUp === end) giveUp = undefined;
      };
      giveUp = end;
      worker.on('message', (message: FromThread) => {
        // It was sent before the thread was terminated.
        if (isGivenUp) return;
        if (message.kind === 'ready') {
          over();
          // The server keeps the process alive, and not its bots.
          worker.unref();
          live = worker;
          resolve(worker);
        } else if (message.kind === 'unloadable') {
          const cause = message.error === undefined ? {} : { cause: receivedError(message.error) };
          end(new StartError(message.problem, 1, cause));
        } else receive(message);
      });
      let reason: unknown;
      worker.once('error', (error) => {
        reason = error;
      });
      worker.once('exit', (code) => {
        over();
        const ended = new ThreadEnded(`The thread of the bot ended with the code ${code}.`, {
          cause: reason,
        });
        reject(
          new StartError(`${setting}: ${path} could not be loaded: ${ended.message}`, 1, { cause: ended }),
        );
        // Otherwise it was ended on purpose, and another one may run.
        if (live !== worker) return;
        const err = new BotError(reason ?? ended);
        if (!isClosed) logger.error({ module: path, err }, 'the thread of a bot ended');
        forget(ended);
      });
    });
  }

  /** The thread, which is started again after it ended. */
  function thread(): Promise<Worker> {
    if (isClosed) return Promise.reject(new ThreadEnded('The server stops.'));
    if (current === undefined) {
      const started = start();
      current = started;
      // The next event tries again.
      started.catch(() => {
        if (current === started) current = undefined;
      });
    }
    return current;
  }

  function receive(message: Exclude<FromThread, { kind: 'ready' | 'unloadable' }>): void {
    if (message.kind === 'pong') pingedAt = undefined;
    else if (message.kind === 'uncaught') {
      const err = new BotError(receivedError(message.error));
      const fields = { ...(message.context ?? { module: path }), err };
      if (!message.isLast) logger.error(fields, 'unhandled rejection');
      else {
        logger.error(fields, 'uncaught exception');
        // The event that caused it fails; others are delivered again.
        if (message.run !== undefined) runs.get(message.run)?.end(receivedError(message.error));
      }
    } else runs.get(message.run)?.receive(message);
  }

  function ping(): void {
    if (pingedAt !== undefined || live === undefined) return;
    pingedAt = performance.now();
    live.postMessage({ kind: 'ping' } satisfies ToThread);
  }

  /**
   * Called when an event is over before its handler has finished. Ends a thread that its code blocks; the other events
   * are delivered again at once, before their own time has run out.
   */
  function expectReaction(): void {
    ping();
    const worker = live;
    const silence = performance.now() - (pingedAt ?? 0);
    if (silence >= reactionTime) {
      logger.error({ module: path }, 'the thread of a bot does not respond, and is terminated');
      forget(new ThreadEnded('The thread of the bot did not react.'));
      void worker?.terminate();
    } else
      setTimeout(
        () => pingedAt !== undefined && live === worker && expectReaction(),
        reactionTime - silence,
      ).unref();
  }

  signal?.throwIfAborted();
  signal?.addEventListener('abort', () => giveUp?.(signal.reason), { once: true });
  await thread();
  return {
    async prepare() {
      await thread();
    },
    async run(event, api, context) {
      const worker = await thread();
      const id = count++;
      const post = (message: ToThread) => worker.postMessage(message);
      const served = createServedRun({ run: id, event, api, context, post });
      runs.set(id, served);
      pings ??= setInterval(ping, pingIntervalMs).unref();
      const { signal } = api.bot;
      const abort = () => {
        served.abort(signal.reason);
        expectReaction();
      };
      try {
        if (signal.aborted) throw signal.reason;
        signal.addEventListener('abort', abort, { once: true });
        await served.finished;
      } finally {
        signal.removeEventListener('abort', abort);
        runs.delete(id);
        if (runs.size === 0) {
          clearInterval(pings);
          pings = undefined;
        }
      }
    },
    async close() {
      isClosed = true;
      giveUp?.(new ThreadEnded('The server stops.'));
      const worker = await current?.catch(() => undefined);
      await worker?.terminate();
    },
  };
}
