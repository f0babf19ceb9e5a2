// Options from which the methods of `window.platform` are made. Types only.
import type { InitOptions } from '../../../protocol/page-api/page-api.ts';
import type { Webchat } from '../../../protocol/webchat.ts';
import type { Emitter } from './emitter.ts';

export interface PlatformOptions {
  emitter: Emitter;
  assets: string;
  webchat: Webchat | undefined;
  /** The `dataset` of the script tag. */
  attributes: Record<string, string | undefined>;
  /** The default of the option `chatUrl` of `init`. */
  chatUrl: string | undefined;
  /** The name of a chat that `create` has made; undefined for `window.platform`. */
  instance?: string;
  /** The last options of `init`. */
  initOptions?: InitOptions;
}

/** The methods that the widget implements. */
export type WidgetMethod = 'open' | 'close' | 'toggle' | 'show' | 'hide' | 'config' | 'setUnreadMessageCount';
