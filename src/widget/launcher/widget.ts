// One instance of the widget, from init to destroy: mounts its elements, opens and closes the window, and loads the chat
// bundle when it is needed.
import { shellFields } from '../../protocol/config.ts';
import { platformError } from '../../protocol/error.ts';
import type { ConfigOptions } from '../../protocol/page-api.ts';
import type { Webchat } from '../../protocol/webchat.ts';
import type { Bundles, Chat, Widget } from '../launcher-chat-interface.ts';
import { createConfig } from './config.ts';
import { element, set } from './dom.ts';
import type { Emitter } from './emitter.ts';
import { createFrame } from './frame.ts';
import { createHost } from './host.ts';
import css from './launcher.css?inline';
import { createLauncher } from './launcher.ts';
import { load } from './load.ts';
import { createStorage } from './storage.ts';
import { strings } from './strings.ts';
import { darkQuery, modeOf, themeCss } from './theme.ts';

export interface WidgetOptions extends ConfigOptions {
  chatUrl: string;
  /** The element that an embedded chat fills, without a launcher; null for a window over the page. */
  target: Element | null;
  /** The `dataset` of the script tag. */
  attributes: Record<string, string | undefined>;
  /** The folder of the widget's files, an absolute address ending in `/`. */
  assets: string;
  /** The features that the server wrote into the served script. */
  webchat: Webchat | undefined;
  emitter: Emitter;
}

/** The widget as the methods of `window.platform` use it. */
export interface WidgetInstance extends Widget {
  /** Emits `webchat:initialized`, and reconnects a returning visitor. */
  start(): void;
  readonly isReady: boolean;
  toggle(): void;
  setUnreadMessageCount(count: number): void;
  /** Loads the chat if needed and returns it. */
  chat(): Promise<Chat>;
  /** Resolves when the chat was loaded, without loading it. */
  chatLater: Promise<Chat>;
  dispose(): void;
}

/** Strings other than plain English were requested on this page; the i18n bundle then also restores English. */
let needsI18n = false;

