// The one place where the shell loads other files: the chat chunk and the language chunk.
import type { ChatModule, LanguageModule } from '../seam.ts';

/** The chunks' file names; the build puts them here after it has built the chunks. */
declare const __CHAT_FILE__: string;
declare const __LANGUAGE_FILE__: string;

let failures = 0;

/**
 * Loads the chat chunk from the folder of the widget's files.
 * @throws whatever the browser says when the file is blocked, missing or cut.
 */
export async function loadChat(assets: string): Promise<ChatModule> {
  const address = new URL(__CHAT_FILE__, assets).href;
  // Its own address first: the other chunks import the chat by it, and share one Preact. A browser may remember that a
  // module failed (Firefox does), so after a failure another address is the way.
  const again = `${address}?retry=${failures}`;
  try {
    return await import(/* @vite-ignore */ address).catch((error) => {
      if (!failures) throw error;
      return import(/* @vite-ignore */ again);
    });
  } catch (error) {
    failures++;
    throw error;
  }
}

/** Loads the language chunk. @throws as above. */
export const loadLanguage = (assets: string): Promise<LanguageModule> =>
  import(/* @vite-ignore */ assets + __LANGUAGE_FILE__);
