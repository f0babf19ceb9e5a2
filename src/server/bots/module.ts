// Loads the module with the bot's code. It runs nothing of it but its top level.
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BotHandler } from '../../protocol/bot.ts';
import { StartError } from '../start-error.ts';

/** The default export of the module at `path`. Throws StartError when there is none; `setting` begins its line. */
export async function loadBot(path: string, setting = 'BOT'): Promise<BotHandler> {
  const file = resolve(path);
  if (
    !(await access(file).then(
      () => true,
      () => false,
    ))
  ) {
    throw new StartError(`${setting}: there is no file ${file}.`);
  }
  let module: { default?: unknown };
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new StartError(`${setting}: ${file} could not be loaded: ${firstLine(error)}`, 1, { cause: error });
  }
  if (typeof module.default !== 'function') {
    throw new StartError(`${setting}: ${file} has no function as its default export.`);
  }
  return module.default as BotHandler;
}

function firstLine(error: unknown): string {
  return String(error).split('\n')[0] ?? '';
}
