// Finds the code of each bot: the module of BOT for the default bot, a module in the folder BOTS for others. Only the
// operator can put code there: the API only selects a module by name, and only one of the same workspace.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Logger } from 'pino';
import { botCodePattern } from '../../protocol/limits.ts';
import { ApiError } from '../api/errors.ts';
import { beginningOf } from '../api/message-text.ts';
import type { AddressSettings } from '../startup/address-settings.ts';
import { BotError } from '../startup/log.ts';
import { StartError } from '../startup/start-error.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import type { BotSettings } from './settings.ts';
import { type BotThreads, type EventHandler, type LoadedBot, loadBotCode } from './threads/load-bot.ts';

/** Milliseconds that a module can take to load; after that, the request that selects it is rejected. */
const defaultLoadTimeMs = 10_000;

export interface BotCode {
  /** The handler of this bot; undefined when it has no code. Throws StartError when its module has no handler. */
  handlerOf(bot: BotRow): Promise<EventHandler | undefined>;
  /** Throws InvalidPayload, with the reason, when the workspace has no module of this name with a handler. */
  assertLoadable(code: string, workspaceId: string): Promise<void>;
  /** True for the default bot, the one of WEBHOOK_ID. */
  isDefaultBot(bot: BotRow): boolean;
  /** Ends the threads of all bots. */
  close(): Promise<void>;
}

interface BotCodeOptions {
  settings: AddressSettings & BotSettings;
  /** The first workspace, which belongs to the operator: its modules are in the folder BOTS itself. */
  workspaceId: string;
  /** Runs the bot of WEBHOOK_ID, unless an administrator selected other code. */
  bot: LoadedBot;
  /** How the modules of BOTS run; undefined: in this process. Those of each other workspace are in a subfolder named after its id. */
  botThreads?: BotThreads | undefined;
  logger: Logger;
  /** Milliseconds; the default is 10,000. */
  loadTime?: number;
}

/** A module that is being loaded, or was loaded. */
interface Loading {
  module: Promise<LoadedBot>;
  /** How many wait for it. */
  waiting: number;
  /** Rejects with the reason, and ends the thread of the module, unless it was loaded. */
  giveUp(reason: Error): void;
}

