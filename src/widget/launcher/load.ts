// Loads the other files of the widget.
import type { Bundles } from '../launcher-chat-interface.ts';

/** The hashes in the chunks' file names; the build inserts them here after it has built the chunks. */
declare const __HASHES__: Record<keyof Bundles, string>;

const hashes = __HASHES__;
let failures = 0;

/**
 * Loads a chunk from the folder of the widget's files.
 * @throws the browser's error if the file is blocked, missing or incomplete.
 */
export function load<N extends keyof Bundles>(name: N, assets: string): Promise<Bundles[N]> {
  const address = new URL(`${name}-${hashes[name]}.js`, assets).href;
  // First without a query: the other chunks import the chat by this address, and share one Preact. Firefox remembers
  // that a module has failed, so a retry needs another address. The others request it again: there a second address
  // could load the chat twice, with two copies of Preact.
  return import(/* @vite-ignore */ address).catch((error) => {
    if (!failures++ || !('mozInnerScreenX' in window)) throw error;
    return import(/* @vite-ignore */ `${address}?retry=${failures}`);
  });
}
