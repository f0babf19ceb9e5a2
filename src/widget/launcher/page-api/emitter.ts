// The events of the page: subscribes, emits, and repeats lifecycle events for late subscribers.
import type { PageHooks, PlatformEvents, PlatformEventType } from '../../../protocol/page-api/page-api.ts';

type Handler = (data: never) => void;

export interface Emitter {
  /** The page's hooks, in their order (`platform.use`): the chat runs them. */
  readonly hooks: Set<PageHooks>;
  on(type: string, handler: (data: never) => void): () => void;
  emit<T extends PlatformEventType>(type: T, payload?: PlatformEvents[T]): void;
  /** Clears the emitted lifecycle events, for the next instance of the widget. Handlers stay subscribed. */
  reset(): void;
}

interface Subscription {
  type: string;
  handler: Handler;
  /** Lifecycle events that were emitted before the subscription and that the handler has not received yet. */
  missed: string[];
}

/** Emitted once by each instance. Later subscribers receive them in a microtask, or before the next event. */
const sticky: readonly string[] = ['webchat:initialized', 'webchat:ready'];

export function createEmitter(): Emitter {
  // One entry for each subscription: a function that is subscribed twice is called twice and unsubscribed singly.
  const subscriptions = new Set<Subscription>();
  const emitted = new Set<string>();

  const notify = (subscription: Subscription, type: string, payload?: unknown) => {
    if (!subscriptions.has(subscription)) return;
    // A throwing handler must neither stop the other handlers nor affect our code.
    try {
      subscription.handler((subscription.type === '*' ? { type, payload } : payload) as never);
    } catch (error) {
      console.error(error);
    }
  };
  const notifyMissed = (subscription: Subscription) => {
    for (const type of subscription.missed.splice(0)) notify(subscription, type);
  };

  return {
    on(type, handler) {
      const missed = [...emitted].filter((late) => type === late || type === '*');
      const subscription = { type, handler, missed };
      subscriptions.add(subscription);
      // Not `queueMicrotask` or a Promise, which the page may have removed or replaced.
      void (async () => {
        await undefined;
        notifyMissed(subscription);
      })();
      return () => void subscriptions.delete(subscription);
    },
    emit(type, payload) {
      // A copy: subscriptions during the event must not receive it.
      const present = [...subscriptions];
      // Earlier events, to all late subscribers.
      present.forEach(notifyMissed);
      if (sticky.includes(type)) emitted.add(type);
      for (const name of [type, '*']) {
        for (const subscription of present) {
          if (subscription.type === name) notify(subscription, type, payload);
        }
      }
    },
    reset() {
      emitted.clear();
    },
    hooks: new Set(),
  };
}
