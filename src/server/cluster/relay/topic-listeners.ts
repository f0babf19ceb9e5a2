// The listeners of topics within one process. Each relay has one such table.

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
