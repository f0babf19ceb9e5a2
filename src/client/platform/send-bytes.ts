// Sends the bytes of a file to its upload address, reports progress and resumes after an interruption. In pages the
// bytes are sent by XMLHttpRequest (upload.ts), because only that reports progress there.
import { transfer } from '../chat/upload.ts';
import { errorFrom, isApiError } from '../core/api-errors.ts';
import { isRetryable, NetworkError } from '../core/errors.ts';
import { pause } from '../core/retry.ts';
import { maxTimerMs } from './client-options.ts';
import type { Rest } from './rest.ts';

export interface SendBytesOptions {
  /** The address alone grants write access: no token is sent. */
  uploadUrl: string;
  blob: Blob;
  contentType: string;
  /** Sent in addition to the type with a request that contains all bytes, and not when an upload resumes. */
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the bytes that were passed to the network; the number can decrease after an interruption. */
  onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

/** Bytes that are read at once. */
const pieceBytes = 65_536;

/**
 * Resolves when the server has all bytes. After an interruption it reads the offset and resumes there (tus 1.0.0). The
 * client's `retry` limits the attempts in a row without progress. `timeout` limits the time without progress.
 * @throws ApiError if the server refuses; NetworkError if it cannot be reached; the abort reason if aborted.
 */
export async function sendBytes(
  { settings, exchange }: Rest,
  { uploadUrl: url, blob, contentType, headers: whole, signal, onProgress }: SendBytesOptions,
): Promise<void> {
  const { retry, timeoutMs } = settings;
  let reported = -1;
  const report = (sent: number) => {
    if (sent === reported) return;
    reported = sent;
    onProgress?.(sent, blob.size);
  };
  const hasXhr = typeof XMLHttpRequest !== 'undefined';
  const usesXhr = hasXhr && settings.isGlobalFetch;

  /** One request, ended by a time without progress or by the caller. */
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

  /** As `request`, with the progress that only XMLHttpRequest reports. */
  async function transferByXhr(offset: number): Promise<void> {
    const headers = { 'content-type': contentType, ...whole };
    try {
      await transfer(url, blob, offset, signal, report, headers, Math.min(timeoutMs, maxTimerMs));
    } catch (error) {
      // The class of its type, as other requests of the client have it.
      throw isApiError(error) ? errorFrom(error) : error;
    }
  }

  let arrived = 0;
  let isComplete = false;
  for (let failures = 0; ; ) {
    try {
      if (failures > 0) {
        const offset = await request(
          () => ({ method: 'HEAD' }),
          ({ headers }) => Number(headers.get('upload-offset')),
        );
        if (offset > arrived) failures = 0;
        // A server that does not report an offset receives the file from its start.
        arrived = offset;
        report(arrived);
        // The offset of an empty file is the same before it is sent.
        if (arrived === blob.size && (arrived > 0 || isComplete)) return;
      }
      if (usesXhr) {
        await transferByXhr(arrived);
        report(blob.size);
        return;
      }
      const headers: Record<string, string> =
        arrived > 0
          ? { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${arrived}` }
          : { 'content-type': contentType, ...whole };
      await request(
        (watch) => ({
          method: arrived > 0 ? 'PATCH' : 'PUT',
          // Without a length the body would be chunked, which object stores refuse. Pages cannot set this header.
          headers: hasXhr ? headers : { ...headers, 'content-length': `${blob.size - arrived}` },
          ...(hasXhr
            ? { body: blob.slice(arrived) }
            : { body: pieces(blob, arrived, report, watch), duplex: 'half' as const }),
        }),
        () => undefined,
      );
      report(blob.size);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      const wasComplete = isComplete;
      isComplete = isApiError(error) && error.type === 'AlreadyExists';
      // An earlier request has stored the file, and its response was lost: the status shows it without another attempt.
      if (isComplete && !wasComplete && failures > 0) continue;
      // 409: the server has another offset, or the interrupted connection is still open there.
      const mayPass = isRetryable(error) || (isApiError(error) && error.code === 409);
      if (!mayPass || ++failures > retry.attempts) throw error;
      const delay = retry.delayMs(failures, error);
      if (delay > retry.maxDelayMs) throw error;
      await pause(delay, signal);
    }
  }
}

/** The bytes from `start`, read at the speed of the network. */
function pieces(blob: Blob, start: number, report: (sent: number) => void, watch: Watch): ReadableStream {
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
          report(at);
        } catch (error) {
          // The caller's progress callback has thrown: a retry does not help.
          watch.abort(error);
        }
        if (at >= blob.size) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

// A time limit for transfers: a signal that follows the caller's signal, and aborts after a time without progress. A
// transfer may take long as long as it makes progress.

export interface Watch {
  /** Aborted with the caller's reason, or with a NetworkError after a time without progress. */
  signal: AbortSignal;
  /** Reports progress: the time limit starts again. */
  moved(): void;
  /** Aborts with the given reason. */
  abort(reason: unknown): void;
  /** Must be called at the end, whatever the outcome. */
  end(): void;
}

/** Aborts after `silenceMs` without a call of `moved`; `Infinity` disables the limit. */
export function createWatch(silenceMs: number, caller: AbortSignal | undefined): Watch {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const follow = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', follow);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moved = () => {
    clearTimeout(timer);
    if (silenceMs === Number.POSITIVE_INFINITY || controller.signal.aborted) return;
    timer = setTimeout(() => {
      controller.abort(new NetworkError(`Nothing moved for ${silenceMs} ms.`));
    }, silenceMs);
  };
  moved();
  return {
    signal: controller.signal,
    moved,
    abort: (reason) => controller.abort(reason),
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}
