// Events of the page: subscribe, emit, and remember the lifecycle ones for late handlers. It knows no DOM.
import type { PlatformEvents, PlatformEventType } from '../../protocol/platform.ts';

type Handler = (data: never) => void;

export interface Emitter {
  on(type: string, handler: (data: never) => void): () => void;
  emit<T extends PlatformEventType>(type: T, payload: PlatformEvents[T]): void;
  /** Forgets what has happened, so that a new life of the widget tells it again. Handlers stay. */
  reset(): void;
}

/** These happen once in a life; whoever subscribes late is told in a microtask. */
const sticky = new Set<string>(['webchat:initialized', 'webchat:ready']);

export function createEmitter(): Emitter {
  const handlers = new Map<string, Set<{ handler: Handler }>>();
  const happened = new Set<string>();

  /** A throwing handler must neither stop its neighbours nor reach our code. */
  const call = (handler: Handler, data: unknown) => {
    try {
      handler(data as never);
    } catch (error) {
      console.error(error);
    }
  };

  return {
    on(type, handler) {
      // One entry a subscription: the same function subscribed twice is called twice and unsubscribed singly.
      const entry = { handler };
      const entries = handlers.get(type) ?? new Set();
      handlers.set(type, entries.add(entry));
      for (const late of happened) {
        if (type !== late && type !== '*') continue;
        queueMicrotask(() => {
          if (entries.has(entry))
            call(handler, type === '*' ? { type: late, payload: undefined } : undefined);
        });
      }
      return () => void entries.delete(entry);
    },
    emit(type, payload) {
      // Both lists as they are now: who subscribes during the event has missed it, or is told as a late one.
      const entries = [type, '*'].flatMap((name) =>
        [...(handlers.get(name) ?? [])].map((entry) => ({ name, entry })),
      );
      if (sticky.has(type)) happened.add(type);
      for (const { name, entry } of entries) {
        if (handlers.get(name)?.has(entry)) call(entry.handler, name === '*' ? { type, payload } : payload);
      }
    },
    reset() {
      happened.clear();
    },
  };
}
