// Sends the bytes of a file to its upload address, tells how far they are, and goes on where a cut left them. It announces
// no file. In pages upload.ts does it, by XMLHttpRequest, which alone tells progress there.

import { upload } from '../chat/upload.ts';
import { isApiError } from '../core/api-errors.ts';
import { isRetryable, NetworkError } from '../core/errors.ts';
import { pause } from '../core/retry.ts';
import type { Rest } from './rest.ts';
import { createWatch, type Watch } from './watch.ts';

export interface SendBytesOptions {
  /** Its address is all that is needed to write to it: no token is sent. */
  uploadUrl: string;
  blob: Blob;
  contentType: string;
  /** Beside the type, where all of the bytes go at once; a rest of them goes to a server that needs none. */
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** Bytes that were handed to the network, of all attempts; after a cut fewer than before. */
  onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

/** Bytes that are read at a time. */
const pieceBytes = 65_536;

/**
 * Resolves when the server has them all. After a cut it asks for the offset and goes on there (tus 1.0.0), as often as
 * the client's `retry` allows without a byte more arriving. `timeout` is how long nothing may move.
 * @throws ApiError when the server refuses; NetworkError when it is not reached; the abort reason when aborted.
 */
export async function sendBytes(
  { settings, exchange }: Rest,
  { uploadUrl: url, blob, contentType, headers: whole, signal, onProgress }: SendBytesOptions,
): Promise<void> {
  const { retry, timeoutMs } = settings;
  let told = -1;
  const tell = (sent: number) => {
    if (sent === told) return;
    told = sent;
    onProgress?.(sent, blob.size);
  };
  const hasXhr = typeof XMLHttpRequest !== 'undefined';
  if (hasXhr && settings.isGlobalFetch && blob.size > 0) {
    return upload({ uploadUrl: url, blob, headers: whole, signal, onProgress: tell });
  }

  /** One request, ended by silence and by the caller. */
  async function request<T>(
    make: (watch: Watch) => RequestInit & { duplex?: 'half' },
    read: (response: Response) => T,
  ): Promise<T> {
    const watch = createWatch(timeoutMs, signal);
    try {
      const limits = { signal: watch.signal, timeoutMs: Number.POSITIVE_INFINITY };
      return await exchange({ url, init: make(watch), ...limits }, read);
    } finally {
      watch.end();
    }
  }

  let arrived = 0;
  for (let failures = 0; ; ) {
    try {
      if (failures > 0) {
        const offset = await request(
          () => ({ method: 'HEAD' }),
          ({ headers }) => Number(headers.get('upload-offset')),
        );
        if (offset > arrived) failures = 0;
        // A server that knows no offsets starts again.
        arrived = offset;
        tell(arrived);
        if (arrived === blob.size && arrived > 0) return;
      }
      const headers: Record<string, string> =
        arrived > 0
          ? { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${arrived}` }
          : { 'content-type': contentType, ...whole };
      await request(
        (watch) => ({
          method: arrived > 0 ? 'PATCH' : 'PUT',
          // Without a length the body would go in chunks, which stores of files refuse. Pages may set none.
          headers: hasXhr ? headers : { ...headers, 'content-length': `${blob.size - arrived}` },
          ...(hasXhr
            ? { body: blob.slice(arrived) }
            : { body: pieces(blob, arrived, tell, watch), duplex: 'half' as const }),
        }),
        () => undefined,
      );
      tell(blob.size);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      // 409: the server knows another offset, or still holds the connection that was cut.
      const mayPass = isRetryable(error) || (isApiError(error) && error.code === 409);
      if (!mayPass || ++failures > retry.attempts) throw error;
      const delay = retry.delayMs(failures, error);
      if (delay > retry.maxDelayMs) throw error;
      await pause(delay, signal);
    }
  }
}

/** The bytes from `start` on, read as the network takes them. */
function pieces(blob: Blob, start: number, tell: (sent: number) => void, watch: Watch): ReadableStream {
  let at = start;
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = new Uint8Array(await blob.slice(at, at + pieceBytes).arrayBuffer());
        if (piece.length < Math.min(pieceBytes, blob.size - at)) {
          throw new NetworkError('The file became shorter while it was read.');
        }
        if (piece.length > 0) controller.enqueue(piece);
        at += piece.length;
        watch.moved();
        try {
          tell(at);
        } catch (error) {
          // The caller's own fault: no attempt would mend it.
          watch.abort(error);
        }
        if (at >= blob.size) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