export function createBotCode(options: BotCodeOptions): BotCode {
  const { settings, botThreads, logger, loadTime = defaultLoadTimeMs } = options;
  const { WEBHOOK_ID: webhookId, BOTS: folder } = settings;
  // Node caches modules, so each is loaded once per process.
  const loaded = new Map<string, Loading>();
  const running = new Set<LoadedBot>();

  const isFirst = (workspaceId: string): boolean => workspaceId === options.workspaceId;
  const folderOf = (folder: string, workspaceId: string): string =>
    isFirst(workspaceId) ? folder : join(folder, workspaceId);

  function load(file: string): Loading {
    const loadedCode = loaded.get(file);
    if (loadedCode) return loadedCode;
    const limit = new AbortController();
    const module = loadBotCode(file, botThreads, { setting: 'code', signal: limit.signal });
    const loading = { module, waiting: 0, giveUp: (reason: Error) => limit.abort(reason) };
    loaded.set(file, loading);
    module.then(
      (bot) => running.add(bot),
      // After a failure the operator may fix the file, so the next request tries again.
      () => loaded.delete(file),
    );
    return loading;
  }

  /** @param within milliseconds after which it rejects. The module is ended then, unless events or others wait for it. */
  async function wait(loading: Loading, file: string, within?: number): Promise<LoadedBot> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    loading.waiting += 1;
    try {
      if (within === undefined) return await loading.module;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const reason = new StartError(`code: ${file} takes too long to load.`);
          reject(reason);
          if (loading.waiting === 1) loading.giveUp(reason);
        }, within);
      });
      return await Promise.race([loading.module, late]);
    } finally {
      clearTimeout(timer);
      loading.waiting -= 1;
    }
  }

  async function loadedBot(bot: BotRow): Promise<LoadedBot | undefined> {
    if (bot.code === null) return bot.webhookId === webhookId ? options.bot : undefined;
    if (folder === undefined || !botCodePattern.test(bot.code)) return undefined;
    return wait(load(join(folderOf(folder, bot.workspaceId), bot.code)), bot.code);
  }

  return {
    isDefaultBot: (bot) => bot.webhookId === webhookId,
    async handlerOf(bot) {
      const opened = await loadedBot(bot);
      await opened?.prepare();
      return opened?.handle;
    },
    async assertLoadable(code, workspaceId) {
      if (folder === undefined) {
        throw new ApiError('InvalidPayload', 'code: The server has no folder of bots (its setting BOTS).');
      }
      const workspaceFolder = folderOf(folder, workspaceId);
      try {
        await wait(load(join(workspaceFolder, code)), code, loadTime);
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        const isThrown = error.cause !== undefined;
        if (isThrown)
          logger.warn({ workspaceId, code, err: new BotError(error) }, 'code could not be loaded');
        if (isThrown && !isFirst(workspaceId)) {
          // The error of a module may reveal details of the server, which belongs to another workspace.
          throw new ApiError(
            'InvalidPayload',
            `code: ${code} could not be loaded. The operator of the server finds the reason in its log.`,
          );
        }
        // Do not reveal the path of the folder.
        const line = error.message
          .replaceAll(resolve(workspaceFolder) + sep, '')
          .replaceAll(resolve(folder) + sep, '');
        throw new ApiError('InvalidPayload', beginningOf(line, 400));
      }
    },
    async close() {
      // A module that is still being loaded may never be.
      for (const { giveUp } of loaded.values()) giveUp(new StartError('The server stops.'));
      await Promise.all([options.bot, ...running].map((one) => one.close()));
    },
  };
}

/** Files beyond this number are left out. */
const maxFiles = 1_000;
const codeFile = /\.(?:[cm]?[jt]s|json)$/;
/** Relative imports of a module, and files that it reads by `new URL('./file', import.meta.url)`. */
const imports = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\bURL\s*\()\s*['"](\.{1,2}\/[^'"\n]+)['"]/g;

/**
 * Returns a digest of the module at `module` with the files that it imports from its own folder and those around, and of all
 * code in `folder`. Packages are left out. Names are relative, so that it is the same wherever the files are. What cannot be
 * read counts as missing. Processes compare it to notice that they run different versions of the code.
 */
export async function digestBotCode(module: string, folder?: string): Promise<string> {
  const hash = createHash('sha256');
  const entry = resolve(module);
  await addFiles(hash, dirname(entry), await modulesOf(entry));
  if (folder !== undefined) await addFiles(hash, resolve(folder), await filesIn(resolve(folder)));
  return hash.digest('base64url');
}

const read = (file: string): Promise<Buffer | undefined> => readFile(file).catch(() => undefined);

async function addFiles(hash: ReturnType<typeof createHash>, base: string, files: string[]): Promise<void> {
  for (const file of files.sort().slice(0, maxFiles)) {
    const bytes = await read(file);
    if (bytes === undefined) continue;
    const name = relative(base, file);
    // With their lengths, so that no other names and texts give the same bytes.
    hash.update(`${name.length} ${name} ${bytes.length}\n`).update(bytes);
  }
  hash.update('end\n');
}

/** A module and what it imports by relative names, directly or not. */
async function modulesOf(entry: string): Promise<string[]> {
  const found = new Set([entry]);
  for (const file of found) {
    const text = (await read(file))?.toString() ?? '';
    if (!codeFile.test(file)) continue;
    for (const [, path = ''] of text.matchAll(imports)) {
      if (found.size < maxFiles) found.add(resolve(dirname(file), path.replace(/[?#].*$/, '')));
    }
  }
  return [...found];
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && codeFile.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/'));
}
