// The bytes of a request as they come, for bodies too large for memory. It refuses nothing and keeps nothing.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';

/** The sender went away in the middle. */
export class BodyCut extends Error {}

/**
 * The body in pieces, each asked for when the one before is done with. It fails with BodyCut when the sender goes
 * away, and with the signal's reason when that is aborted, also while it waits for bytes.
 *
 * Under Node the connection itself is read: a web stream made of it (Readable.toWeb) counts pieces and not bytes
 * before it lets the sender wait, which is hundreds of megabytes.
 */
export async function* bodyBytes(c: Context, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  // Kept open: the refusal has still to go out on this connection.
  const pieces = incoming?.iterator({ destroyOnReturn: false }) ?? webBytes(c.req.raw.body);
  let onAbort = (): void => {};
  // Not Promise.race with one long promise: that would keep every piece in memory until it is settled.
  const next = (): Promise<IteratorResult<unknown>> =>
    new Promise((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      else pieces.next().then(resolve, () => reject(new BodyCut()));
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
    // Not awaited: a piece that is waited for may never come.
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
