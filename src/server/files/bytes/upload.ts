// Receives the bytes of files: PUT for the whole file, PATCH from an offset, HEAD for the offset (a subset of tus
// 1.0.0). Streams them to the store. Rejects more bytes than declared, and files whose content has a type that is not
// allowed.
// Why not `@tus/server`: an operation of the API announces each file, and clients of the hosted product use PUT
// (decision 25).
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { ApiError, errorResponse, isStorageFull, storageFull } from '../../api/errors.ts';
import type { FreeDisk } from '../../limits/free-disk.ts';
import { publish } from '../../startup/events.ts';
import type { Database } from '../../storage/database.ts';
import { enqueueDeletion } from '../../storage/deletions.ts';
import { deleteFile } from '../../storage/files/deletions.ts';
import { completeFile, type FileRow, fileOfContent, isComplete } from '../../storage/files/files.ts';
import { isConversationFile } from '../../storage/files/owners.ts';
import { assertAllowed, type BotFileLimits } from '../attachments.ts';
import { actualType, charsetOf, headBytes, withCharset } from './media-type.ts';
import { type FileStore, TooManyBytes, uploadSuperseded, type Writer } from './store.ts';
import type { FileTokens } from './tokens.ts';

export interface UploadOptions {
  db: Database;
  store: FileStore;
  tokens: FileTokens;
  disk: FreeDisk;
  /** The limits of a file in a conversation: those of the bot for visitors, those of the server for members. */
  limitsOf(file: Pick<FileRow, 'ownerType' | 'botId'>): Promise<BotFileLimits>;
  /** Called when a file of the Files API is complete. */
  onComplete(): void;
  /** Called when a file was deleted. */
  onRemoved(): void;
  now(): number;
}

const methods = ['PUT', 'PATCH', 'HEAD'];

/**
 * Handles `{chat}/uploads/:token` and `/v1/files/uploads/:token`. Responds with 204, Upload-Offset and Upload-Length;
 * acknowledged bytes are durable. A new request supersedes a running one, because the server may not have detected yet
 * that the client of the old one disconnected.
 */