export function createWidget({
  chatUrl,
  target,
  attributes,
  assets,
  webchat,
  emitter,
  configuration,
  user,
}: WidgetOptions): WidgetInstance {
  const controller = new AbortController();
  const { signal } = controller;
  const config = createConfig(attributes, ({ message }) => {
    console.warn(`[platform] ${message}`);
    emitter.emit('error', platformError('invalid_configuration', message));
  });
  config.dashboard(webchat?.configuration);
  config.overlay(configuration);

  const host = createHost(signal);
  const frame = createFrame();
  const launcher = createLauncher();
  const box = element('div', { class: 'box', part: 'box', lang: 'en', dir: 'ltr' }, frame, launcher.button);
  host.root.append(box);
  host.adopt('launcher', css);

  let isOpen = false;
  let wasOpened = false;
  let hasStarted = false;
  let isReady = false;
  let unread = 0;
  let chat: Chat | undefined;
  let chatPromise: Promise<Chat> | undefined;
  let modulePromise: Promise<Bundles['chat']> | undefined;
  /** The site has added something around the chat. */
  let hasHostPageAdditions = false;
  let returnFocusTo: Element | null = null;
  let resolveChat: (chat: Chat) => void = () => {};
  const chatLater = new Promise<Chat>((resolve, reject) => {
    resolveChat = resolve;
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  chatLater.catch(() => {});

  const widget: WidgetInstance = {
    signal,
    chatUrl,
    frame,
    box,
    storage: createStorage(() => widget.configuration.storageLocation, `platform-webchat:${chatUrl}`),
    webchat,
    user: user ?? {},
    language: { locale: 'en' },
    get configuration() {
      return config.resolve(shellFields);
    },
    resolve: config.resolve,
    get isOpen() {
      return isOpen;
    },
    get wasOpened() {
      return wasOpened;
    },
    get isReady() {
      return isReady;
    },
    adopt: host.adopt,
    ...emitter,
    onServerConfiguration(fields) {
      config.dashboard(fields);
      void updateLanguage();
      applyConfiguration();
    },
    onStarted() {
      hasStarted = true;
      becomeReady();
    },
    onUnread: (count) => setUnread(Math.max(0, unread + count)),
    setUnreadMessageCount: setUnread,
    open,
    close,
    toggle,
    config({ configuration: fields, user: userFields }) {
      config.overlay(fields);
      void updateLanguage();
      applyConfiguration();
      if (userFields) chatLater.then((loaded) => loaded.ask('updateUser', userFields)).catch(() => {});
    },
    chat: loadOnce,
    chatLater,
    start() {
      emitter.emit('webchat:initialized');
      // Safari does not have requestIdleCallback: there it runs after this task.
      (window.requestIdleCallback ?? setTimeout)(() => {
        if (signal.aborted) return;
        if (!widget.storage.read().conversationId) void updateLanguage();
        else
          loadOnce().then(
            (loaded) => loaded.start(),
            () => {},
          );
      });
    },
    dispose() {
      const hadFocus = host.root.activeElement;
      // First, because nothing in the page can take the focus while the window covers it.
      controller.abort(platformError('destroyed', 'The chat was removed from the page.'));
      if (hadFocus) (returnFocusTo as HTMLElement | null)?.focus();
    },
  };

  function applyConfiguration(): void {
    const current = widget.configuration;
    // The default side is where the lines of the page end.
    current.position ??= getComputedStyle(host.element).direction === 'rtl' ? 'left' : 'right';
    host.adopt('theme', themeCss(current));
    host.adopt('custom', current.additionalStylesheet ?? '');
    set(box, { 'data-theme': modeOf(current) });
    launcher.update({});
    launcher.button.hidden = !!target || !current.launcher;
    chat?.onConfiguration();
    const { fabImage, additionalStylesheetUrl, zIndex, proactiveMessage } = current;
    hasHostPageAdditions ||= !!(
      target ||
      fabImage ||
      additionalStylesheetUrl ||
      zIndex !== undefined ||
      proactiveMessage
    );
    if (hasHostPageAdditions) void withBundle('host-page', ({ apply }) => apply(widget, target));
  }

  function setUnread(count: number): void {
    unread = Math.floor(count);
    launcher.update({ unread });
  }

  function becomeReady(): void {
    if (isReady || !wasOpened || !hasStarted) return;
    isReady = true;
    emitter.emit('webchat:ready');
  }

  /** Only fetches and evaluates the file: nothing is created or stored by a hover. */
  function prefetch(): Promise<Bundles['chat']> {
    modulePromise ??= load('chat', assets);
    modulePromise.catch(() => {
      modulePromise = undefined;
    });
    return modulePromise;
  }

  /** Reports that a file could not be loaded, unless the widget was destroyed meanwhile. */
  function failed(cause: unknown): never {
    signal.throwIfAborted();
    const error = platformError('chunk_failed', strings.loadFailed, cause);
    emitter.emit('error', error);
    throw error;
  }

  /** Loads a bundle and calls `use`, unless the widget was destroyed meanwhile. Never rejects. */
  function withBundle<N extends keyof Bundles>(
    name: N,
    use: (module: Bundles[N]) => unknown,
  ): Promise<unknown> {
    return load(name, assets)
      .then((module) => signal.aborted || use(module), failed)
      .catch(() => {});
  }

  /** Applies the configured language. Strings other than plain English need the i18n bundle. Never rejects. */
  async function updateLanguage(): Promise<void> {
    const { locale, strings: siteStrings } = widget.configuration;
    const tag = locale || document.documentElement.lang || navigator.language;
    needsI18n ||= !!siteStrings || !/^en(-[a-z]{2})?$/i.test(tag);
    if (needsI18n) {
      await withBundle('i18n', async (module) => {
        if (await module.applyLanguage(widget, strings)) applyConfiguration();
      });
    } else widget.language = { locale: tag };
  }

  function loadOnce(): Promise<Chat> {
    // Not awaited: strings that arrive after the chat are applied then.
    void updateLanguage();
    chatPromise ??= prefetch()
      .then((module) => {
        signal.throwIfAborted();
        chat = module.mount(widget);
        resolveChat(chat);
        return chat;
      })
      .catch((cause) => {
        chatPromise = undefined;
        return failed(cause);
      });
    return chatPromise;
  }

  function open(from?: Element | null): void {
    if (isOpen) return;
    isOpen = wasOpened = true;
    const focused = from ?? host.root.activeElement ?? document.activeElement;
    const isFree = focused === document.body;
    returnFocusTo = isFree ? launcher.button : focused;
    setUnread(0);
    launcher.update({ isOpen, problem: '' });
    set(frame, { hidden: false, inert: false });
    emitter.emit('webchat:opened');
    // A handler may have closed the window again, or destroyed the widget.
    if (!isOpen || signal.aborted) return;
    if (chat) {
      // In the same task as the click: iOS opens the keyboard only for a focus inside the gesture.
      chat.setOpen(true);
      // A bot and an embedded chat do not move the focus out of the page, where the visitor may be typing.
      if (!target && (from !== null || isFree || host.root.activeElement)) chat.focus();
      chat.start();
      becomeReady();
      return;
    }
    if (!target) frame.focus({ preventScroll: true });
    loadOnce().then(
      (loaded) => {
        if (isOpen && host.root.activeElement) loaded.focus();
        loaded.start();
      },
      () => {
        if (signal.aborted) return;
        // Before the launcher gets the focus, so that a screen reader reads it together.
        launcher.update({ problem: strings.loadFailed });
        close();
      },
    );
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    const hadFocus = host.root.activeElement;
    // `inert` as well, because a style sheet of the page may show hidden elements.
    set(frame, { hidden: true, inert: true });
    launcher.update({ isOpen });
    chat?.setOpen(false);
    if (hadFocus) {
      (returnFocusTo as HTMLElement | null)?.focus();
      // The element may have been removed, or not be focusable.
      if (!returnFocusTo?.matches(':focus')) launcher.button.focus();
    }
    emitter.emit('webchat:closed');
  }

  function toggle(): void {
    if (isOpen) close();
    else open();
  }

  const listen = { signal };
  launcher.button.addEventListener('click', toggle, listen);
  for (const intent of ['pointerenter', 'focus']) {
    launcher.button.addEventListener(intent, () => void prefetch().catch(() => {}), listen);
  }
  // Elements of the page that open the chat, including those that are added later.
  document.addEventListener(
    'click',
    (event) => {
      const trigger = (event.target as Element).closest?.('[data-platform-open]');
      if (!trigger || event.defaultPrevented) return;
      event.preventDefault();
      open(trigger);
    },
    listen,
  );
  matchMedia(darkQuery).addEventListener('change', applyConfiguration, listen);

  applyConfiguration();
  return widget;
}
