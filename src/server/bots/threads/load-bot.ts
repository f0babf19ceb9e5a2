// Loads the module of a bot, in a thread or in this process.
import type { BotEvent, BotHandler } from '../../../protocol/bot.ts';
import { unlessAborted } from '../attempts/cancellation.ts';
import type { BotApi } from '../bot-api.ts';
import { type BotContext, runBotCode } from '../current-event.ts';
import { importBot } from '../module.ts';
import { type BotThreads, startBotThread } from './thread.ts';

export type { BotThreads };

/** Handles one event. Rejects with the error of the bot. */
export type EventHandler = (event: BotEvent, api: BotApi, context: BotContext) => Promise<void>;

/** A handler for code that cannot be loaded: it rejects with the error of loading. */
export const failingHandler = (error: unknown): EventHandler => {
  return () => Promise.reject(error);
};

export interface LoadedBot {
  /** Starts the thread if it has ended, so that this takes nothing of the time of an event. Rejects if that fails. */
  prepare(): Promise<void>;
  handle: EventHandler;
  close(): Promise<void>;
}

/** Code that runs in this process, such as a function of a test. */
export const inProcess = (handler: BotHandler): LoadedBot => ({
  handle: async (event, { bot }, context) => runBotCode(context, () => handler(event, bot)),
  async prepare() {},
  async close() {},
});

/**
 * Loads the module at `path`, in a thread of its own if `threads` is given. Throws StartError, beginning with `setting`,
 * when it has no handler, and the reason of `signal` when it is aborted before: a module can hang forever.
 */
export async function loadBotCode(
  path: string,
  threads: BotThreads | undefined,
  { setting = 'BOT', signal }: { setting?: string; signal?: AbortSignal } = {},
): Promise<LoadedBot> {
  if (threads === undefined) return inProcess(await unlessAborted(importBot(path, setting), signal));
  const thread = await startBotThread({ path, setting, signal, ...threads });
  return { handle: thread.run, prepare: thread.prepare, close: thread.close };
}
