// The widget's script with this bot's configuration already in it, so that a page needs one request. Refuses to
// guess: without a built widget there is no script.
import { readFile, stat } from 'node:fs/promises';
import type { Webchat } from '../protocol/webchat.ts';
import { type Asset, createAsset } from './assets.ts';

/** The string literal in the built script that the boot data replaces, in whatever quotes the minifier chose. */
const placeholder = /(["'`])%WEBCHAT_BOOT%\1/;

/** Where the script's chunks lie, seen from `/chat/{webhookId}/webchat.js`. */
const assets = '../../webchat/';

/**
 * Gives a function that makes the script from the built `file`, anew when the file or what `read` gives has changed:
 * undefined while there is no file.
 */
export function createWebchatScript(
  file: string,
  read: () => Promise<Webchat>,
): () => Promise<Asset | undefined> {
  let made: { version: string; asset: Promise<Asset> } | undefined;
  return async () => {
    const found = await stat(file).catch(() => undefined);
    if (!found) return undefined;
    const json = JSON.stringify({ ...(await read()), assets });
    const version = `${found.mtimeMs} ${json}`;
    if (made?.version !== version) {
      const asset = readFile(file, 'utf8').then((script) =>
        createAsset(boot(script, json), 'text/javascript; charset=utf-8'),
      );
      made = { version, asset };
    }
    return made.asset;
  };
}

/** The boot data as a string literal that holds JSON: parsing it is faster than an object literal, and safe. */
function boot(script: string, json: string): Buffer {
  // In single quotes JSON needs next to no escapes: 40 bytes less on every page.
  const literal = `'${json.replace(/[\\']/g, '\\$&')}'`;
  return Buffer.from(script.replace(placeholder, () => literal));
}
