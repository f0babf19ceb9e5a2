// Controls the page in the preview frame: inserts the real script, applies set-ups, calls methods and reports events.
import type { Configuration } from '../../protocol/page-api/config.ts';
import { fieldNames } from '../../protocol/page-api/config-layers.ts';
import type { AnyPlatformEvent, Platform } from '../../protocol/page-api/page-api.ts';
import type { Method } from './methods.ts';
import type { Setup } from './setup.ts';

export interface PreviewPageOptions {
  /** The address of the server, ending in `/`. */
  base: string;
  /** The address of the page in the frame, on the same origin. Default: beside this page. */
  address?: string;
  /** The chat is open at first. */
  isOpen?: boolean;
  onEvent(event: AnyPlatformEvent): void;
  /** The reason why the chat did not load; empty when it did. */
  onProblem(problem: string): void;
}

export interface PreviewPage {
  /** Applies a set-up to the preview; unchanged parts are not touched. */
  show(setup: Setup): void;
  /** Reloads the page, because the configuration on the server has changed. */
  reload(): void;
  /** Calls a method of `window.platform` of the preview. */
  call(method: Method['name'], args: unknown[]): Promise<unknown>;
  dispose(): void;
}

type PreviewWindow = Window & { platform?: Platform };

/** Uses `frame` as the preview, with `setup` as the first set-up. */
export function createPreviewPage(
  frame: HTMLIFrameElement,
  setup: Setup,
  options: PreviewPageOptions,
): PreviewPage {
  const { base, address = 'preview.html', isOpen = false, onEvent, onProblem } = options;
  const controller = new AbortController();
  let current = setup;
  let platform: Platform | undefined;
  let isListening = false;

  const initChat = (options: object = {}) => {
    if (!platform) return;
    if (!isListening) platform.on('*', onEvent);
    isListening = true;
    platform.init({ configuration: current.configuration, ...options });
  };

  const isAlive = () => platform && !platform.destroyed;

  /** Applies language, direction and background to the page. */
  const applyView = () => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    root.lang = current.view.lang;
    root.dir = current.view.dir;
    root.dataset.ground = current.view.ground;
  };

  const load = () => {
    platform = undefined;
    isListening = false;
    frame.src = address;
  };

  frame.addEventListener(
    'load',
    () => {
      const page = frame.contentDocument;
      // The initial blank page of the frame.
      if (!page?.body || !page.location.pathname.endsWith('/preview.html')) return;
      applyView();
      const script = page.createElement('script');
      const { bot } = current.view;
      // Bypasses the cache, so that a configuration that was just saved is used.
      script.src = `${base}chat/${bot}/webchat.js?at=${Date.now()}`;
      script.dataset.manual = '';
      script.addEventListener('load', () => {
        if (page !== frame.contentDocument) return;
        platform = (frame.contentWindow as PreviewWindow).platform;
        onProblem('');
        initChat();
        if (isOpen) platform?.open();
      });
      script.addEventListener('error', () => {
        if (page === frame.contentDocument) onProblem(`No chat exists at ${base}chat/${bot}.`);
      });
      page.body.append(script);
    },
    { signal: controller.signal },
  );
  load();

  return {
    show(next) {
      const before = current;
      current = next;
      if (next.view.bot !== before.view.bot) return load();
      applyView();
      // The chat reads language and direction of the page when it is configured.
      const isSamePage = next.view.dir === before.view.dir && next.view.lang === before.view.lang;
      if (isAlive() && !(isSamePage && next.configuration === before.configuration)) {
        platform?.config({ configuration: withAllFields(next.configuration) });
      }
    },
    reload: load,
    async call(method, args) {
      if (!platform) throw new Error('The chat of the preview has not loaded yet.');
      if (method === 'init') return initChat(args[0] as object);
      return (platform[method] as (...args: unknown[]) => unknown)(...args);
    },
    dispose: () => controller.abort(),
  };
}

/** All fields, so that fields that were unset use their default again. */
const withAllFields = (configuration: Configuration): Configuration =>
  Object.fromEntries(fieldNames.map((name) => [name, configuration[name]])) as Configuration;
