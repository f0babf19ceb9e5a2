// One page view: a window without a DOM, whose timers, listeners, channels and requests are counted.
import { type Realm, timeGlobals } from '../engine/realm.ts';
import { type Browser, channelsOf, localStorageOf, type OpenChannel, sessionStorageOf } from './browser.ts';
import { CountedTarget } from './events.ts';
import type { Network } from './network.ts';

const ownFormat = new Intl.DateTimeFormat();
/** One format for all pages that ask for the time zone of the device: to make another one takes long. Also called with `new`. */
function dateTimeFormat(...args: Parameters<typeof Intl.DateTimeFormat>): Intl.DateTimeFormat {
  return args.length === 0 ? ownFormat : new Intl.DateTimeFormat(...args);
}
const intl = Object.create(Intl, { DateTimeFormat: { value: dateTimeFormat } });

export class Page {
  readonly window: CountedTarget;
  readonly document: CountedTarget;
  readonly channels = new Set<OpenChannel>();
  isHidden = false;
  /** The errors that the console shows, for a failed run. */
  readonly console: string[] = [];

  readonly realm: Realm;
  readonly browser: Browser;
  readonly network: Network;
  readonly sessionItems: Map<string, string>;

  constructor(realm: Realm, browser: Browser, network: Network, sessionItems: Map<string, string>) {
    this.realm = realm;
    this.browser = browser;
    this.network = network;
    this.sessionItems = sessionItems;
    const onError = (error: unknown) => realm.onError(realm.name, error);
    this.window = new CountedTarget(onError);
    this.document = new CountedTarget(onError);
    browser.pages.add(this);
  }

  /** Sends an event to the window or the document, unless the page is frozen or gone. */
  dispatch(target: 'window' | 'document', type: string, fields: object = {}): void {
    this.realm.run(() => this[target].dispatchEvent(Object.assign(new Event(type), fields)));
  }

  /** The page is gone: nothing of it runs, and its connections break. */
  end(): void {
    this.realm.end();
    this.browser.pages.delete(this);
    this.channels.clear();
    this.network.cut(({ client }) => client === this.realm.name);
  }

  /** Everything that the page still has: timers, listeners, channels, and requests. */
  left(): string[] {
    const requests = [...this.network.connections].filter(({ client }) => client === this.realm.name);
    return [
      ...Array.from(this.realm.timers, () => 'a timer'),
      ...this.window.left().map((type) => `a listener of the window for ${type}`),
      ...this.document.left().map((type) => `a listener of the document for ${type}`),
      ...Array.from(this.channels, ({ name }) => `the channel ${name}`),
      ...requests.map(({ isStream }) => (isStream ? 'a stream' : 'a request')),
    ];
  }

  /** The globals of its scripts. */
  globals(): Record<string, unknown> {
    const { realm, browser, network } = this;
    const time = timeGlobals(() => realm);
    const document = Object.assign(this.document, {
      hasFocus: () => false,
      documentElement: { lang: 'en' },
    });
    Object.defineProperty(document, 'visibilityState', { get: () => (this.isHidden ? 'hidden' : 'visible') });
    const log = (...parts: unknown[]) => void this.console.push(parts.map(String).join(' '));
    const globals: Record<string, unknown> = {
      ...time,
      Intl: intl,
      document,
      navigator: {
        get onLine() {
          return !network.offline.has(browser.name);
        },
        language: 'en',
        languages: ['en'],
      },
      location: new URL('https://shop.example/'),
      localStorage: localStorageOf(this, browser),
      sessionStorage: sessionStorageOf(this.sessionItems, browser),
      BroadcastChannel: channelsOf(this, browser),
      caches: undefined,
      process: undefined,
      fetch: (url: string, init: RequestInit) => network.fetch(realm, browser.name, url, init),
      crypto: { randomUUID: realm.randomUUID, getRandomValues: realm.fillRandom, subtle: crypto.subtle },
      matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
      requestAnimationFrame: (run: () => void) => realm.setTimer(run, 16, false),
      cancelAnimationFrame: (id: number) => realm.clearTimer(id),
      requestIdleCallback: (run: () => void) => realm.setTimer(run, 1, false),
      addEventListener: this.window.addEventListener,
      removeEventListener: this.window.removeEventListener,
      dispatchEvent: this.window.dispatchEvent,
      StorageEvent: Event,
      console: { log, info: log, warn: log, error: log, debug: log },
    };
    for (const name of ['window', 'self', 'globalThis']) globals[name] = globals;
    return globals;
  }
}
