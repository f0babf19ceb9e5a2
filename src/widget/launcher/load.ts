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
  const file = `${name}-${hashes[name]}.js`;
  return import(/* @vite-ignore */ assets + file).catch((error) => {
    if (!failures++) throw error;
    // Browsers remember that a module has failed, so a retry needs another address. More slashes and not a query: the chunks
    // that import the chat by a relative address then find this one, and share one Preact with it.
    return import(/* @vite-ignore */ assets + '/'.repeat(failures) + file);
  });
}
