// Serves the script of the widget with the configuration of a bot inserted, so that a page needs one request.
import { readFile, stat } from 'node:fs/promises';
import { type Asset, createAsset } from '../api/asset.ts';
import type { ConfigurationStore } from './configuration.ts';

/** The string literal in the built script that the boot data replaces; the minifier chooses the quotes. */
const placeholder = /(["'`])%WEBCHAT_BOOT%\1/;

/** The folder of the script's chunks, relative to `/chat/{webhookId}/webchat.js`. */
const assets = '../../webchat/';

/**
 * Returns a function that creates the script of a bot from the built `file`. The script is cached until the file or the
 * configuration changes; undefined when the file does not exist.
 */
export function createWebchatScript(
  file: string,
  configurations: ConfigurationStore,
): (bot: Parameters<ConfigurationStore['webchat']>[0]) => Promise<Asset | undefined> {
  return async (bot) => {
    const found = await stat(file).catch(() => undefined);
    if (!found) return undefined;
    return configurations.derived(bot, `script ${found.mtimeMs}`, async ({ plain }) => {
      const script = await readFile(file, 'utf8');
      return createAsset(boot(script, bootData(plain)), 'text/javascript; charset=utf-8');
    });
  };
}

/** Adds the folder of the chunks to the JSON object without parsing it. */
function bootData(json: Uint8Array): string {
  const text = Buffer.from(json.buffer, json.byteOffset, json.length).toString();
  return `${text.slice(0, -1)},"assets":${JSON.stringify(assets)}}`;
}

/** Inserts the boot data as a string literal with JSON: parsing it is faster than an object literal, and safe. */
function boot(script: string, json: string): Buffer {
  // In single quotes JSON needs few escapes: 40 bytes less per page.
  const literal = `'${json.replace(/[\\']/g, '\\$&')}'`;
  return Buffer.from(script.replace(placeholder, () => literal));
}
