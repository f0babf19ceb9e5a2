// What runs each bot: the module of the settings for their bot, a module in the folder of bots for others. Code is put
// there by who runs the server; the API only names it, so that no token can bring code in.
import { join, resolve, sep } from 'node:path';
import type { BotHandler } from '../protocol/bot.ts';
import { loadBot } from './bot-module.ts';
import type { BotRow } from './db/bots.ts';
import { ApiError } from './errors.ts';
import { StartError } from './start-error.ts';

/** A module in the folder of bots: a file, never a path. */
export const codePattern = /^[A-Za-z0-9_][\w.-]{0,99}\.(?:js|mjs|ts)$/;

/** Milliseconds that a module may take to load before who names it is refused. */
const defaultLoadTime = 10_000;

export interface BotCode {
  /** What runs this bot; undefined for one that has nothing to run. Throws StartError when its module has no handler. */
  handlerOf(bot: BotRow): Promise<BotHandler | undefined>;
  /** Throws InvalidPayload when the folder has no module of this name with a handler, and says why. */
  check(code: string): Promise<void>;
  /** True for the bot of the settings, which runs while the server does. */
  isOfSettings(bot: BotRow): boolean;
}

interface BotCodeOptions {
  webhookId: string;
  /** Runs the bot of `webhookId`, unless an administrator gave it other code. */
  handler: BotHandler;
  folder: string | undefined;
  /** Milliseconds; 10,000 when left out. */
  loadTime?: number;
}

export function createBotCode(options: BotCodeOptions): BotCode {
  const { webhookId, handler, folder, loadTime = defaultLoadTime } = options;
  // A module is loaded once in the life of a process, as Node does.
  const loaded = new Map<string, Promise<BotHandler>>();

  function load(folder: string, code: string): Promise<BotHandler> {
    let module = loaded.get(code);
    if (!module) {
      module = loadBot(join(folder, code), 'code');
      loaded.set(code, module);
      // One that could not be loaded may be mended meanwhile.
      module.catch(() => loaded.delete(code));
    }
    return module;
  }

  return {
    isOfSettings: (bot) => bot.webhookId === webhookId,
    async handlerOf(bot) {
      if (bot.code === null) return bot.webhookId === webhookId ? handler : undefined;
      if (folder === undefined || !codePattern.test(bot.code)) return undefined;
      return load(folder, bot.code);
    },
    async check(code) {
      if (folder === undefined) {
        throw new ApiError('InvalidPayload', 'code: The server has no folder of bots (its setting BOTS).');
      }
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new StartError(`code: ${code} takes too long to load.`)), loadTime);
      });
      try {
        await Promise.race([load(folder, code), late]);
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        // Where the folder is, is nobody's business out there.
        const line = error.message.replaceAll(resolve(folder) + sep, '').slice(0, 400);
        throw new ApiError('InvalidPayload', line);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
