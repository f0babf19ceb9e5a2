// The widget's script with this bot's configuration already in it, so that a page needs one request. Refuses to
// guess: without a built widget there is no script.
import { readFile, stat } from 'node:fs/promises';
import type { Webchat } from '../protocol/webchat.ts';
import { type Asset, createAsset } from './assets.ts';

/** The string literal in the built script that the boot data replaces, in whatever quotes the minifier chose. */
const placeholder = /(["'`])%WEBCHAT_BOOT%\1/;

/** Where the script's chunks lie, seen from `/chat/{webhookId}/webchat.js`. */
const assets = '../../webchat/';

/** Scripts that are kept made: one for each bot that is in use. */
const maxKept = 100;

/**
 * Gives a function that makes the script from the built `file` for what visitors of a bot may know, anew when one of
 * both is another: undefined while there is no file.
 */
export function createWebchatScript(file: string): (webchat: Webchat) => Promise<Asset | undefined> {
  const made = new Map<string, Promise<Asset>>();
  return async (webchat) => {
    const found = await stat(file).catch(() => undefined);
    if (!found) return undefined;
    const json = JSON.stringify({ ...webchat, assets });
    const version = `${found.mtimeMs} ${json}`;
    let asset = made.get(version);
    if (!asset) {
      asset = readFile(file, 'utf8').then((script) =>
        createAsset(boot(script, json), 'text/javascript; charset=utf-8'),
      );
      // The one that was made first goes first.
      for (const [oldest] of made.size < maxKept ? [] : made) {
        made.delete(oldest);
        break;
      }
      made.set(version, asset);
    }
    return asset;
  };
}

/** The boot data as a string literal that holds JSON: parsing it is faster than an object literal, and safe. */
function boot(script: string, json: string): Buffer {
  // In single quotes JSON needs next to no escapes: 40 bytes less on every page.
  const literal = `'${json.replace(/[\\']/g, '\\$&')}'`;
  return Buffer.from(script.replace(placeholder, () => literal));
}
