// One life of the widget, from init to destroy: puts the parts on the page, opens and closes the window, brings the
// chat when somebody wants it. It refuses to know what a message is.
import { platformError } from '../../protocol/error.ts';
import type { ConfigOptions } from '../../protocol/platform.ts';
import type { Webchat } from '../../protocol/webchat.ts';
import type { Chat, LanguageModule, Shell } from '../seam.ts';
import { shell as english } from '../words/en/shell.ts';
import { createConfig } from './config.ts';
import { element, set } from './dom.ts';
import type { Emitter } from './emitter.ts';
import { createFrame } from './frame.ts';
import { createHost } from './host.ts';
import { createLauncher } from './launcher.ts';
import { loadChat, loadLanguage } from './load.ts';
import css from './shell.css?inline';
import { createStorage } from './storage.ts';
import { themeCss } from './theme.ts';
import { words } from './words.ts';

export interface LifeOptions extends ConfigOptions {
  chatUrl: string;
  /** The folder of the widget's files, an absolute address ending in `/`. */
  assets: string;
  /** What the server put into the script it served. */
  webchat: Webchat | undefined;
  emitter: Emitter;
}

/** Milliseconds for which the window waits for its words. */
const wordsMs = 3_000;

export interface Life {
  /** Tells the page that it can begin, and reconnects a returning visitor. */
  start(): void;
  readonly isOpen: boolean;
  readonly isReady: boolean;
  open(): void;
  close(): void;
  config(options: ConfigOptions): void;
  setUnread(count: number): void;
  /** The chat, loaded now if it is not yet there. */
  chat(): Promise<Chat>;
  /** The chat, once somebody else has had it loaded. */
  chatLater(): Promise<Chat>;
  dispose(): void;
}

