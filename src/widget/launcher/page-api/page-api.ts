// The methods of `window.platform`, with their availability and argument checks. The widget instance implements them.
import { platformError } from '../../../protocol/error.ts';
import type { ConfigOptions, Hooks, InitOptions, Platform } from '../../../protocol/page-api/page-api.ts';
import type { PushEnded } from '../../../protocol/push.ts';
import type { Webchat } from '../../../protocol/webchat.ts';
import type { ChatMethods } from '../../launcher-chat-interface.ts';
import { load } from '../load.ts';
import { findTrigger } from '../triggers.ts';
import { createWidget, type WidgetInstance } from '../widget.ts';
import { onAnalytics } from './analytics.ts';
import { check, findTarget, invalid, readChatUrl, type Takes } from './arguments.ts';
import { createEmitter, type Emitter } from './emitter.ts';
import { createNameCheck } from './name-check.ts';

/** The version in package.json, which the build inserts. */
declare const __VERSION__: string;

/** `window.platform`: present as soon as the script has run. */
export const global = window as { platform?: Platform | ((platform: Platform) => void)[] };

/** The chats of this page, with the key of each one's record. */
const storageKeys = new Map<Platform, string>();

export function createPlatform(platformOptions: PlatformOptions): Platform {
  const { emitter, assets, attributes, instance } = platformOptions;
  let widget: WidgetInstance | undefined;
  /** The record of the last instance, which can be removed after that was destroyed, and its consent: the next `init` may fail. */
  let storage: WidgetInstance['storage'] | undefined;
  let consent: InitOptions['consent'];
  /** The `init` call that is deferred until the page is parsed. */
  let waiting: (() => void) | undefined;

  let isDestroyed = false;
  /** A function that the page has queued runs before `init`: methods that it calls wait for the event. */
  let isQueued = false;

  const checkNames = createNameCheck(emitter.emit, assets, () => widget?.codeLater);
  const checkOptions = (options: ConfigOptions) => {
    checkNames('option', options);
    checkNames('configuration', options.configuration);
    checkNames('user', options.user);
  };
  const onceInitialized = (run: () => void) => {
    const off = emitter.on('webchat:initialized', () => {
      off();
      run();
    });
  };
  /** Returns the running instance, or throws an InvalidStateError that names the event to wait for. */
  const running = (method: string, event: 'initialized' | 'ready' = 'initialized'): WidgetInstance => {
    if (widget && (widget.isReady || event !== 'ready')) return widget;
    throw platformError(`not_${event}`, `${method}() works after the event 'webchat:${event}'.`);
  };
  /** Creates a method that the widget implements. Arguments beyond its own are not passed on. */
  const widgetMethod =
    <M extends WidgetMethod>(method: M, takes?: Takes) =>
    (argument?: unknown): void => {
      if (isQueued && !widget) {
        // TypeScript does not relate a method of a union to its argument, which `check` validates. So below.
        onceInitialized(() => platform[method](argument as never));
        return;
      }
      const instance = running(method);
      check(method, argument, takes);
      if (method === 'config') checkOptions(argument as ConfigOptions);
      instance[method]((takes && argument) as never);
    };
  /** Creates a method that the chat implements. */
  const chatMethod =
    (method: keyof ChatMethods, takes?: Takes, event?: 'ready') =>
    async (argument?: unknown): Promise<never> => {
      if (isQueued && !widget) await new Promise<void>(onceInitialized);
      const { chat, chatLater } = running(method, event);
      check(method, argument, takes);
      if (method === 'updateUser') checkNames('user', argument);
      const hasKey = method === 'identify' || Object(argument).userKey;
      // User fields wait until a user exists; they do not create one. A key is checked at once.
      const answering = await (takes && !event && !hasKey ? chatLater : chat());
      return answering.methods[method](argument as never) as Promise<never>;
    };
  const platform: Platform = {
    version: __VERSION__,
    init(input: InitOptions = {}) {
      // Without a prototype, to which the page may have added names.
      const options: InitOptions = Object.assign(Object.create(null), input);
      platformOptions.initOptions = options;
      if (widget?.box.isConnected) return platform.config(options);
      // The page has removed the element of the chat, so a new instance is created. What was said about consent still holds.
      options.consent ??= widget ? widget.consent : consent;
      if (widget) platform.destroy();
      ({ consent } = options);
      check('init', input, 'an object');
      checkOptions(options);
      const chatUrl = readChatUrl(options.chatUrl ?? platformOptions.chatUrl);
      const storageKey = `platform-webchat:${chatUrl}${instance ? ` ${instance}` : ''}`;
      for (const [other, key] of storageKeys) {
        if (key === storageKey && other !== platform)
          throw platformError('instance_taken', 'This chat is here already.');
      }
      storageKeys.set(platform, storageKey);
      if (instance === undefined) global.platform = platform;
      isDestroyed = false;
      document.removeEventListener('click', onEarlyClick);
      const wanted = options.target ?? attributes.target;
      const find = () => findTarget(wanted);
      const begin = () => {
        waiting = undefined;
        if (wanted && !find()) {
          storageKeys.delete(platform);
          throw invalid(`init(): no element '${wanted}'.`);
        }
        widget = createWidget({
          // Own values, so that those that a page adds to all objects are not taken for options.
          ...{
            configuration: undefined,
            user: undefined,
            getUserKey: undefined,
            consent: undefined,
            ...options,
          },
          ...platformOptions,
          attributes: options.attributes ?? attributes,
          find,
          chatUrl,
          storageKey,
          onInvalid: (field) => checkNames('value', field),
        });
        widget.start();
      };
      // Before the body is parsed the launcher cannot be added, and the target may not exist yet.
      if (document.body && (!wanted || find() || document.readyState !== 'loading')) begin();
      else {
        waiting = begin;
        document.addEventListener('DOMContentLoaded', () => waiting === begin && begin(), { once: true });
      }
    },
    create(options) {
      check('create', options, 'an object');
      const { chatUrl, instance: name = '' } = options;
      const created = createPlatform({
        ...platformOptions,
        emitter: createEmitter(),
        attributes: Object.create(null),
        instance: name,
        // Values that the server wrote into the script are about the script's own bot.
        ...(chatUrl && { chatUrl, webchat: undefined }),
      });
      created.init(options);
      return created;
    },
    get instances() {
      return [...storageKeys.keys()];
    },
    destroy({ forget }: { forget?: boolean } = Object.create(null)) {
      storageKeys.delete(platform);
      storage = widget?.storage ?? storage;
      widget?.dispose();
      widget = waiting = consent = undefined;
      isDestroyed = true;
      emitter.reset();
      if (!forget) return;
      storage?.clear();
      // Pushes of this visitor end. Without the permission there are none, and nothing is left in the browser.
      if (self.Notification?.permission === 'granted')
        self.caches?.open('platform-webchat push ended' satisfies PushEnded).catch(() => {});
    },
    get destroyed() {
      return isDestroyed;
    },
    use(input) {
      check('use', input, 'an object');
      // An object of its own, so that the same hooks can be added twice and removed once.
      const hooks = { __proto__: input } as Hooks;
      emitter.hooks.add(hooks);
      // The transcript is drawn again.
      widget?.config({});
      return () => {
        emitter.hooks.delete(hooks);
        widget?.config({});
      };
    },
    push(...callbacks) {
      for (const callback of callbacks) {
        // With `data-manual`, the function may be the one that calls `init`.
        if (widget || waiting || attributes.manual === undefined) onceInitialized(() => callback(platform));
        else runQueued(callback);
      }
      return callbacks.length;
    },
    on(type: string, handler: (data: never) => void) {
      check('on', handler, 'a function');
      checkNames('event', String(type));
      return type === 'analytics' ? onAnalytics(emitter, handler, assets) : emitter.on(type, handler);
    },
    get isOpen() {
      return !!widget?.isOpen && widget.box.isConnected;
    },
    get unreadCount() {
      return widget?.unread ?? 0;
    },
    open: widgetMethod('open'),
    close: widgetMethod('close'),
    toggle: widgetMethod('toggle'),
    show: widgetMethod('show'),
    hide: widgetMethod('hide'),
    config: widgetMethod('config', 'an object'),
    consent: (consent) => platform.config({ consent }),
    setUnreadMessageCount: widgetMethod('setUnreadMessageCount', 'a number from 0'),
    updateUser: chatMethod('updateUser', 'an object'),
    identify: chatMethod('identify', 'a text'),
    logout: chatMethod('logout'),
    // The chat checks these, and ignores tools whose signal is aborted, and all contexts but the last.
    setContext: (context) => platform.use({ context } as Hooks),
    registerTool: (...tool) => platform.use({ tool } as Hooks),
    registerBlock: (block) => platform.use({ block } as Hooks),
    getUser: chatMethod('getUser'),
    prefill: chatMethod('prefill', 'a text'),
    restartConversation: chatMethod('restartConversation', undefined, 'ready'),
    sendMessage: chatMethod('sendMessage', 'a text', 'ready'),
    sendEvent: chatMethod('sendEvent', 'an object', 'ready'),
    doctor: () =>
      load('diagnostics', assets).then(
        ({ diagnose }) => diagnose({ ...platformOptions, widget }),
        ({ message }) => ({
          ok: false,
          findings: [{ code: 'chunk_failed', message, cure: 'Allow it in script-src.' }],
        }),
      ),
  };

  /** Before `init` an element of the page that would open the chat does what it does without the chat. */
  function onEarlyClick({ target }: Event): void {
    if (findTrigger(target)) console.warn('[platform] data-platform-open: call platform.init() first.');
  }

  function runQueued(callback: (platform: Platform) => void): void {
    isQueued = true;
    try {
      callback(platform);
    } catch (error) {
      // A throwing function must not stop the others.
      console.error(error);
    }
    isQueued = false;
  }

  checkNames('attribute', attributes);
  if (instance === undefined) document.addEventListener('click', onEarlyClick);
  return platform;
}

/** Options of `createPlatform`. */
interface PlatformOptions {
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
type WidgetMethod = 'open' | 'close' | 'toggle' | 'show' | 'hide' | 'config' | 'setUnreadMessageCount';
