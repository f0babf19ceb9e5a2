// The bytes of a request as a stream, for bodies that are too large for memory.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';

/** The client disconnected before the end of the body. */
export class BodyAborted extends Error {}

/**
 * Yields the body in chunks; each is read after the previous one was processed. Throws BodyAborted when the client
 * disconnects, and the signal's reason when the signal is aborted, also while it waits for bytes.
 *
 * In Node it reads the connection directly: a web stream of it (Readable.toWeb) counts chunks instead of bytes before
 * it applies backpressure, which is hundreds of megabytes.
 */
export async function* bodyBytes(c: Context, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  // Kept open, because the error response must still be sent on this connection.
  const pieces = incoming?.iterator({ destroyOnReturn: false }) ?? webBytes(c.req.raw.body);
  let onAbort = (): void => {};
  // Not Promise.race with one long promise: that would keep every chunk in memory until it is settled.
  const next = (): Promise<IteratorResult<unknown>> =>
    new Promise((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      else pieces.next().then(resolve, () => reject(new BodyAborted()));
    });
  const abort = (): void => onAbort();
  signal.addEventListener('abort', abort);
  try {
    for (;;) {
      const { done, value } = await next();
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: a chunk may never arrive.
    pieces.return?.().catch(() => {});
  }
}

async function* webBytes(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      yield chunk.value;
    }
  } finally {
    reader?.cancel().catch(() => {});
  }
}
