// One life of the widget, from init to destroy: puts the parts on the page, opens and closes the window, brings the
// chat when somebody wants it. It refuses to know what a message is.
import { type ShellConfiguration, shellFields } from '../../protocol/config.ts';
import { platformError } from '../../protocol/error.ts';
import type { ConfigOptions } from '../../protocol/platform.ts';
import type { Webchat } from '../../protocol/webchat.ts';
import type { Chat, Modules, Shell } from '../seam.ts';
import { shellWords as words } from '../words.ts';
import { createConfig } from './config.ts';
import { element, set } from './dom.ts';
import type { Emitter } from './emitter.ts';
import { createFrame } from './frame.ts';
import { createHost } from './host.ts';
import { createLauncher } from './launcher.ts';
import { load } from './load.ts';
import css from './shell.css?inline';
import { createStorage } from './storage.ts';
import { darkQuery, modeOf, themeCss } from './theme.ts';

export interface LifeOptions extends ConfigOptions {
  chatUrl: string;
  /** The element that the chat fills, without a launcher; null for a window over the page. */
  target: Element | null;
  /** The `dataset` of the script tag. */
  attributes: Record<string, string | undefined>;
  /** The folder of the widget's files, an absolute address ending in `/`. */
  assets: string;
  /** What the server put into the script it served. */
  webchat: Webchat | undefined;
  emitter: Emitter;
}

export interface Life {
  /** Tells the page that it can begin, and reconnects a returning visitor. */
  start(): void;
  readonly isReady: boolean;
  open(): void;
  close(): void;
  toggle(): void;
  config(options: ConfigOptions): void;
  setUnread(count: number): void;
  /** The chat, loaded now if it is not yet there. */
  chat(): Promise<Chat>;
  /** The chat, once somebody else has had it loaded. */
  chatLater(): Promise<Chat>;
  dispose(): void;
}

