// What runs each bot: the module of the settings for their bot, a module in the folder of bots for others. Code is put
// there by who runs the server; the API only names it, so that no token can bring code in, nor name that of others.
import { join, resolve, sep } from 'node:path';
import type { Logger } from 'pino';
import type { BotHandler } from '../../protocol/bot.ts';
import { ApiError } from '../api/errors.ts';
import { StartError } from '../start-error.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { loadBot } from './module.ts';

/** A module in the folder of bots: a file, never a path. */
export const codePattern = /^[A-Za-z0-9_][\w.-]{0,99}\.(?:js|mjs|ts)$/;

/** Milliseconds that a module may take to load before who names it is refused. */
const defaultLoadTime = 10_000;

export interface BotCode {
  /** What runs this bot; undefined for one that has nothing to run. Throws StartError when its module has no handler. */
  handlerOf(bot: BotRow): Promise<BotHandler | undefined>;
  /** Throws InvalidPayload when the workspace has no module of this name with a handler, and says why. */
  check(code: string, workspaceId: string): Promise<void>;
  /** True for the bot of the settings, which runs while the server does. */
  isOfSettings(bot: BotRow): boolean;
}

interface BotCodeOptions {
  webhookId: string;
  /** The first workspace, of who runs the server: its modules stand in `folder` itself. */
  workspaceId: string;
  /** Runs the bot of `webhookId`, unless an administrator gave it other code. */
  handler: BotHandler;
  /** The modules of each other workspace stand in a folder of its id in there. */
  folder: string | undefined;
  logger: Logger;
  /** Milliseconds; 10,000 when left out. */
  loadTime?: number;
}

export function createBotCode(options: BotCodeOptions): BotCode {
  const { webhookId, handler, folder, logger, loadTime = defaultLoadTime } = options;
  // A module is loaded once in the life of a process, as Node does.
  const loaded = new Map<string, Promise<BotHandler>>();

  const isFirst = (workspaceId: string): boolean => workspaceId === options.workspaceId;
  const folderOf = (folder: string, workspaceId: string): string =>
    isFirst(workspaceId) ? folder : join(folder, workspaceId);

  function load(file: string): Promise<BotHandler> {
    let module = loaded.get(file);
    if (!module) {
      module = loadBot(file, 'code');
      loaded.set(file, module);
      // One that could not be loaded may be mended meanwhile.
      module.catch(() => loaded.delete(file));
    }
    return module;
  }

  return {
    isOfSettings: (bot) => bot.webhookId === webhookId,
    async handlerOf(bot) {
      if (bot.code === null) return bot.webhookId === webhookId ? handler : undefined;
      if (folder === undefined || !codePattern.test(bot.code)) return undefined;
      return load(join(folderOf(folder, bot.workspaceId), bot.code));
    },
    async check(code, workspaceId) {
      if (folder === undefined) {
        throw new ApiError('InvalidPayload', 'code: The server has no folder of bots (its setting BOTS).');
      }
      const home = folderOf(folder, workspaceId);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new StartError(`code: ${code} takes too long to load.`)), loadTime);
      });
      try {
        await Promise.race([load(join(home, code)), late]);
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        const isThrown = error.cause !== undefined;
        if (isThrown) logger.warn({ workspaceId, code, err: error }, 'code could not be loaded');
        if (isThrown && !isFirst(workspaceId)) {
          // What a module throws may tell of the server, which is another's.
          throw new ApiError(
            'InvalidPayload',
            `code: ${code} could not be loaded. Who runs the server finds in its log where that was.`,
          );
        }
        // Where the folder is, is nobody's business out there.
        const line = error.message.replaceAll(resolve(home) + sep, '').replaceAll(resolve(folder) + sep, '');
        throw new ApiError('InvalidPayload', line.slice(0, 400));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
