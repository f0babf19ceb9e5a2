// What is more than one call of the Files API: sending a file, and reading its bytes.
import type { AnnouncedFile, PlatformFile, PlatformFileFields } from '../../protocol/file.ts';
import { isApiError } from '../core/api-errors.ts';
import { NetworkError } from '../core/errors.ts';
import { repeat } from '../core/retry.ts';
import type { Rest, RestCallOptions } from './rest.ts';
import { sendBytes } from './send-bytes.ts';
import { createWatch } from './watch.ts';

/** Text (as UTF-8), bytes, or a Blob: a File of a page, or `await openAsBlob(path)` of Node's `node:fs`. */
export type FileContent = string | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Blob;

/** What `uploadFile` takes: the fields of the file, and its bytes or an address that they are fetched from. */
export type UploadFileInput = Omit<PlatformFileFields, 'size'> &
  ({ content: FileContent; url?: never } | { url: string; content?: never }) & {
    /** Bytes on their way, of all; after a cut fewer than before. */
    onProgress?: (sentBytes: number, totalBytes: number) => void;
    /** Aborts it; the method rejects with the signal's reason. */
    signal?: AbortSignal | undefined;
  };

/** A file that could not be sent, or only in part. */
export class FileUploadError extends Error {
  override readonly name: string = 'FileUploadError';
  /** What went wrong: an ApiError or a NetworkError. */
  readonly innerError: unknown;
  /** The file as it was announced; undefined when it did not come to that. */
  readonly file: AnnouncedFile | undefined;

  constructor(message: string, innerError: unknown, file?: AnnouncedFile) {
    super(message, { cause: innerError });
    this.innerError = innerError;
    this.file = file;
  }
}

/** The operations of the Files API that this needs, as a client has them. */
interface FileCalls {
  upsertFile(input: PlatformFileFields, options?: RestCallOptions): Promise<{ file: AnnouncedFile }>;
  getFile(input: { id: string }, options?: RestCallOptions): Promise<{ file: PlatformFile }>;
}

/**
 * Makes or replaces the file of a key and sends its bytes; gives the file as it is when the server has them all.
 * @throws FileUploadError with what went wrong; TypeError for an input that is none; the abort reason when aborted.
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
    // What a Blob says of itself, but for the parameters: they are the page's.
    const type = fields.contentType ?? (blob.type.split(';')[0] || undefined);
    const given = { ...fields, size: blob.size, ...(type !== undefined && { contentType: type }) };
    ({ file: announced } = await calls.upsertFile(given, { signal }));
    const { uploadUrl, contentType, id } = announced;
    // What a store behind an address that was signed for it has to be told again; others take no notice.
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
 * Asks for the bytes of a file, by its id or its key. Gives the answer once it has begun: read it by `arrayBuffer()`,
 * `text()`, or as a stream by `body`; the signal also ends that.
 * @throws ApiError when there is no such file, or no bytes yet; NetworkError; the abort reason.
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
    () => exchange(request, (answer) => answer),
    () => true,
    settings.retry,
    signal,
  );
  if (!signal || !response.body) return response;
  // The exchange is over with the head; the body follows the signal by itself.
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
}

/** The bytes at another address, which gets no token. */
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
