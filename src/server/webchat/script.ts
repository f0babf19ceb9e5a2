// The widget's script with this bot's configuration already in it, so that a page needs one request. Refuses to
// guess: without a built widget there is no script.
import { readFile, stat } from 'node:fs/promises';
import { type Asset, createAsset } from '../api/asset.ts';
import type { Dashboard } from './configuration.ts';

/** The string literal in the built script that the boot data replaces, in whatever quotes the minifier chose. */
const placeholder = /(["'`])%WEBCHAT_BOOT%\1/;

/** Where the script's chunks lie, seen from `/chat/{webhookId}/webchat.js`. */
const assets = '../../webchat/';

/**
 * Gives a function that makes the script from the built `file` for what visitors of a bot may know, anew when one of
 * both is another: undefined while there is no file.
 */
export function createWebchatScript(
  file: string,
  dashboard: Dashboard,
): (bot: Parameters<Dashboard['webchat']>[0]) => Promise<Asset | undefined> {
  return async (bot) => {
    const found = await stat(file).catch(() => undefined);
    if (!found) return undefined;
    return dashboard.derived(bot, `script ${found.mtimeMs}`, async ({ plain }) => {
      const script = await readFile(file, 'utf8');
      return createAsset(boot(script, bootData(plain)), 'text/javascript; charset=utf-8');
    });
  };
}

/** The JSON object with the folder of the chunks added to it, without being parsed. */
function bootData(json: Uint8Array): string {
  const text = Buffer.from(json.buffer, json.byteOffset, json.length).toString();
  return `${text.slice(0, -1)},"assets":${JSON.stringify(assets)}}`;
}

/** The boot data as a string literal that holds JSON: parsing it is faster than an object literal, and safe. */
function boot(script: string, json: string): Buffer {
  // In single quotes JSON needs next to no escapes: 40 bytes less on every page.
  const literal = `'${json.replace(/[\\']/g, '\\$&')}'`;
  return Buffer.from(script.replace(placeholder, () => literal));
}
