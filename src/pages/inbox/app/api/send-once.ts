// Keeps the idempotency keys of requests whose responses were lost, so that what they send is not stored twice if it is sent again.
import { isRetryable } from '../../../../client/core/errors.ts';

/**
 * Sends a request with the content of a conversation, and with an idempotency key. If the response to the last one was lost and
 * the content is the same, that request is sent again with its key: the server refuses the key with another request.
 * Rejects as `ask` does.
 */
export type SendOnce<Request> = <T>(
  id: string,
  content: unknown,
  request: Request,
  ask: (request: Request, idempotencyKey: string) => Promise<T>,
) => Promise<T>;

/** Pages without TLS have no `randomUUID`. */
const createKey = (kind: string): string => `${kind}-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

/** Creates what sends one kind of content, such as replies. */
export function createSendOnce<Request>(kind: string): SendOnce<Request> {
  /** By conversation. */
  const unanswered = new Map<string, { text: string; request: Request; idempotencyKey: string }>();
  return async (id, content, request, ask) => {
    const text = JSON.stringify(content);
    const last = unanswered.get(id);
    const next = last?.text === text ? last : { text, request, idempotencyKey: createKey(kind) };
    unanswered.set(id, next);
    try {
      const response = await ask(next.request, next.idempotencyKey);
      unanswered.delete(id);
      return response;
    } catch (error) {
      // Refused content was not stored: the next attempt is a new request. A proxy answers 5xx also after the server has stored it,
      // and what the client repeats (429) may have been stored by an earlier attempt.
      if (!isRetryable(error)) unanswered.delete(id);
      throw error;
    }
  };
}
