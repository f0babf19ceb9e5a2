// A relay between servers of one test process, which can lose, double, delay and reorder messages.
import type { Relay } from './relay.ts';

/** The fate of a message on its way to one other process. */
export type Fate = 'arrives' | 'lost' | 'doubled' | 'held';

export interface MemoryRelayHub {
  /** The relay of one process. */
  connect(): Relay;
  /** Decides about each message, for each other process; by default all arrive. */
  fate: (topic: string, message: string) => Fate;
  /** Delivers the messages that were held, in reverse order if asked for. */
  release(options?: { isReversed?: boolean }): void;
  /** Tells all processes that messages may have been lost. */
  gap(): void;
}

interface Member {
  topics: Map<string, Set<(message: string) => void>>;
  gapListeners: Set<() => void>;
}

export function createMemoryRelayHub(): MemoryRelayHub {
  const members = new Set<Member>();
  const held: (() => void)[] = [];
  const hub: MemoryRelayHub = {
    fate: () => 'arrives',
    connect() {
      const member: Member = { topics: new Map(), gapListeners: new Set() };
      members.add(member);
      return {
        publish(topic, message) {
          if (!members.has(member)) return;
          for (const other of members) {
            if (other === member) continue;
            // Later, as from a network, and in order.
            const deliver = () =>
              queueMicrotask(() => {
                for (const listener of other.topics.get(topic) ?? []) listener(message);
              });
            const fate = hub.fate(topic, message);
            if (fate === 'held') held.push(deliver);
            if (fate === 'arrives' || fate === 'doubled') deliver();
            if (fate === 'doubled') deliver();
          }
        },
        subscribe(topic, listener) {
          const listeners = member.topics.get(topic) ?? new Set();
          member.topics.set(topic, listeners.add(listener));
          return { ready: Promise.resolve(), end: () => void listeners.delete(listener) };
        },
        onGap(listener) {
          member.gapListeners.add(listener);
          return () => void member.gapListeners.delete(listener);
        },
        close: async () => void members.delete(member),
      };
    },
    release({ isReversed = false } = {}) {
      const deliveries = held.splice(0);
      for (const deliver of isReversed ? deliveries.reverse() : deliveries) deliver();
    },
    gap() {
      for (const { gapListeners } of members) for (const listener of gapListeners) listener();
    },
  };
  return hub;
}
