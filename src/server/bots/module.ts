// Loads the ES module of a bot and returns its handler.
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BotHandler } from '../../protocol/bot.ts';
import { describeBotError } from '../startup/log.ts';
import { StartError } from '../startup/start-error.ts';
import { rememberModule, runBotCode } from './current-event.ts';
import { errorLocation } from './error-location.ts';

/** The default export of the module at `path`. Throws StartError, beginning with `setting`, when it has none. */
export async function importBot(path: string, setting = 'BOT'): Promise<BotHandler> {
  const file = resolve(path);
  if (
    !(await access(file).then(
      () => true,
      () => false,
    ))
  ) {
    throw new StartError(`${setting}: the file ${file} does not exist.`);
  }
  let module: { default?: unknown };
  const { href } = pathToFileURL(file);
  rememberModule(href);
  try {
    module = await runBotCode({ module: href }, () => import(href));
  } catch (error) {
    const location = await errorLocation(error, file);
    const problem = `${setting}: ${file} could not be loaded: ${firstLine(error)}${location ? ` (${location})` : ''}`;
    throw new StartError(problem, 1, { cause: error });
  }
  if (typeof module.default !== 'function') {
    throw new StartError(`${setting}: ${file} has no function as its default export.`);
  }
  return module.default as BotHandler;
}

function firstLine(error: unknown): string {
  const { type, message } = describeBotError(error);
  const text = error instanceof Error ? `${type}: ${message}` : `${type} ${message}`;
  return text.split('\n')[0] ?? '';
}
