// Sends the bytes of an announced file, and goes on where a cut left them. It announces nothing and makes no message.
import { backoffMs } from '../core/backoff.ts';
import { ApiError, isRetryable, NetworkError } from '../core/errors.ts';
import { retryAfter, send } from '../core/http.ts';

/** What `upload` takes. */
export interface UploadOptions {
  /** `uploadUrl` of what `createFile` gave; it needs no user key. */
  uploadUrl: string;
  /** Exactly as many bytes as were announced. */
  blob: Blob;
  /** Sent with all of the bytes at once, not with a rest of them. */
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** Bytes on their way, of all attempts; in Node only when the server has them. */
  onProgress?(sentBytes: number): void;
}

/** Attempts after the last byte that the server got. */
const maxFailures = 3;
/** Milliseconds without progress after which a connection counts as dead. */
const silenceMs = 60_000;

/**
 * Resolves when the server has the whole file. After a cut it asks for the offset and goes on there (tus 1.0.0).
 * @throws ApiError when the server refuses; NetworkError when it is not reached; the abort reason when aborted.
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
        const response = await send(fetch, { method: 'HEAD', url, headers: {}, signal }, (answer) => answer);
        // A server that knows no offsets starts again.
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
      // 409: the server knows another offset, or still holds the connection that was cut.
      const isConflict = error instanceof ApiError && error.code === 409;
      if ((!isConflict && !isRetryable(error)) || ++failures > maxFailures) throw error;
      // Aborted, it goes on at once, and the next step rejects with the reason.
      await new Promise((resolve) => {
        setTimeout(resolve, backoffMs(failures, error));
        signal?.addEventListener('abort', resolve);
      });
    }
  }
}

/** Sends what lies behind `offset`: by XMLHttpRequest where there is one, because fetch tells no progress. */
function transfer(
  url: string,
  blob: Blob,
  offset: number,
  signal: AbortSignal | undefined,
  onProgress: UploadOptions['onProgress'],
  whole: Record<string, string> = {},
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
      timer = setTimeout(abort, silenceMs);
    };
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded }) => {
      watch();
      onProgress?.(offset + loaded);
    };
    // The last event, however it ended; status 0 is not an answer.
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

/** Throws the refusal that an answer is, if it is one. */
function settle(status: number, text: string, wait: string | null): void {
  if (status < 400) return;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Somebody else's words: the status is all there is.
  }
  throw new ApiError(status, body, retryAfter(wait));
}

function cut(cause?: unknown): never {
  throw new NetworkError('The upload was cut.', { cause });
}
