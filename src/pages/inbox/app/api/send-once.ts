// Keeps the idempotency keys of requests whose responses were lost, so that what they send is not stored twice if it is sent again.
// A key is forgotten when the content arrives at the page: what the member sends then is another entry, also with the same text.
import { isRetryable } from '../../../../client/core/errors.ts';
import type { Payload } from '../../../../protocol/message.ts';
import type { InboxStore } from '../state/store.ts';
import type { Timeline } from '../state/timeline.ts';

/** One request with the content of a conversation. */
interface Sending<Request, Content, Entry> {
  id: string;
  content: Content;
  request: Request;
  ask(request: Request, idempotencyKey: string): Promise<Entry>;
  /** The content has arrived after the request was rejected with `error`. */
  onStored(error: unknown): void;
}

/** Evidence that content was stored. */
interface Arrivals<Content, Entry> {
  conversations: InboxStore['conversations'];
  entriesIn(timeline: Timeline): ReadonlyMap<string, Entry>;
  /** Whether the member has written this entry with this content. */
  isOwn(entry: Entry, content: Content): boolean;
}

/**
 * Sends a request. If the response to the last one was lost and the content is the same, that request is sent again with its key: the
 * server refuses the key with another request. Rejects as `ask` does, unless the content has arrived meanwhile.
 */
export type SendOnce<Request, Content, Entry> = (sending: Sending<Request, Content, Entry>) => Promise<Entry>;

/** Pages without TLS have no `randomUUID`. */
const createKey = (kind: string): string => `${kind}-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

/** Whether two payloads have the same content. The server may return the fields in another order. */
export const isSamePayload = (a: Payload, b: Payload): boolean => inOrder(a) === inOrder(b);

/** As JSON, with the fields of all objects in alphabetical order. */
const inOrder = (payload: Payload): string =>
  JSON.stringify(payload, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Creates what sends one kind of content, such as replies. */
export function createSendOnce<Request, Content, Entry extends { createdAt: string }>(
  kind: string,
  { conversations, entriesIn, isOwn }: Arrivals<Content, Entry>,
): SendOnce<Request, Content, Entry> {
  interface Unanswered {
    text: string;
    request: Request;
    idempotencyKey: string;
    /** The entry with the content, if it has arrived since. */
    arrived(): Entry | undefined;
    stopWaiting(): void;
  }
  /** By conversation. */
  const unanswered = new Map<string, Unanswered>();

  const entriesOf = (id: string): ReadonlyMap<string, Entry> | undefined => {
    const { status, timeline } = conversations.peek().get(id) ?? {};
    return timeline && status === 'ready' ? entriesIn(timeline) : undefined;
  };

  const arrivalOf = (id: string, content: Content): Unanswered['arrived'] => {
    const earlierEntries = entriesOf(id);
    let newest = '';
    for (const { createdAt } of earlierEntries?.values() ?? []) if (createdAt > newest) newest = createdAt;
    return () => {
      // Older ones are read when the member scrolls up.
      for (const [key, entry] of (earlierEntries && entriesOf(id)) ?? [])
        if (!earlierEntries?.has(key) && entry.createdAt >= newest && isOwn(entry, content)) return entry;
      return undefined;
    };
  };

  return async ({ id, content, request, ask, onStored }) => {
    const text = JSON.stringify(content);
    const last = unanswered.get(id);
    last?.stopWaiting();
    const next: Unanswered =
      last?.text === text
        ? last
        : {
            ...{ text, request, idempotencyKey: createKey(kind) },
            arrived: arrivalOf(id, content),
            stopWaiting() {},
          };
    unanswered.set(id, next);
    try {
      const entry = await ask(next.request, next.idempotencyKey);
      unanswered.delete(id);
      return entry;
    } catch (error) {
      const stored = isRetryable(error) ? next.arrived() : undefined;
      // Refused content was not stored: the next attempt is a new request. A proxy answers 5xx also after the server has stored it,
      // and what the client repeats (429) may have been stored by an earlier attempt.
      if (stored || !isRetryable(error)) unanswered.delete(id);
      else
        next.stopWaiting = conversations.subscribe(() => {
          if (!next.arrived()) return;
          next.stopWaiting();
          unanswered.delete(id);
          onStored(error);
        });
      if (stored) return stored;
      throw error;
    }
  };
}
