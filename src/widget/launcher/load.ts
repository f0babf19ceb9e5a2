// Loads the other files of the widget.
import type { Bundles } from '../launcher-chat-interface.ts';

/** The hashes in the chunks' file names; the build inserts them here after it has built the chunks. */
declare const __HASHES__: Record<keyof Bundles, string>;

const hashes = __HASHES__;
let failures = 0;

const fileOf = (name: keyof Bundles) => `${name}-${hashes[name]}.js`;

/**
 * Fetches a chunk into the cache of the browser, without evaluating it. `connect-src` of the page allows the request: the
 * file comes from the server of the chat, or the request is not made.
 */
export const prefetch = (
  name: keyof Bundles,
  assets: string,
  chatUrl: string,
): Promise<unknown> | undefined =>
  assets.startsWith(new URL(chatUrl).origin)
    ? // Browsers cache only responses whose body was read.
      fetch(assets + fileOf(name), { priority: 'low' }).then((response) => response.arrayBuffer())
    : undefined;

/**
 * Loads a chunk from the folder of the widget's files.
 * @throws the browser's error if the file is blocked, missing or incomplete.
 */
export function load<N extends keyof Bundles>(name: N, assets: string): Promise<Bundles[N]> {
  const file = fileOf(name);
  return import(/* @vite-ignore */ assets + file).catch((error) => {
    if (!failures++) throw error;
    // Browsers remember that a module has failed, so a retry needs another address. More slashes and not a query: the chunks
    // that import the chat by a relative address then find this one, and share one Preact with it.
    return import(/* @vite-ignore */ assets + '/'.repeat(failures) + file);
  });
}
