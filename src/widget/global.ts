// For TypeScript sites: `import 'platform-webchat/global'` declares `window.platform`, and the types of its methods and
// events are exported. The module itself is empty.
import type { Platform } from '../protocol/page-api/page-api.ts';

export type { PlatformError, PlatformErrorCode } from '../protocol/error.ts';
export type { SidedMessage } from '../protocol/message.ts';
export type { Configuration } from '../protocol/page-api/config.ts';
export type {
  AnalyticsEvent,
  AnyPlatformEvent,
  ConfigOptions,
  CreateOptions,
  DestroyOptions,
  Diagnosis,
  Finding,
  GetUserKey,
  Hooks,
  InitOptions,
  PageBlock,
  PageContext,
  PageContextEntry,
  PageTool,
  Platform,
  PlatformEvents,
  PlatformEventType,
  ShownMessage,
  UserKeyRequest,
} from '../protocol/page-api/page-api.ts';
export type { WebchatUser, WebchatUserFields } from '../protocol/user.ts';

declare global {
  interface Window {
    /** The API of the chat on this page; before the script has loaded, a list of functions to run later. */
    platform?: Platform | ((platform: Platform) => void)[];
  }
}
