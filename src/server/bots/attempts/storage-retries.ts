// Tries bot events again that could not be handled because the disk was full, or the database did not answer.

/** Milliseconds until the next attempt. */
const retryDelayMs = 5_000;

export interface StorageRetries {
  /** Wakes the conversation again after a pause. */
  retry(conversationId: string): void;
  /** The last attempt at an event does not count, because the database stored nothing. Returns the error. */
  discount(eventId: string, error: unknown): unknown;
  /** The attempts at an event that do not count. */
  discounted(eventId: string): number;
  /** The event was handled. */
  forget(eventId: string): void;
  close(): void;
}

export function createStorageRetries(wake: (conversationId: string) => void): StorageRetries {
  const waiting = new Set<string>();
  const attempts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function wakeAll(): void {
    timer = undefined;
    const conversations = [...waiting];
    waiting.clear();
    for (const id of conversations) wake(id);
  }

  return {
    retry(conversationId) {
      waiting.add(conversationId);
      timer ??= setTimeout(wakeAll, retryDelayMs).unref();
    },
    discount(eventId, error) {
      attempts.set(eventId, (attempts.get(eventId) ?? 0) + 1);
      return error;
    },
    discounted: (eventId) => attempts.get(eventId) ?? 0,
    forget: (eventId) => void attempts.delete(eventId),
    close: () => clearTimeout(timer),
  };
}
