// Types only, for sites that write TypeScript: `import 'platform-webchat/global'` makes `window.platform` known.
import type { Platform } from '../protocol/page-api.ts';

declare global {
  interface Window {
    /** The chat on this page; before the script has loaded, a list of functions to run once it is initialized. */
    platform?: Platform | ((platform: Platform) => void)[];
  }
}
