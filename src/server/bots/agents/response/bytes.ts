// The bytes of a response, without its compression. Some servers and proxies compress although the request does not accept it.
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { AgentFailure } from '../failure.ts';

/** Each piece is passed on at once, and what a broken connection has cut is not an error of the format. */
const gzip = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const brotli = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

/**
 * Yields the bytes as they arrive. `onBytes` is called for received bytes. Throws AgentFailure for an unknown or broken
 * compression, and the error of the connection.
 */
export async function* bytesOf(
  response: IncomingMessage,
  onBytes: (received: Buffer) => void,
): AsyncGenerator<Buffer> {
  const chunks = receivedBytes(response, onBytes);
  const { value: first } = await chunks.next();
  if (!first) return;
  const decoder = decoderOf(response.headers['content-encoding'], first);
  if (!decoder) {
    yield first;
    yield* chunks;
    return;
  }
  // The generator below passes the error on.
  pipeline(Readable.from(joined(first, chunks)), decoder, () => {});
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (error) {
    throw /^(?:Z_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR)/.test(String((error as { code?: unknown }).code))
      ? new AgentFailure('content_encoding')
      : error;
  }
}

async function* receivedBytes(
  response: IncomingMessage,
  onBytes: (received: Buffer) => void,
): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of response as AsyncIterable<Buffer>) {
    onBytes(chunk);
    if (chunk.length > 0) yield chunk;
  }
  return undefined;
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** The decompression for a `Content-Encoding` (RFC 9110, 8.4); undefined for none. `first`: the first bytes. */
function decoderOf(header: string | undefined, first: Buffer): Transform | undefined {
  const names = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const isGzip = first[0] === 0x1f && (first.length === 1 || first[1] === 0x8b);
  // No text begins with these bytes. Some proxies send one without the other.
  if (names.length === 0) return isGzip ? zlib.createGunzip(gzip) : undefined;
  if (names.length > 1) throw new AgentFailure('content_encoding');
  switch (names[0]) {
    case 'gzip':
    case 'x-gzip':
      return isGzip ? zlib.createGunzip(gzip) : undefined;
    case 'deflate':
      // Some servers leave out the header of zlib (RFC 1950), whose first four bits are 8.
      return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(gzip) : zlib.createInflateRaw(gzip);
    case 'br':
      return zlib.createBrotliDecompress(brotli);
    default:
      throw new AgentFailure('content_encoding');
  }
}
