// Events of the page: subscribe, emit, and remember the lifecycle ones for late handlers. It knows no DOM.
import type { PlatformEvents, PlatformEventType } from '../../protocol/platform.ts';

type Handler = (data: never) => void;

export interface Emitter {
  on(type: string, handler: (data: never) => void): () => void;
  emit<T extends PlatformEventType>(type: T, payload?: PlatformEvents[T]): void;
  /** Forgets what has happened, so that a new life of the widget tells it again. Handlers stay. */
  reset(): void;
}

/** `webchat:initialized` and `webchat:ready` happen once in a life; whoever subscribes late is told in a microtask. */
const sticky = /lized|ready/;

export function createEmitter(): Emitter {
  // One entry a subscription: the same function subscribed twice is called twice and unsubscribed singly.
  const entries = new Set<{ type: string; handler: Handler }>();
  const emitted = new Set<string>();

  const notify = (entry: { type: string; handler: Handler }, type: string, payload?: unknown) => {
    if (!entries.has(entry)) return;
    // A throwing handler must neither stop its neighbours nor reach our code.
    try {
      entry.handler((entry.type === '*' ? { type, payload } : payload) as never);
    } catch (error) {
      console.error(error);
    }
  };

  return {
    on(type, handler) {
      const entry = { type, handler };
      entries.add(entry);
      for (const late of emitted) {
        if (type === late || type === '*') queueMicrotask(() => notify(entry, late));
      }
      return () => void entries.delete(entry);
    },
    emit(type, payload) {
      // As they are now: who subscribes during the event has missed it, or is told as a late one.
      const present = [...entries];
      if (sticky.test(type)) emitted.add(type);
      for (const name of [type, '*']) {
        for (const entry of present) if (entry.type === name) notify(entry, type, payload);
      }
    },
    reset() {
      emitted.clear();
    },
  };
}
