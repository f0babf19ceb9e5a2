// Opens the stream of a conversation, waits for its first byte, and closes it.
import { listenConversation } from '../../client/operations/chat.ts';
import type { Finding } from '../../protocol/page-api/page-api.ts';
import { addressOf } from './address.ts';
import { finding } from './findings.ts';
import { timeoutMs } from './server-checks.ts';

/** Checks whether messages can be received: the stream must open, and then send its first byte, which our server sends at once. `conversationId` is a conversation that this key can read. */
export async function checkStream(
  chatUrl: string,
  userKey: string,
  conversationId: string,
): Promise<Finding[]> {
  const address = addressOf(chatUrl, listenConversation, conversationId);
  const attempt = new AbortController();
  const timedOut = Symbol();
  const withTimeout = <T>(promise: Promise<T>): Promise<T | typeof timedOut> => {
    const timer = new Promise<typeof timedOut>((resolve) => setTimeout(resolve, timeoutMs, timedOut));
    return Promise.race([promise, timer]);
  };
  try {
    const headers = { 'x-user-key': userKey, accept: 'text/event-stream' };
    const { signal } = attempt;
    const response = await withTimeout(
      fetch(address, { headers, signal, credentials: 'omit', cache: 'no-store' }),
    );
    const seconds = timeoutMs / 1_000;
    if (response === timedOut)
      return [finding('stream_blocked', `${address} does not open within ${seconds} seconds.`)];
    if (!response.ok) return [finding('stream_blocked', `${address} answers ${response.status}.`)];
    const type = response.headers.get('content-type') ?? 'nothing';
    if (!type.startsWith('text/event-stream')) {
      return [finding('stream_wrong_type', `${address} answers ${type} in place of text/event-stream.`)];
    }
    const read = await withTimeout(response.body?.getReader().read() ?? Promise.resolve({ done: true }));
    if (read === timedOut)
      return [finding('stream_buffered', `${address} says nothing within ${seconds} seconds.`)];
    return read.done ? [finding('stream_blocked', `${address} ends at once.`)] : [];
  } catch (error) {
    return [finding('stream_blocked', `${address} cannot be read.`, String(error))];
  } finally {
    attempt.abort();
  }
}
