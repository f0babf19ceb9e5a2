// Types only, for TypeScript sites: `import 'platform-webchat/global'` declares `window.platform`.
import type { Platform } from '../protocol/page-api.ts';

declare global {
  interface Window {
    /** The API of the chat on this page; before the script has loaded, a list of functions to run later. */
    platform?: Platform | ((platform: Platform) => void)[];
  }
}
