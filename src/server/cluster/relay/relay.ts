// Carries short texts between the processes of one server. They are hints: each of them can be lost, duplicated or
// late. The database has the complete data.

/** A subscription of one listener to one topic. */
export interface Subscription {
  /** Resolves when messages that are sent from now on arrive. Never rejects. */
  readonly ready: Promise<void>;
  end(): void;
}

export interface Relay {
  /**
   * Sends a text to the listeners of a topic at all other processes, in the order of the calls. Never waits and never
   * throws; a message that cannot be sent is lost.
   */
  publish(topic: string, message: string): void;
  /** Calls `listener` with each message that another process publishes to the topic. */
  subscribe(topic: string, listener: (message: string) => void): Subscription;
  /** Calls `listener` when messages may have been lost, such as after the connection was interrupted. */
  onGap(listener: () => void): () => void;
  /** Sends what was published, and closes the connection. */
  close(): Promise<void>;
}

/** The listeners of topics within one process. Each relay has one such table. */
export interface TopicListeners {
  /** Adds a listener; the result removes it, and returns true if the topic has no listener any more. */
  add(topic: string, listener: (message: string) => void): () => boolean;
  /** Calls the listeners of a topic. If one throws, the others are still called, and its error is thrown later. */
  call(topic: string, message: string): void;
}

export function createTopicListeners(): TopicListeners {
  const byTopic = new Map<string, Set<{ listener(message: string): void }>>();
  return {
    add(topic, listener) {
      const entry = { listener };
      const entries = byTopic.get(topic) ?? new Set();
      byTopic.set(topic, entries.add(entry));
      return () => {
        if (!entries.delete(entry) || entries.size > 0) return false;
        byTopic.delete(topic);
        return true;
      };
    },
    call(topic, message) {
      for (const { listener } of [...(byTopic.get(topic) ?? [])]) {
        try {
          listener(message);
        } catch (error) {
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
  };
}
