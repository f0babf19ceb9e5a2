// Drives the page in the preview: puts the real script on it, tries set-ups and methods, tells what happens there.
import { type Configuration, fieldNames } from '../../protocol/config.ts';
import type { AnyPlatformEvent, Platform } from '../../protocol/platform.ts';
import type { Method } from './methods.ts';
import type { Setup } from './setup.ts';

export interface StageOptions {
  /** The address of the platform, ending in `/`. */
  base: string;
  onEvent(event: AnyPlatformEvent): void;
  /** Why there is no chat; the empty text when there is one. */
  onProblem(problem: string): void;
}

export interface Stage {
  /** Brings the preview to this set-up; what is the same stays as it is. */
  show(setup: Setup): void;
  /** Loads the page again: the server's configuration is another one now. */
  reload(): void;
  /** Calls a method of `window.platform` of the preview. */
  call(method: Method['name'], given: unknown[]): Promise<unknown>;
  dispose(): void;
}

type PreviewWindow = Window & { platform?: Platform };

/** Uses `frame` as the preview, which shows `setup` first. */
export function createStage(frame: HTMLIFrameElement, setup: Setup, options: StageOptions): Stage {
  const { base, onEvent, onProblem } = options;
  const life = new AbortController();
  let present = setup;
  let platform: Platform | undefined;
  let isListening = false;

  const begin = (given: object = {}) => {
    if (!platform) return;
    if (!isListening) platform.on('*', onEvent);
    isListening = true;
    platform.init({ configuration: present.configuration, ...given });
  };

  const isAlive = () => platform && (frame.contentWindow as PreviewWindow).platform === platform;

  /** Brings language, direction and background of the page up to date. */
  const dressPage = () => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    root.lang = present.view.lang;
    root.dir = present.view.dir;
    root.dataset.ground = present.view.ground;
  };

  const load = () => {
    platform = undefined;
    isListening = false;
    frame.src = 'preview.html';
  };

  frame.addEventListener(
    'load',
    () => {
      const page = frame.contentDocument;
      // The blank page that every frame begins with.
      if (!page?.body || !page.location.pathname.endsWith('/preview.html')) return;
      dressPage();
      const script = page.createElement('script');
      const { bot } = present.view;
      // Past the cache: what was saved a moment ago is to be seen.
      script.src = `${base}chat/${bot}/webchat.js?at=${Date.now()}`;
      script.dataset.manual = '';
      script.addEventListener('load', () => {
        if (page !== frame.contentDocument) return;
        platform = (frame.contentWindow as PreviewWindow).platform;
        onProblem('');
        begin();
      });
      script.addEventListener('error', () => {
        if (page === frame.contentDocument) onProblem(`There is no chat at ${base}chat/${bot}.`);
      });
      page.body.append(script);
    },
    { signal: life.signal },
  );
  load();

  return {
    show(next) {
      const before = present;
      present = next;
      if (next.view.bot !== before.view.bot) return load();
      dressPage();
      // The chat looks at the page when it is configured.
      const isSamePage = next.view.dir === before.view.dir && next.view.lang === before.view.lang;
      if (isAlive() && !(isSamePage && next.configuration === before.configuration)) {
        platform?.config({ configuration: whole(next.configuration) });
      }
    },
    reload: load,
    async call(method, given) {
      if (!platform) throw new Error('The preview has no chat yet.');
      if (method === 'init') return begin(given[0] as object);
      if (method === 'destroy') isListening = false;
      return (platform[method] as (...given: unknown[]) => unknown)(...given);
    },
    dispose: () => life.abort(),
  };
}

/** All fields, so that those which are not set any more fall back. */
const whole = (configuration: Configuration): Configuration =>
  Object.fromEntries(fieldNames.map((name) => [name, configuration[name]])) as Configuration;
