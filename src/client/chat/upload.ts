// Sends the bytes of a file, and resumes after an interruption. `createFile` must have created the file.

import { backoffMs } from '../core/backoff.ts';
import { ApiError, isRetryable, NetworkError } from '../core/errors.ts';
import { retryAfter, send } from '../core/http.ts';
import { pause } from '../core/retry.ts';

/** The options of `upload`. */
export interface UploadOptions {
  /** `uploadUrl` of the result of `createFile`; it does not need a user key. */
  uploadUrl: string;
  /** Its size must be the announced size. */
  blob: Blob;
  /** Sent only with a request that contains all bytes, and not when an upload resumes. */
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the sent bytes, including earlier attempts; in Node only after the server has stored them. */
  onProgress?(sentBytes: number): void;
}

/** Attempts after the last byte that the server received. */
const maxFailures = 3;
/** Milliseconds without progress after which a connection is considered dead. */
const silenceMs = 60_000;

/**
 * Resolves when the server has the whole file. After an interruption it reads the offset and resumes there (tus 1.0.0).
 * @throws ApiError if the server refuses; NetworkError if it cannot be reached; the abort reason if aborted.
 */
export async function upload({
  uploadUrl: url,
  blob,
  headers,
  signal,
  onProgress,
}: UploadOptions): Promise<void> {
  let arrived = 0;
  for (let failures = 0; ; ) {
    try {
      if (failures > 0) {
        const request = { method: 'HEAD', url, headers: {}, body: undefined, signal };
        const response = await send(fetch, request, (received) => received);
        // A server that does not report an offset receives the file from its start.
        const offset = Number(response.headers.get('upload-offset'));
        if (offset > arrived) failures = 0;
        arrived = offset;
        onProgress?.(arrived);
      }
      if (arrived < blob.size) await transfer(url, blob, arrived, signal, onProgress, headers);
      onProgress?.(blob.size);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      // 409: the server has another offset, or the interrupted connection is still open there.
      const isConflict = error instanceof ApiError && error.code === 409;
      if ((!isConflict && !isRetryable(error)) || ++failures > maxFailures) throw error;
      await pause(backoffMs(failures, error), signal);
    }
  }
}

/** Sends the bytes after `offset`, by XMLHttpRequest if it exists, because fetch does not report progress. */
export function transfer(
  url: string,
  blob: Blob,
  offset: number,
  signal: AbortSignal | undefined,
  onProgress: UploadOptions['onProgress'],
  whole: Record<string, string> = {},
  timeoutMs = silenceMs,
): Promise<void> {
  signal?.throwIfAborted();
  const method = offset ? 'PATCH' : 'PUT';
  const headers: Record<string, string> = offset
    ? { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${offset}` }
    : whole;
  const body = blob.slice(offset);
  if (typeof XMLHttpRequest === 'undefined') {
    const init = { method, headers, body, signal: signal ?? null };
    return fetch(url, init).then(
      async (response) =>
        settle(response.status, await response.text().catch(() => ''), response.headers.get('retry-after')),
      cut,
    );
  }
  return new Promise<void>((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    let timer: ReturnType<typeof setTimeout>;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(abort, timeoutMs);
    };
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded }) => {
      watch();
      onProgress?.(offset + loaded);
    };
    // The last event, whatever the outcome; status 0 is not a response.
    xhr.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      try {
        resolve(
          xhr.status ? settle(xhr.status, xhr.responseText, xhr.getResponseHeader('retry-after')) : cut(),
        );
      } catch (error) {
        reject(error);
      }
    };
    signal?.addEventListener('abort', abort);
    watch();
    xhr.send(body);
  });
}

/** Throws the ApiError of a response that refuses. */
function settle(status: number, text: string, wait: string | null): void {
  if (status < 400) return;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The body is not JSON of the server: only the status is known.
  }
  throw new ApiError(status, body, retryAfter(wait));
}

function cut(cause?: unknown): never {
  throw new NetworkError('The upload was cut.', { cause });
}
