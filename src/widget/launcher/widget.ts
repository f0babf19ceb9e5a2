// One instance of the widget, from init to destroy: creates its elements, and connects its configuration, its window
// (chat-window.ts) and the bundles that it loads (bundle-loader.ts).
import { platformError } from '../../protocol/error.ts';
import { launcherFields } from '../../protocol/page-api/config.ts';
import type { ConfigOptions } from '../../protocol/page-api/page-api.ts';
import { hostPageFieldNames } from '../../protocol/page-api/page-names.ts';
import type { Webchat } from '../../protocol/webchat.ts';
import type { Chat, Widget } from '../launcher-chat-interface.ts';
import { createBundleLoader } from './bundle-loader.ts';
import { type ChatWindow, createChatWindow } from './chat-window.ts';
import { createConfig } from './config.ts';
import { element, set } from './dom.ts';
import { createFrame } from './frame.ts';
import { createHost } from './host.ts';
import css from './launcher.css?inline';
import { createLauncher } from './launcher.ts';
import type { Emitter } from './page-api/emitter.ts';
import { prefetchWhenIdle, whenIdle } from './prefetch.ts';
import { createStorage } from './storage.ts';
import { strings } from './strings.ts';
import { darkQuery, modeOf, themeCss } from './theme.ts';
import { onTrigger } from './triggers.ts';

export interface WidgetOptions {
  configuration?: ConfigOptions['configuration'];
  user?: ConfigOptions['user'];
  getUserKey?: ConfigOptions['getUserKey'];
  consent?: ConfigOptions['consent'];
  chatUrl: string;
  storageKey: string;
  /** Returns the element that an embedded chat fills, without a launcher; null for a window over the page. */
  find(): Element | null;
  /** The `dataset` of the script tag. */
  attributes: Record<string, string | undefined>;
  /** The folder of the widget's files, an absolute address ending in `/`. */
  assets: string;
  /** The features that the server wrote into the served script. */
  webchat: Webchat | undefined;
  emitter: Emitter;
  /** Called once for every field of the configuration with an invalid value. */
  onInvalid(field: string): void;
}

/** The interface of the widget for the methods of `window.platform`. */
export interface WidgetInstance extends Widget, Omit<ChatWindow, keyof Widget> {
  /** Emits `webchat:initialized`, and reconnects a returning visitor. */
  start(): void;
  readonly isReady: boolean;
  show(): void;
  hide(): void;
  /** Loads the chat if needed and returns it. */
  chat(): Promise<Chat>;
  /** Resolves when the chat was loaded, without loading it. */
  chatLater: Promise<Chat>;
  /** Resolves when the code of the chat was fetched or the chat was mounted. */
  codeLater: Promise<unknown>;
  dispose(): void;
}

/** Whether strings other than plain English were requested on this page: then the i18n bundle also restores English. */
let needsI18n = false;