export function createUploadHandler(options: UploadOptions) {
  const { db, store, tokens, disk, now } = options;

  /** Called after the last byte: the content determines the type, and whether it is allowed. */
  async function complete(writer: Writer, file: FileRow): Promise<void> {
    await writer.finish();
    const type = await actualType(file.declaredType, await writer.head(headBytes));
    try {
      if (isConversationFile(file)) assertAllowed(type, await options.limitsOf(file));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await db.write(async (tx) => {
        await writer.confirm(tx);
        await deleteFile(tx, file.id);
      });
      await writer.remove();
      options.onRemoved();
      throw error;
    }
    const isExpected = await db.write(async (tx) => {
      await writer.confirm(tx);
      if (await completeFile(tx, file.contentId, type, now(), file.declaredType)) return true;
      // The file was deleted or announced again in the meantime, and its bytes perhaps before the last ones came.
      await enqueueDeletion(tx, 'file_content', file.contentId);
      return false;
    });
    if (isExpected) return options.onComplete();
    options.onRemoved();
    throw notFound();
  }

  /** Called after a request: completes the file, or syncs its bytes to disk, so that the upload can continue. */
  async function settle(writer: Writer, file: FileRow, size: number, isSent = true): Promise<Response> {
    // An empty file is complete once a client has sent it.
    const isWhole = size === file.size && (isSent || size > 0);
    if (isWhole && file.status === 'upload_pending') await complete(writer, file);
    else if (size > 0) await writer.sync();
    return new Response(null, { status: 204, headers: offsets(size, file) });
  }

  async function receive(c: Context, writer: Writer, announced: FileRow): Promise<Response> {
    const { headers, method } = c.req.raw;
    const file = withSentCharset(announced, headers.get('content-type'));
    const stored = await writer.size();
    const refuse = (error: ApiError, size: number) => errorResponse(error, offsets(size, file));
    if (isComplete(file)) {
      return refuse(new ApiError('AlreadyExists', 'The file is already complete.'), file.size);
    }
    const offset = method === 'PUT' ? 0 : readOffset(headers.get('upload-offset'));
    if (offset !== stored && method !== 'PUT') {
      const message = `Upload-Offset is ${offset}, but ${stored} bytes are stored.`;
      return refuse(new ApiError('RelationConflict', message), stored);
    }
    const tooLarge = new ApiError('PayloadTooLarge', `The file was declared with ${file.size} bytes.`);
    if (offset + Number(headers.get('content-length') ?? 0) > file.size) return refuse(tooLarge, stored);
    try {
      await disk.reserve(0);
      const size = await writer.write(offset, file.size, withinReserve(bodyBytes(c, writer.signal)));
      if (method === 'PUT' && size < file.size) {
        if (size > 0) await writer.sync();
        const message = `Only ${size} of ${file.size} bytes arrived; continue with PATCH.`;
        return refuse(new ApiError('InvalidPayload', message), size);
      }
      return await settle(writer, file, size);
    } catch (error) {
      if (error instanceof TooManyBytes) return refuse(tooLarge, offset);
      // Received bytes are kept, and the upload can continue later.
      if (error instanceof ApiError && error.type === 'InsufficientStorage') {
        const size = await writer.size();
        if (size > 0) await writer.sync();
        return refuse(error, size);
      }
      if (isStorageFull(error)) return refuse(storageFull(), await writer.size());
      throw error;
    }
  }

  /** Yields the same bytes, up to the reserve of free disk space. */
  async function* withinReserve(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      await disk.reserve(piece.length);
      yield piece;
    }
  }

  return async (c: Context): Promise<Response> => {
    const { method, headers } = c.req.raw;
    if (!methods.includes(method)) {
      const allow = [...methods, 'OPTIONS'].join(', ');
      return errorResponse(new ApiError('MethodNotFound', `The methods of this address are ${allow}.`), {
        allow,
      });
    }
    const id = tokens.verify('upload', c.req.param('token') ?? '');
    if (id === undefined || !(await db.read((tx) => fileOfContent(tx, id)))) throw notFound();
    if (headers.get('content-encoding')) {
      throw new ApiError('UnsupportedMediaType', 'The bytes must be sent without content-encoding.');
    }
    if (method === 'PATCH' && headers.get('content-type') !== patchType) {
      throw new ApiError('UnsupportedMediaType', `The content-type must be ${patchType}.`);
    }
    try {
      return await store.hold(id, async (writer) => {
        // Read again, because the previous writer of the file may have completed it.
        const file = await db.read((tx) => fileOfContent(tx, id));
        if (!file) throw notFound();
        return method === 'HEAD'
          ? settle(writer, file, await writer.size(), false)
          : receive(c, writer, file);
      });
    } catch (error) {
      if (error === uploadSuperseded) {
        publish('uploadTakenOver', {});
        throw new ApiError('ResourceLockedConflict', uploadSuperseded.message);
      }
      if (error instanceof BodyAborted) throw new ApiError('InvalidDataFormat', 'The body ended early.');
      throw error;
    }
  };
}

/** The charset may also be declared with the bytes. */
const withSentCharset = (file: FileRow, contentType: string | null): FileRow =>
  charsetOf(file.declaredType) === undefined
    ? { ...file, declaredType: withCharset(file.declaredType, contentType) }
    : file;

const patchType = 'application/offset+octet-stream';

function readOffset(header: string | null): number {
  if (header !== null && /^\d{1,15}$/.test(header)) return Number(header);
  throw new ApiError('InvalidPayload', 'Upload-Offset must be a whole number of bytes.');
}

function offsets(size: number, file: FileRow): Record<string, string> {
  return {
    'upload-offset': String(size),
    'upload-length': String(file.size),
    'tus-resumable': '1.0.0',
    'cache-control': 'no-store',
  };
}

function notFound(): ApiError {
  return new ApiError('ResourceNotFound', 'The upload does not exist.');
}

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
