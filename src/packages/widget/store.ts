// The life of one chat for components of any framework: loading, options, events, and the time between two components.
import { platformError } from '../../protocol/error.ts';
import type { Platform, PlatformError } from '../../widget/global.ts';
import { changes, textsOf } from './changes.ts';
import { deferred } from './deferred.ts';
import { loadWebchat } from './load.ts';
import { ownFields } from './own-fields.ts';
import type { WebchatOptions, WebchatState, WebchatStore } from './store-interface.ts';

/** How long a chat stays without a component. */
const holdMs = 1_000;

const idle: WebchatState = { status: 'idle', isOpen: false, unreadCount: 0 };

/** The state that the events of the chat change. */
const stateAfter: Record<string, Partial<WebchatState>> = {
  'webchat:initialized': { status: 'initialized' },
  'webchat:ready': { status: 'ready' },
  'webchat:opened': { isOpen: true },
  'webchat:closed': { isOpen: false },
};

/** On the page and not in this module, because a page can have two copies of it (after a hot reload, for example). */
const registry = Symbol.for('platform-webchat');
type Registry = { [registry]?: Map<string, WebchatStore> };

/** Returns the store of a chat: always the same one for an address and an instance. */
export function createWebchatStore(input: WebchatOptions): WebchatStore {
  // Nothing is kept on a server: it would be shared by all visitors.
  if (typeof document === 'undefined') return serverStore();
  const options = ownFields(input);
  const page = globalThis as Registry;
  page[registry] ??= new Map();
  const key = `${options.chatUrl} ${options.instance ?? ''}`;
  const store = page[registry].get(key) ?? browserStore(options);
  page[registry].set(key, store);
  return store;
}

function serverStore(): WebchatStore {
  const platform = Promise.reject(platformError('no_window', 'The chat works in the browser only.'));
  platform.catch(() => {});
  const nothing = () => () => {};
  return {
    acquire: nothing,
    update: nothing,
    open: nothing,
    close: nothing,
    toggle: nothing,
    on: nothing,
    use: nothing,
    subscribe: nothing,
    getSnapshot: () => idle,
    getServerSnapshot: () => idle,
    platform,
  };
}

/** A handler or hooks, which each life of the chat gets. */
interface Subscription {
  subscribeTo: (chat: Platform) => () => void;
  end?: () => void;
}

/** As texts: a framework may change the same object in place. */
const fieldsOf = ({ configuration, user, attributes }: WebchatOptions) => ({
  configuration: textsOf(configuration),
  user: textsOf(user),
  attributes: textsOf(attributes),
});