export function createLife({
  chatUrl,
  target,
  attributes,
  assets,
  webchat,
  emitter,
  configuration,
  user,
}: LifeOptions): Life {
  const life = new AbortController();
  const { signal } = life;
  const { emit } = emitter;
  const config = createConfig(attributes, ({ message }) => {
    console.warn(`[platform] ${message}`);
    emit('error', platformError('invalid_configuration', message));
  });
  const resolve = () => config.resolve(shellFields);
  config.dashboard(webchat?.configuration);
  config.overlay(configuration);

  const host = createHost(signal);
  const frame = createFrame('platform-window');
  const launcher = createLauncher('platform-window');
  const sheetLink = element('link', { rel: 'stylesheet', href: '' });
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
  let modulePromise: Promise<Modules['chat']> | undefined;
  let returnFocusTo: Element | null = null;
  let greeting: ReturnType<typeof setTimeout> | undefined;
  let tellChat: (chat: Chat) => void = () => {};
  const laterChat = new Promise<Chat>((resolve, reject) => {
    tellChat = resolve;
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  laterChat.catch(() => {});

  const applyConfiguration = () => {
    const current = resolve();
    host.setTopLayer(!target && current.zIndex === undefined);
    // Without a side: where the lines of the page end.
    current.position ??= getComputedStyle(host.element).direction === 'rtl' ? 'left' : 'right';
    host.adopt('theme', themeCss(current));
    host.adopt('custom', current.additionalStylesheet ?? '');
    set(box, { 'data-theme': modeOf(current) });
    launcher.setImage(current.fabImage);
    launcher.button.hidden = !!target || !current.launcher;
    const href = current.additionalStylesheetUrl ?? '';
    // Only when it is another one: put back it would be loaded again.
    if (sheetLink.getAttribute('href') !== href) {
      set(sheetLink, { href });
      if (href) host.root.prepend(sheetLink);
      else sheetLink.remove();
    }
    chat?.onConfiguration();
    greetLater(current);
  };

  /** Whoever has neither opened the chat nor waved the greeting away sees it, after its delay. */
  const greetLater = ({ proactiveMessage: text, proactiveDelay }: ShellConfiguration) => {
    clearTimeout(greeting);
    const { conversationId, isGreeted } = shell.storage.read();
    if (!text || target || wasOpened || conversationId || isGreeted) return;
    greeting = setTimeout(
      () =>
        void load('greeting', assets).then(
          ({ greet }) => wasOpened || signal.aborted || greet(shell, text),
          () => {},
        ),
      proactiveDelay * 1000,
    );
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
    storage: createStorage(() => resolve().storageLocation, `platform-webchat:${chatUrl}`),
    webchat,
    user: user ?? {},
    get configuration() {
      return resolve();
    },
    resolve: config.resolve,
    get isOpen() {
      return isOpen;
    },
    adopt: host.adopt,
    emit,
    on: emitter.on,
    onDashboard(fields) {
      config.dashboard(fields);
      applyConfiguration();
    },
    onStarted() {
      hasStarted = true;
      becomeReady();
    },
    onUnread: (count) => setUnread(Math.max(0, unread + count)),
    open: (from) => open(from),
    close: () => close(),
    toggle: () => toggle(),
    configure(fields) {
      config.overlay(fields);
      applyConfiguration();
    },
  };

  /** Only fetches and evaluates the file: nothing is created or stored by a hover. */
  const prefetch = () => {
    modulePromise ??= load('chat', assets);
    modulePromise.catch(() => {
      modulePromise = undefined;
    });
    return modulePromise;
  };

  const failed = (cause: unknown) => {
    signal.throwIfAborted();
    const error = platformError('chunk_failed', words.chunkFailed, cause);
    emit('error', error);
    throw error;
  };
  /** Uses a chunk once it is there, unless the widget has gone. */
  const bring = <M>(loading: Promise<M>, use: (module: M) => unknown) =>
    void loading.then((module) => signal.aborted || use(module), failed).catch(() => {});

  const loadOnce = () => {
    chatPromise ??= prefetch()
      .then((module) => {
        signal.throwIfAborted();
        chat = module.mount(shell);
        tellChat(chat);
        return chat;
      })
      .catch((cause) => {
        chatPromise = undefined;
        return failed(cause);
      });
    return chatPromise;
  };

  /** @param from the element of the page that asked for it: the focus goes back there. */
  const open = (from?: Element) => {
    if (isOpen) return;
    isOpen = wasOpened = true;
    const focused = from ?? host.root.activeElement ?? document.activeElement;
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
      if (!target) chat.focus();
      chat.start();
      becomeReady();
      return;
    }
    // What is a part of the page takes the focus from nobody.
    if (!target) frame.element.focus({ preventScroll: true });
    loadOnce().then(
      (loaded) => {
        if (isOpen && host.root.activeElement) loaded.focus();
        loaded.start();
      },
      () => {
        if (signal.aborted) return;
        close();
        launcher.update({ problem: words.chunkFailed });
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

  const toggle = () => (isOpen ? close() : open());

  const listen = { signal };
  launcher.button.addEventListener('click', toggle, listen);
  for (const intent of ['pointerenter', 'pointerdown', 'focus']) {
    launcher.button.addEventListener(intent, () => void prefetch().catch(() => {}), listen);
  }
  frame.element.addEventListener(
    'keydown',
    (event) => {
      if (target || event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      event.stopPropagation();
      close();
    },
    listen,
  );

  // Elements of the page that open the chat, also those that come later.
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

  return {
    start() {
      emit('webchat:initialized', undefined);
      if (target) bring(load('embed', assets), ({ embed }) => embed(shell, target));
      if (signal.aborted || !shell.storage.read().conversationId) return;
      // Safari cannot tell when it is idle: there it is after this task.
      (window.requestIdleCallback ?? setTimeout)(() => {
        if (!signal.aborted) bring(loadOnce(), (loaded) => loaded.start());
      });
    },
    get isReady() {
      return isReady;
    },
    open: () => open(),
    close,
    toggle,
    config({ configuration: fields, user: userFields }) {
      shell.configure(fields);
      if (userFields) laterChat.then((loaded) => loaded.updateUser(userFields)).catch(() => {});
    },
    setUnread,
    chat: loadOnce,
    chatLater: () => laterChat,
    dispose() {
      clearTimeout(greeting);
      if (host.root.activeElement) (returnFocusTo as HTMLElement | null)?.focus();
      life.abort(platformError('destroyed', 'The chat was removed from the page.'));
    },
  };
}
