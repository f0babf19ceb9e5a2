// The one place where the shell loads the chat chunk.
import type { ChatModule } from '../seam.ts';

/** The chunk's file name; the build puts it here after it has built the chunks. */
declare const __CHAT_FILE__: string;

let failures = 0;

/**
 * Loads the chat chunk from the folder of the widget's files.
 * @throws whatever the browser says when the file is blocked, missing or cut.
 */
export async function loadChat(assets: string): Promise<ChatModule> {
  // A browser may remember that a module failed (Firefox does), so another try needs another address.
  const address = new URL(__CHAT_FILE__ + (failures ? `?retry=${failures}` : ''), assets).href;
  try {
    return (await import(/* @vite-ignore */ address)) as ChatModule;
  } catch (error) {
    failures++;
    throw error;
  }
}
