// The file methods that need several requests: sending a file, and reading its bytes.
import type { AnnouncedFile, PlatformFile, PlatformFileFields } from '../../protocol/types/files.ts';
import { isApiError } from '../core/api-errors.ts';
import { NetworkError } from '../core/errors.ts';
import { repeat } from '../core/retry.ts';
import type { Rest, RestCallOptions } from './rest.ts';
import { createWatch, sendBytes } from './send-bytes.ts';

/** Text (as UTF-8), bytes, or a Blob: a File of a page, or the result of `await openAsBlob(path)` of `node:fs`. */
export type FileContent = string | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Blob;

/** The input of `uploadFile`: the fields of the file, and its bytes or an address to fetch them from. */
export type UploadFileInput = Omit<PlatformFileFields, 'size'> &
  ({ content: FileContent; url?: never } | { url: string; content?: never }) & {
    /** Called with the sent bytes and the total; after an interruption the number can be lower than before. */
    onProgress?: (sentBytes: number, totalBytes: number) => void;
    /** Aborts the upload; the method rejects with the abort reason. */
    signal?: AbortSignal | undefined;
  };

/** A file was not sent, or only in part. */
export class FileUploadError extends Error {
  override readonly name: string = 'FileUploadError';
  /** The cause: an ApiError or a NetworkError. */
  readonly innerError: unknown;
  /** The announced file; undefined if the announcement failed. */
  readonly file: AnnouncedFile | undefined;

  constructor(message: string, innerError: unknown, file?: AnnouncedFile) {
    super(message, { cause: innerError });
    this.innerError = innerError;
    this.file = file;
  }
}

/** The required operations of the Files API. */
interface FileCalls {
  upsertFile(input: PlatformFileFields, options?: RestCallOptions): Promise<{ file: AnnouncedFile }>;
  getFile(input: { id: string }, options?: RestCallOptions): Promise<{ file: PlatformFile }>;
}

/**
 * Creates or replaces the file of a key and sends its bytes. Returns the file after the server has stored all of them.
 * @throws FileUploadError with the cause; TypeError for an invalid input; the abort reason if aborted.
 */
export async function uploadFile(
  calls: FileCalls,
  rest: Rest,
  { content, url, onProgress, signal, ...fields }: UploadFileInput,
): Promise<{ file: PlatformFile }> {
  if ((content === undefined) === (url === undefined)) {
    throw new TypeError('uploadFile: give either content or url.');
  }
  let announced: AnnouncedFile | undefined;
  try {
    const blob = content === undefined ? await fetchBlob(rest, url, signal) : blobOf(content);
    // The media type of the Blob without its parameters, which the page may have added.
    // With the charset, without which the server has to detect the one of a text.
    const type = fields.contentType ?? (blob.type || undefined);
    const announcement = { ...fields, size: blob.size, ...(type !== undefined && { contentType: type }) };
    ({ file: announced } = await calls.upsertFile(announcement, { signal }));
    const { uploadUrl, contentType, id } = announced;
    // An object store behind a signed address requires these headers again; other servers ignore them.
    const headers = fields.publicContentImmediatelyAccessible
      ? { 'x-amz-tagging': 'public=true' }
      : undefined;
    await sendBytes(rest, { uploadUrl, blob, contentType, headers, signal, onProgress });
    return await calls.getFile({ id }, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!isApiError(error) && !(error instanceof NetworkError)) throw error;
    throw new FileUploadError(`The file ${fields.key} was not sent: ${error.message}`, error, announced);
  }
}

/**
 * Requests the bytes of a file, by its id or its key. Returns the response when its body begins: read it by
 * `arrayBuffer()`, `text()`, or as a stream by `body`; the signal also ends the body.
 * @throws ApiError if the file does not exist or has no bytes yet; NetworkError; the abort reason.
 */
export async function downloadFile(
  calls: FileCalls,
  { settings, exchange }: Rest,
  input: { id: string },
  options: Pick<RestCallOptions, 'signal'> = {},
): Promise<Response> {
  const { file } = await calls.getFile(input, options);
  const request = { url: file.url, init: { method: 'GET' }, timeoutMs: settings.timeoutMs, ...options };
  const { signal } = options;
  const response = await repeat(
    () => exchange(request, (received) => received),
    () => true,
    settings.retry,
    signal,
  );
  if (!signal || !response.body) return response;
  // `exchange` ends with the response headers, so the body observes the signal itself.
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
}

/** Fetches the bytes from another address, without sending the token. */
async function fetchBlob({ settings, exchange }: Rest, url: string, caller?: AbortSignal): Promise<Blob> {
  const watch = createWatch(settings.timeoutMs, caller);
  const request = { url, init: {}, signal: watch.signal, timeoutMs: Number.POSITIVE_INFINITY };
  try {
    return await exchange(request, async ({ body, headers }) => {
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      const reader = body?.getReader();
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done || !value) break;
        pieces.push(value as Uint8Array<ArrayBuffer>);
        watch.moved();
      }
      return new Blob(pieces, { type: headers.get('content-type') ?? '' });
    });
  } finally {
    watch.end();
  }
}

function blobOf(content: FileContent): Blob {
  if (content instanceof Blob) return content;
  if (typeof content === 'string' || content instanceof ArrayBuffer || ArrayBuffer.isView(content)) {
    return new Blob([content]);
  }
  throw new TypeError('uploadFile: content must be text, bytes or a Blob.');
}
