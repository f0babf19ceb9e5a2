// Loads the other files of the widget.
import type { Bundles } from '../launcher-chat-interface.ts';

/** The hashes in the chunks' file names; the build puts them here after it has built the chunks. */
declare const __HASHES__: Record<keyof Bundles, string>;

const hashes = __HASHES__;
let failures = 0;

/**
 * Loads a chunk from the folder of the widget's files.
 * @throws whatever the browser says when the file is blocked, missing or cut.
 */
export function load<N extends keyof Bundles>(name: N, assets: string): Promise<Bundles[N]> {
  const address = new URL(`${name}-${hashes[name]}.js`, assets).href;
  // Its own address first: the other chunks import the chat by it, and share one Preact. A browser may remember that a
  // module failed (Firefox does), so after a failure another address is the way.
  return import(/* @vite-ignore */ address).catch((error) => {
    if (!failures++) throw error;
    return import(/* @vite-ignore */ `${address}?retry=${failures}`);
  });
}
