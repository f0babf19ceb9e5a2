// Keeps the idempotency keys of requests whose responses were lost, so that what they send is not stored twice if it is sent again.
import { ApiError } from '../../../../client/core/errors.ts';

/**
 * Sends something of a conversation with an idempotency key: the one of the last attempt if its response was lost and the
 * content is the same. Rejects as `ask` does.
 */
export type SendOnce = <T>(
  id: string,
  content: unknown,
  ask: (idempotencyKey: string) => Promise<T>,
) => Promise<T>;

/** Pages without TLS have no `randomUUID`. */
const createKey = (kind: string): string => `${kind}-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

/** Creates what sends one kind of content, such as replies. */
export function createSendOnce(kind: string): SendOnce {
  /** By conversation. */
  const unanswered = new Map<string, { text: string; idempotencyKey: string }>();
  return async (id, content, ask) => {
    const text = JSON.stringify(content);
    const last = unanswered.get(id);
    const idempotencyKey = last?.text === text ? last.idempotencyKey : createKey(kind);
    unanswered.set(id, { text, idempotencyKey });
    try {
      const response = await ask(idempotencyKey);
      unanswered.delete(id);
      return response;
    } catch (error) {
      // Refused content was not stored: the next attempt is a new request. A proxy answers 5xx also after the server has stored it.
      if (error instanceof ApiError && error.code < 500) unanswered.delete(id);
      throw error;
    }
  };
}