export function createLife({ chatUrl, assets, webchat, emitter, configuration, user }: LifeOptions): Life {
  const life = new AbortController();
  const { signal } = life;
  const { emit } = emitter;
  const config = createConfig(({ message }) => {
    console.warn(`[platform] ${message}`);
    emit('error', platformError('invalid_configuration', message));
  });
  config.dashboard(webchat?.configuration);
  config.overlay(configuration);

  const host = createHost(signal);
  const frame = createFrame('platform-window');
  const launcher = createLauncher('platform-window');
  const sheetLink = element('link', { rel: 'stylesheet' });
  const box = element('div', { class: 'box', part: 'box' }, frame.element, launcher.button);
  host.root.append(box);
  host.adopt('shell', css);

  let isOpen = false;
  let wasOpened = false;
  let hasStarted = false;
  let isReady = false;
  let unread = 0;
  let chat: Chat | undefined;
  let chatPromise: Promise<Chat> | undefined;
  let modulePromise: ReturnType<typeof loadChat> | undefined;
  let speech: Promise<LanguageModule> | undefined;
  let returnFocusTo: Element | null = null;
  let tellChat: (chat: Chat) => void = () => {};
  const laterChat = new Promise<Chat>((resolve, reject) => {
    tellChat = resolve;
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  laterChat.catch(() => {});

  const applyConfiguration = () => {
    const current = config.current;
    host.adopt('theme', themeCss(current));
    host.adopt('custom', current.additionalStylesheet ?? '');
    set(box, {
      'data-theme': current.themeMode,
      'data-variant': current.variant,
      'data-header': current.headerVariant,
    });
    launcher.update({ image: current.fabImage });
    const address = current.additionalStylesheetUrl;
    if (address && sheetLink.getAttribute('href') !== address) set(sheetLink, { href: address });
    if (address) host.root.prepend(sheetLink);
    else sheetLink.remove();
    chat?.setConfiguration(current);
  };

  const setUnread = (count: number) => {
    unread = count;
    launcher.update({ unread: count });
  };

  const becomeReady = () => {
    if (isReady || !wasOpened || !hasStarted) return;
    isReady = true;
    emit('webchat:ready', undefined);
  };

  const shell: Shell = {
    signal,
    chatUrl,
    frame: frame.element,
    box,
    storage: createStorage(() => config.current.storageLocation, `platform-webchat:${chatUrl}`),
    webchat,
    user: user ?? {},
    language: { locale: 'en' },
    get configuration() {
      return config.current;
    },
    get isOpen() {
      return isOpen;
    },
    adopt: host.adopt,
    emit,
    onDashboard(fields) {
      config.dashboard(fields);
      void speak();
      applyConfiguration();
    },
    onStarted() {
      hasStarted = true;
      becomeReady();
    },
    onUnread: (count) => setUnread(Math.max(0, unread + count)),
    close: () => close(),
    setVisibility(visibility) {
      const isToggled = visibility === 'toggle';
      if (visibility === 'hide' || (isToggled && isOpen)) close();
      else if (visibility === 'show' || isToggled) open();
    },
    configure(fields) {
      config.overlay(fields);
      void speak();
      applyConfiguration();
    },
  };

  /** Sees to the words: other ones than plain English come with the language chunk. Resolves, come what may. */
  const speak = async () => {
    const { locale, strings } = config.current;
    const tag = locale || document.documentElement.lang || navigator.language;
    if (!speech && !strings && document.dir !== 'rtl' && /^en(-[a-z]{2})?$/i.test(tag)) {
      shell.language = { locale: tag };
      return;
    }
    speech ??= loadLanguage(assets);
    try {
      if (await (await speech).speak(shell, words)) applyConfiguration();
    } catch (cause) {
      speech = undefined;
      if (!signal.aborted) tellFailure(cause);
    }
  };

  /** Tells the page that a file of ours cannot be loaded. */
  const tellFailure = (cause: unknown) => {
    const error = platformError('chunk_failed', english.loadFailed, cause);
    emit('error', error);
    return error;
  };

  /** Only fetches and evaluates the file: nothing is created or stored by a hover. */
  const prefetch = () => {
    modulePromise ??= loadChat(assets);
    modulePromise.catch(() => {
      modulePromise = undefined;
    });
    return modulePromise;
  };

  const loadOnce = () => {
    chatPromise ??= Promise.all([
      prefetch(),
      // Words that do not come keep nobody from the chat.
      Promise.race([speak(), new Promise((done) => setTimeout(done, wordsMs))]),
    ])
      .then(([module]) => {
        signal.throwIfAborted();
        chat = module.mount(shell);
        tellChat(chat);
        return chat;
      })
      .catch((cause) => {
        chatPromise = undefined;
        signal.throwIfAborted();
        throw tellFailure(cause);
      });
    return chatPromise;
  };

  const open = () => {
    if (isOpen) return;
    isOpen = wasOpened = true;
    const focused = host.root.activeElement ?? document.activeElement;
    returnFocusTo = focused === document.body ? launcher.button : focused;
    setUnread(0);
    launcher.update({ isOpen, problem: '' });
    frame.setOpen(true);
    emit('webchat:opened', undefined);
    // A handler may have closed it again, or removed us.
    if (!isOpen || signal.aborted) return;
    if (chat) {
      // In the same task as the click: iOS opens the keyboard only for a focus inside the gesture.
      chat.setOpen(true);
      chat.focus();
      chat.start();
      becomeReady();
      return;
    }
    frame.element.focus({ preventScroll: true });
    loadOnce().then(
      (loaded) => {
        if (isOpen && host.root.activeElement) loaded.focus();
        loaded.start();
      },
      () => {
        if (signal.aborted) return;
        close();
        launcher.update({ problem: words.loadFailed });
      },
    );
  };

  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    const hadFocus = !!host.root.activeElement;
    frame.setOpen(false);
    launcher.update({ isOpen });
    chat?.setOpen(false);
    if (hadFocus) ((returnFocusTo?.isConnected ? returnFocusTo : launcher.button) as HTMLElement).focus();
    emit('webchat:closed', undefined);
  };

  const listen = { signal };
  launcher.button.addEventListener('click', () => (isOpen ? close() : open()), listen);
  for (const intent of ['pointerenter', 'pointerdown', 'focus']) {
    launcher.button.addEventListener(intent, () => void prefetch().catch(() => {}), listen);
  }
  frame.element.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      event.stopPropagation();
      close();
    },
    listen,
  );

  applyConfiguration();

  return {
    start() {
      emit('webchat:initialized', undefined);
      if (signal.aborted) return;
      whenIdle(() => {
        if (!shell.storage.read().conversationId) void speak();
        else
          loadOnce().then(
            (loaded) => loaded.start(),
            () => {},
          );
      }, signal);
    },
    get isOpen() {
      return isOpen;
    },
    get isReady() {
      return isReady;
    },
    open,
    close,
    config({ configuration: fields, user: userFields }) {
      shell.configure(fields);
      if (userFields) laterChat.then((loaded) => loaded.updateUser(userFields)).catch(() => {});
    },
    setUnread,
    chat: loadOnce,
    chatLater: () => laterChat,
    dispose() {
      if (host.root.activeElement) (returnFocusTo as HTMLElement | null)?.focus();
      life.abort(platformError('destroyed', 'The chat was removed from the page.'));
    },
  };
}

/** Runs `task` when the browser is idle, unless `signal` aborts first. Safari cannot tell: there it runs after this task. */
function whenIdle(task: () => void, signal: AbortSignal): void {
  const { requestIdleCallback: idle = setTimeout, cancelIdleCallback: cancel = clearTimeout } = window;
  const handle = idle(task);
  signal.addEventListener('abort', () => cancel(handle as number));
}