export function createWidget(options: WidgetOptions): WidgetInstance {
  const { storageKey, attributes, assets, webchat, emitter, configuration, user } = options;
  const controller = new AbortController();
  const { signal } = controller;
  const config = createConfig(attributes, options.onInvalid);
  config.dashboard(webchat?.configuration);
  config.overlay(configuration);
  const target = options.find();
  const host = createHost(options.find, signal);
  const frame = createFrame();
  const launcher = createLauncher();
  const box = element('div', { class: 'box', part: 'box', lang: 'en', dir: 'ltr' }, frame, launcher.button);
  host.root.appendChild(box);
  host.adopt('launcher', css);

  const bundles = createBundleLoader({ signal, emit: emitter.emit }, assets);
  const chatWindow = createChatWindow({
    signal,
    root: host.root,
    frame,
    launcher,
    isEmbedded: !!target,
    attach: host.attach,
    emitter,
    mounted: () => bundles.chat,
    load: loadChat,
    onOpened: becomeReady,
  });
  let hasStarted = false;
  let isReady = false;
  /** Whether the page has hidden or shown the launcher; until then the configuration decides. */
  let isHidden: boolean | undefined;
  let hasHostPageAdditions = false;
  /** Mounts the chat before the click that opens it. It creates and stores nothing. */
  const onIntent = () => void loadChat().catch(() => {});

  const own: Omit<WidgetInstance, keyof ChatWindow> = {
    // `chatUrl`, `getUserKey` and others.
    ...options,
    signal,
    frame,
    box,
    storage: createStorage(() => widget.configuration.storageLocation, storageKey),
    user: user ?? {},
    language: { locale: 'en' },
    get configuration() {
      const fields = config.resolve(launcherFields);
      if (widget.consent === false) fields.storageLocation = 'memory';
      return fields;
    },
    resolve: config.resolve,
    get isReady() {
      return isReady;
    },
    adopt: host.adopt,
    ...emitter,
    onServerConfiguration(fields) {
      config.dashboard(fields);
      configurationChanged();
    },
    onStarted() {
      hasStarted = true;
      becomeReady();
    },
    onUnread: (count) => widget.setUnreadMessageCount(Math.max(0, widget.unread + count)),
    show: () => setHidden(false),
    hide: () => setHidden(true),
    config({ configuration: fields, attributes: texts, user: userFields, getUserKey, consent }) {
      widget.consent = consent ?? widget.consent;
      if (getUserKey) widget.getUserKey = getUserKey;
      config.overlay(fields, texts);
      configurationChanged();
      if (!userFields) return;
      const chat = userFields.userKey ? loadChat() : bundles.chatLater;
      chat.then((loaded) => loaded.methods.updateUser(userFields)).catch(() => {});
    },
    chat: loadChat,
    chatLater: bundles.chatLater,
    codeLater: bundles.codeLater,
    start() {
      emitter.emit('webchat:initialized');
      replaceRendered(launcher.button, widget.open);
      whenIdle(() => {
        if (signal.aborted) return;
        if (!widget.storage.read().conversationId) {
          void updateLanguage();
          prefetchWhenIdle(
            () => bundles.prefetchChat(options.chatUrl),
            () => !signal.aborted && widget.configuration.prefetch,
          );
        } else
          loadChat().then(
            (chat) => chat.start(),
            () => {},
          );
      });
    },
    dispose() {
      const hadFocus = host.root.activeElement;
      // First, because the page cannot get the focus while the window covers it.
      controller.abort(platformError('destroyed', 'The chat was removed from the page.'));
      if (hadFocus) widget.returnFocus();
    },
  };
  // Not a spread, which would copy the values of the getters.
  const widget = Object.setPrototypeOf(own, chatWindow) as WidgetInstance;

  function configurationChanged(): void {
    void updateLanguage();
    applyConfiguration();
  }

  function setHidden(isNow: boolean): void {
    isHidden = isNow;
    applyConfiguration();
  }

  function applyConfiguration(): void {
    const current = widget.configuration;
    // The default side is the end of the page's lines.
    current.position ??= getComputedStyle(host.element).direction === 'rtl' ? 'left' : 'right';
    const mode = widget.pageMode ?? modeOf(current);
    host.adopt('theme', themeCss(current, mode));
    host.adopt('custom', current.additionalStylesheet ?? '');
    set(box, { 'data-theme': mode, 'data-hidden': !!isHidden });
    launcher.update(widget);
    launcher.button.hidden = !!target || (isHidden ?? !current.launcher);
    bundles.chat?.onConfiguration();
    // Also if another chat is there already: it may be in the same corner.
    hasHostPageAdditions ||=
      config.hasAny(hostPageFieldNames) ||
      widget.consent !== undefined ||
      document.querySelector('html>platform-webchat') !== host.element;
    if (hasHostPageAdditions) void bundles.use('host-page', ({ apply }) => apply(widget, target));
  }

  /** Applies the configured language. Strings other than plain English need the i18n bundle. Never rejects. */
  async function updateLanguage(): Promise<void> {
    const { locale, strings: siteStrings } = widget.configuration;
    const tag = locale || document.documentElement.lang || navigator.language;
    needsI18n ||= !!siteStrings || !/^en(-[a-z]{2})?$/i.test(tag);
    if (needsI18n) {
      await bundles.use('i18n', async (module) => {
        if (await module.applyLanguage(widget, strings)) applyConfiguration();
      });
    } else widget.language = { locale: tag };
  }

  function loadChat(): Promise<Chat> {
    // Not awaited: strings that arrive after the chat are applied later.
    void updateLanguage();
    return bundles.loadChat(widget);
  }

  function becomeReady(): void {
    if (isReady || !widget.wasOpened || !hasStarted) return;
    isReady = true;
    emitter.emit('webchat:ready');
  }

  launcher.button.addEventListener('click', widget.toggle, { signal });
  for (const intent of ['pointerenter', 'focus']) {
    launcher.button.addEventListener(intent, onIntent, { signal });
  }
  onTrigger(widget.open, signal);
  host.follow(() => void bundles.use('host-page', ({ raise }) => raise(widget)), widget.restore);
  matchMedia(darkQuery).addEventListener('change', applyConfiguration, { signal });
  applyConfiguration();
  return widget;
}

/**
 * Removes the launcher that the page's own server has rendered (packages/widget/server.ts): the launcher of the script takes its
 * place, with its focus. If the visitor has clicked it, calls `open`.
 */
function replaceRendered(button: HTMLElement, open: () => void): void {
  const rendered = document.querySelector('platform-webchat[data-rendered]');
  if (!rendered) return;
  const hadFocus = document.activeElement === rendered;
  rendered.remove();
  if (hadFocus) button.focus();
  if (rendered.shadowRoot?.querySelector('[open]')) open();
}
