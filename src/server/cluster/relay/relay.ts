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
