// Messages between processes about single conversations. A process receives the messages of a conversation while it has
// an interest in it: a subscriber, or an indicator or answer that began in this process.
import type { Relay, Subscription } from './relay.ts';

/** Interest in one conversation. */
export interface Interest {
  /** Resolves when messages that are sent from now on arrive. */
  readonly ready: Promise<void>;
  end(): void;
}

export interface ConversationTopics {
  /** Receives the messages of a conversation until every interest in it has ended. */
  hold(conversationId: string): Interest;
  /** Whether there is an interest in the conversation. */
  has(conversationId: string): boolean;
  /** Sends a message to the other processes. `kind`: one letter, the same in all versions. */
  send(conversationId: string, kind: string, message: string): void;
  /**
   * Calls `listener` with each message of a kind. Listeners of the same kind are called in the order in which they were
   * added.
   */
  on(kind: string, listener: (conversationId: string, message: string) => void): void;
  /** Calls `listener` when the last interest in a conversation has ended. */
  onReleased(listener: (conversationId: string) => void): void;
}

/** `onError` gets what a listener throws, such as for a message of another version. */
export function createConversationTopics(
  relay: Relay,
  onError: (error: unknown) => void,
): ConversationTopics {
  const held = new Map<string, { subscription: Subscription; count: number }>();
  const listeners = new Map<string, ((conversationId: string, message: string) => void)[]>();
  const releaseListeners: ((conversationId: string) => void)[] = [];

  return {
    hold(conversationId) {
      const entry = held.get(conversationId) ?? {
        subscription: relay.subscribe(conversationId, (message) => {
          // A newer version may have kinds that this one does not know.
          for (const listener of listeners.get(message.slice(0, 1)) ?? []) {
            try {
              listener(conversationId, message.slice(1));
            } catch (error) {
              onError(error);
            }
          }
        }),
        count: 0,
      };
      entry.count += 1;
      held.set(conversationId, entry);
      let hasEnded = false;
      return {
        ready: entry.subscription.ready,
        end() {
          if (hasEnded) return;
          hasEnded = true;
          entry.count -= 1;
          if (entry.count > 0) return;
          held.delete(conversationId);
          entry.subscription.end();
          for (const listener of releaseListeners) listener(conversationId);
        },
      };
    },
    has: (conversationId) => held.has(conversationId),
    send: (conversationId, kind, message) => relay.publish(conversationId, kind + message),
    on: (kind, listener) => void listeners.set(kind, [...(listeners.get(kind) ?? []), listener]),
    onReleased: (listener) => void releaseListeners.push(listener),
  };
}