function browserStore(first: WebchatOptions): WebchatStore {
  let options = first;
  let applied = fieldsOf(first);
  /** The chat keeps this object and reads it after each change, so that the next component can change its attributes. */
  const attributes = ownFields(first.attributes ?? {});
  let state = idle;
  let platform = deferred<Platform>();
  /** Components write functions inline: the newest one is called. */
  const getUserKey: WebchatOptions['getUserKey'] = (request) => options.getUserKey?.(request);
  const listeners = new Set<() => void>();
  const subscriptions = new Set<Subscription>();
  /** The element that a chat in the page fills. It moves between the elements of components, so that the chat stays the same. */
  const container = document.createElement('div');
  container.style.display = 'contents';
  let holders = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The present life: aborted at its end. */
  let life: AbortController | undefined;
  let chat: Platform | undefined;
  let place: Element | undefined;

  const setState = (fields: Partial<WebchatState>) => {
    state = { ...state, ...fields };
    for (const listener of [...listeners]) listener();
  };
  const subscribe = (subscribeTo: Subscription['subscribeTo']) => {
    const subscription: Subscription = { subscribeTo };
    subscriptions.add(subscription);
    if (chat) subscription.end = subscribeTo(chat);
    return () => {
      subscriptions.delete(subscription);
      subscription.end?.();
    };
  };

  /** The last request before the chat is initialized: the only one that is done then. */
  let isRequested = false;

  /** Opens or closes the window as soon as the chat is initialized. Why it cannot start is part of the state. */
  const call = (method: 'open' | 'close' | 'toggle') => () => {
    if (chat?.destroyed) end();
    if (!life && holders > 0 && method !== 'close') begin();
    const isWaiting = /idle|loading/.test(state.status);
    if (isWaiting) isRequested = method === 'toggle' ? !isRequested : method === 'open';
    platform.promise
      .then((running) => running[isWaiting ? (isRequested ? 'open' : 'close') : method]())
      .catch(() => {});
  };

  function begin(): void {
    life = new AbortController();
    const { signal } = life;
    state = idle;
    setState({ status: 'loading' });
    const { src = `${options.chatUrl.replace(/\/+$/, '')}/webchat.js`, integrity, nonce } = options;
    loadWebchat({ src, integrity, nonce })
      .then((page) => signal.aborted || start(page, signal))
      .catch((error: PlatformError) => {
        if (signal.aborted) return;
        console.error(error);
        platform.reject(error);
        setState({ status: 'failed', error });
      });
  }

  function start(page: Platform, signal: AbortSignal): void {
    const { chatUrl, instance, configuration, user } = options;
    const started = {
      chatUrl,
      ...(configuration && { configuration }),
      ...(user && { user }),
      ...(options.attributes && { attributes }),
      ...(options.getUserKey && { getUserKey }),
    };
    // The body is not a place in the page, but all of it.
    const target = place && (place === document.body ? place : container);
    // The first chat of a page is `window.platform`. A script of an older server has no other.
    if (!page.instances || (page.instances.length === 0 && !instance)) {
      page.init({ ...started, target });
      chat = page;
    } else chat = page.create({ ...started, target, instance });
    const running = chat;
    for (const subscription of subscriptions) subscription.end = subscription.subscribeTo(running);
    const stop = running.on('*', (event) => {
      const change = event.type === 'unread' ? { unreadCount: event.payload } : stateAfter[event.type];
      if (change) setState(change);
      if (event.type === 'webchat:initialized') platform.resolve(running);
    });
    signal.addEventListener('abort', () => {
      stop();
      for (const { end } of subscriptions) end?.();
      running.destroy();
    });
  }

  function end(): void {
    // One that is still awaited belongs to the next life.
    if (state.status !== 'loading') {
      platform = deferred();
      isRequested = false;
    }
    life?.abort();
    life = chat = undefined;
    container.remove();
    state = idle;
    setState({});
  }

  return {
    acquire(target) {
      clearTimeout(timer);
      holders++;
      // A chat that has failed or that the page has destroyed starts again, and one over the page cannot become one in the
      // page.
      if (life && (state.status === 'failed' || chat?.destroyed || !place !== !target)) end();
      place = target ?? undefined;
      if (place && place !== document.body && container.parentNode !== place) place.append(container);
      if (!life) begin();
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        if (--holders === 0) timer = setTimeout(end, holdMs);
      };
    },
    update(input) {
      const next = ownFields(input);
      if (next.chatUrl !== options.chatUrl || (next.instance ?? '') !== (options.instance ?? '')) {
        console.warn('[platform] chatUrl and instance cannot change.');
        return;
      }
      const now = fieldsOf(next);
      const configuration = changes(applied.configuration, now.configuration, next.configuration);
      const user = changes(applied.user, now.user, next.user);
      const texts = changes(applied.attributes, now.attributes, next.attributes);
      Object.assign(attributes, texts);
      const callback = next.getUserKey && !options.getUserKey && { getUserKey };
      options = next;
      applied = now;
      if (configuration || user || texts || callback) {
        const changed = {
          ...(configuration && { configuration }),
          ...(user && { user }),
          ...callback,
          // A chat that has started without attributes has those of the script tag.
          ...(texts && { attributes }),
        };
        chat?.push((running) => running.config(changed));
      }
    },
    open: call('open'),
    close: call('close'),
    toggle: call('toggle'),
    on: (type, handler) => subscribe((running) => running.on(type as never, handler as never)),
    use: (hooks) => subscribe((running) => running.use(hooks)),
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    getSnapshot: () => state,
    getServerSnapshot: () => idle,
    get platform() {
      return platform.promise;
    },
  };
}
