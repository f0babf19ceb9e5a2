// What runs each bot: the module of the settings for their bot, a module in the folder of bots for others. Code is put
// there by who runs the server; the API only names it, so that no token can bring code in.
import { join } from 'node:path';
import type { BotHandler } from '../protocol/bot.ts';
import { loadBot } from './bot-module.ts';
import type { BotRow } from './db/bots.ts';

/** A module in the folder of bots: a file, never a path. */
const codePattern = /^[A-Za-z0-9_][\w.-]{0,99}\.(?:js|mjs|ts)$/;

export interface BotCode {
  /** What runs this bot; undefined for one that has nothing to run. Throws StartError when its module has no handler. */
  handlerOf(bot: BotRow): Promise<BotHandler | undefined>;
}

interface BotCodeOptions {
  webhookId: string;
  /** Runs the bot of `webhookId`, unless an administrator gave it other code. */
  handler: BotHandler;
  folder: string | undefined;
}

export function createBotCode({ webhookId, handler, folder }: BotCodeOptions): BotCode {
  // A module is loaded once in the life of a process, as Node does.
  const loaded = new Map<string, Promise<BotHandler>>();
  return {
    async handlerOf(bot) {
      if (bot.code === null) return bot.webhookId === webhookId ? handler : undefined;
      if (folder === undefined || !codePattern.test(bot.code)) return undefined;
      let module = loaded.get(bot.code);
      if (!module) {
        module = loadBot(join(folder, bot.code));
        loaded.set(bot.code, module);
        // One that could not be loaded may be mended meanwhile.
        module.catch(() => loaded.delete(bot.code ?? ''));
      }
      return module;
    },
  };
}
