// Loads the ES module of a bot and returns its handler.
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { BotHandler } from '../../protocol/bot.ts';
import { beginningOf } from '../api/message-text.ts';
import { describeBotError } from '../startup/log.ts';
import { StartError } from '../startup/start-error.ts';
import { rememberModule, runBotCode } from './current-event.ts';

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

/**
 * The position in the code, such as `/bots/shop.mjs:12:7`, or with the source line for a syntax error; undefined when it
 * cannot be found. `file`: the module that was loaded.
 */
export async function errorLocation(error: unknown, file: string): Promise<string | undefined> {
  if (!(error instanceof Error)) return undefined;
  const [, address = '', position] = framePattern.exec(String(error.stack)) ?? [];
  if (position) return `${address.startsWith('file:') ? fileURLToPath(address) : address}:${position}`;
  return error instanceof SyntaxError ? await syntaxErrorLocation(file) : undefined;
}

/** A stack frame, or the first line of the stack of a failed import, that names a file and not a part of Node. */
const framePattern = /^(?: {4}at (?:.*\()?)?((?:file:\/\/|\/|[A-Z]:\\).*?):(\d+(?::\d+)?)\)?$/m;

/** Milliseconds after which the search for a syntax error ends. */
const searchTimeMs = 10_000;

/**
 * Parses a module and what it imports by relative paths, and fails at the first syntax error, without running any code. V8
 * prints the position of a syntax error, but does not include it in the stack.
 */
const parser = `
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
const seen = new Set();
function parse(url) {
  if (seen.has(url) || seen.size > 1000 || !/\\.m?js$/.test(url)) return;
  seen.add(url);
  const module = new vm.SourceTextModule(readFileSync(new URL(url), 'utf8'), { identifier: url });
  for (const name of module.dependencySpecifiers) if (/^\\.\\.?\\//.test(name)) parse(new URL(name, url).href);
}
parse(process.argv[1]);
`;

async function syntaxErrorLocation(file: string): Promise<string | undefined> {
  const flags = ['--no-warnings', '--experimental-vm-modules', '--input-type=module', '--eval', parser];
  try {
    const url = pathToFileURL(file).href;
    const options = { timeout: searchTimeMs, env: {} };
    const { stderr } = await promisify(execFile)(process.execPath, [...flags, url], options).catch(
      (failed: { stderr: string }) => failed,
    );
    const [, href, number, line = ''] = /^(file:\/\/.+):(\d+)\n(.*)$/m.exec(stderr) ?? [];
    return href ? `${fileURLToPath(href)}:${number}: ${beginningOf(line.trim(), 200)}` : undefined;
  } catch {
    return undefined;
  }
}
