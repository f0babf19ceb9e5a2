// `window.platform`: the methods, their gates and their argument checks. What they do is the lifecycle's matter.
import { platformError } from '../../protocol/error.ts';
import type { ConfigOptions, InitOptions, Platform } from '../../protocol/platform.ts';
import type { Webchat } from '../../protocol/webchat.ts';
import type { Emitter } from './emitter.ts';
import { createLife, type Life } from './lifecycle.ts';

export interface PlatformOptions {
  emitter: Emitter;
  assets: string;
  webchat: Webchat | undefined;
  /** What the script tag says; `init` adds to it. */
  defaults: InitOptions;
  /** Called when a life begins and when it has ended: puts the global there and takes it away. */
  onLife(isAlive: boolean): void;
}

export function createPlatform({ emitter, assets, webchat, defaults, onLife }: PlatformOptions): Platform {
  let life: Life | undefined;
  const queue: ((platform: Platform) => void)[] = [];

  /** The running life, or an InvalidStateError that names the event to wait for. */
  const initialized = (method: string): Life => {
    if (life) return life;
    throw platformError('not_initialized', `${method}() works after the event 'webchat:initialized'.`);
  };
  const ready = (method: string): Life => {
    const running = initialized(method);
    if (running.isReady) return running;
    throw platformError('not_ready', `${method}() works after the event 'webchat:ready'.`);
  };
  const drain = () => {
    for (const callback of queue.splice(0)) {
      try {
        callback(platform);
      } catch (error) {
        console.error(error);
      }
    }
  };

  const platform: Platform = {
    init(options = {}) {
      if (life) return platform.config(options);
      isObject('init', options);
      const chatUrl = readChatUrl(options.chatUrl ?? defaults.chatUrl);
      onLife(true);
      const configuration = { ...defaults.configuration, ...options.configuration };
      const wanted = options.target ?? defaults.target;
      const find = () => (typeof wanted === 'string' ? document.querySelector(wanted) : (wanted ?? null));
      const begin = () => {
        const target = find();
        if (wanted && !target) throw invalid(`init(): there is no element '${wanted}'.`);
        life = createLife({ ...options, target, configuration, chatUrl, assets, webchat, emitter });
        life.start();
        if (life) drain();
      };
      // Without a body there is no page yet to put a launcher on, and the target may stand further below.
      if (document.body && (!wanted || find() || document.readyState !== 'loading')) begin();
      else onceParsed(begin);
    },
    destroy() {
      life?.dispose();
      life = undefined;
      pending.abort();
      emitter.reset();
      onLife(false);
    },
    push(...callbacks) {
      queue.push(...callbacks);
      if (life) drain();
      return queue.length;
    },
    on(type: string, handler: (data: never) => void) {
      if (typeof handler !== 'function') throw invalid('on(type, handler) takes a function.');
      return emitter.on(type, handler);
    },
    open: () => initialized('open').open(),
    close: () => initialized('close').close(),
    toggle() {
      const running = initialized('toggle');
      if (running.isOpen) running.close();
      else running.open();
    },
    config(options) {
      const running = initialized('config');
      isObject('config', options);
      running.config(options);
    },
    async updateUser(user) {
      const running = initialized('updateUser');
      isObject('updateUser', user);
      return (await running.chatLater()).updateUser(user);
    },
    getUser: async () => (await initialized('getUser').chat()).getUser(),
    setUnreadMessageCount(count) {
      const running = initialized('setUnreadMessageCount');
      if (!Number.isFinite(count) || count < 0)
        throw invalid('setUnreadMessageCount() takes a number from 0.');
      running.setUnread(Math.floor(count));
    },
    restartConversation: async () => (await ready('restartConversation').chat()).restartConversation(),
    async sendMessage(message) {
      const running = ready('sendMessage');
      if (typeof message !== 'string' || !message.trim()) throw invalid('sendMessage() takes a text.');
      return (await running.chat()).sendMessage(message);
    },
    async sendEvent(event) {
      const running = ready('sendEvent');
      isObject('sendEvent', event);
      return (await running.chat()).sendEvent(event);
    },
  };

  let pending = new AbortController();
  const onceParsed = (begin: () => void) => {
    pending.abort();
    pending = new AbortController();
    document.addEventListener('DOMContentLoaded', begin, { once: true, signal: pending.signal });
  };
  return platform;
}

const invalid = (message: string) => platformError('invalid_argument', message);

function isObject(method: string, value: unknown): asserts value is ConfigOptions {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw invalid(`${method}() takes an object.`);
}

/** An absolute http(s) address without a slash at its end. Relative ones start from the page, not from `<base>`. */
function readChatUrl(text: unknown): string {
  try {
    const url = new URL(String(text ?? 'missing:'), location.href);
    if (/^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  } catch {
    // Said below.
  }
  throw invalid("init() needs chatUrl: 'https://HOST/chat/WEBHOOK'.");
}
