// The Svelte adapter: the store of the widget package with a reactive state. The component is Webchat.svelte.
import {
  createWebchatStore,
  type Platform,
  type WebchatOptions,
  type WebchatState,
  type WebchatStore,
} from '@platform-webchat/widget';
import type { Attachment } from 'svelte/attachments';
import { createSubscriber } from 'svelte/reactivity';

export type * from '@platform-webchat/widget';

export interface Webchat extends Pick<WebchatStore, 'open' | 'close' | 'toggle' | 'on' | 'use'> {
  /** Reactive: what reads it in an effect or in a template runs again after a change. */
  readonly state: WebchatState;
  /** The methods of the chat, as soon as it is initialized. */
  readonly platform: Promise<Platform>;
  /** For an effect: a floating chat that is there until the effect ends. `$effect(() => chat.mount())` */
  mount(): () => void;
  /** For an effect: applies the options, and depends on what they read. `$effect(() => chat.update())` */
  update(): void;
  /** Places the chat in an element. `<div {@attach chat.inline}></div>` */
  inline: Attachment<HTMLElement>;
}

/** @param options is called again when what it reads changes; the address and the instance cannot change. */
export function createWebchat(options: () => WebchatOptions): Webchat {
  const store = createWebchatStore(options());
  const subscribe = createSubscriber((changed) => store.subscribe(changed));
  const { open, close, toggle, on, use } = store;
  return {
    get state() {
      subscribe();
      return store.getSnapshot();
    },
    get platform() {
      return store.platform;
    },
    open,
    close,
    toggle,
    on,
    use,
    mount: () => store.acquire(),
    update: () => store.update(options()),
    inline: (element) => store.acquire(element),
  };
}
