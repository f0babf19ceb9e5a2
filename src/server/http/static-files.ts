// Serves the built files of a folder, with variants that the build compressed, and assets that are generated in memory.
// Why not `serveStatic` alone: it has no ETags and serves hidden files (decision 17).
import { stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context } from 'hono';
import { type Asset, matchesEtag } from '../api/asset.ts';

/** Media types that Hono's table does not contain. */
const otherTypes: Record<string, string> = {
  '.md': 'text/markdown; charset=utf-8',
  '.tgz': 'application/gzip',
  '.wav': 'audio/wav',
};

/** A file that can be served. */
export interface StaticFile {
  path: string;
  etag: string;
}

/** The file at a URL path below a folder (`/` at the end means `index.html`), or undefined. */
export async function findFile(root: string, path: string): Promise<StaticFile | undefined> {
  const file = locate(root, path);
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (!file || !found?.isFile()) return undefined;
  // Weak: the encodings of a file share it.
  return { path: file, etag: `W/"${found.size.toString(36)}-${Math.floor(found.mtimeMs).toString(36)}"` };
}

/**
 * Returns the file as a response: 304 if the client has it, otherwise in the best encoding for which a compressed
 * variant exists (`.br`, `.gz`), or the requested range unless it has a condition. Hono's `serveStatic` supports neither
 * ETag nor 405, and responds to percent-encoded paths with 404, so it gets the path of a file that was found.
 */
export async function fileResponse(c: Context, file: StaticFile, cacheControl: string): Promise<Response> {
  const headers = { ...commonHeaders(cacheControl, file.etag), 'accept-ranges': 'bytes' };
  if (matchesEtag(c.req.header('if-none-match') ?? null, file.etag)) {
    return new Response(null, { status: 304, headers });
  }
  // Weak validators never match (RFC 9110, 13.1.5): the file may have changed since the client got the first part.
  if (c.req.header('if-range') !== undefined) c.req.raw.headers.delete('range');
  const response = await serveStatic({ path: file.path, precompressed: true })(c, async () => {});
  // Deleted since it was found.
  if (!response) return c.notFound();
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  const type = otherTypes[extname(file.path)];
  if (type) response.headers.set('content-type', type);
  return response;
}

const ownHeaders = (cacheControl: string, etag: string) => ({
  'cache-control': cacheControl,
  etag,
  vary: 'Accept-Encoding',
});
/** Sites that have the chat may read the response, too. */
const commonHeaders = (cacheControl: string, etag: string) => ({
  ...ownHeaders(cacheControl, etag),
  'access-control-allow-origin': '*',
});

/** The names of the encodings in HTTP. */
const tokens = { brotli: 'br', gzip: 'gzip' } as const;

/**
 * A generated asset as a response: 304 if the client has it, else in the best encoding that it accepts.
 * @param isOwn whether only pages of this server may read it
 */
export function assetResponse(request: Request, asset: Asset, cacheControl: string, isOwn = false): Response {
  const headersOf = isOwn ? ownHeaders : commonHeaders;
  const headers = new Headers({ ...headersOf(cacheControl, asset.etag), 'content-type': asset.type });
  if (matchesEtag(request.headers.get('if-none-match'), asset.etag)) {
    return new Response(null, { status: 304, headers });
  }
  const accepted = acceptedEncodings(request.headers.get('accept-encoding') ?? '');
  const encoding = (['brotli', 'gzip'] as const).find((name) => asset[name] && accepted.has(tokens[name]));
  if (encoding) headers.set('content-encoding', tokens[encoding]);
  const body = (encoding && asset[encoding]) ?? asset.plain;
  headers.set('content-length', String(body.length));
  return new Response(bodyOf(body), { headers });
}

/** The asset as a response of an API, which is not cached: 304 if the client has it, else uncompressed. */
export function jsonResponse(request: Request, { type, etag, plain }: Asset): Response {
  const headers = { 'cache-control': 'no-store', etag };
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  return new Response(bodyOf(plain), {
    headers: { ...headers, 'content-type': type, 'content-length': String(plain.length) },
  });
}

/** The number of bytes of a large body that are sent at a time. */
const pieceBytes = 65_536;

/** Returns the body of a Response, which would copy all bytes at once; large ones are streamed as the client reads. */
function bodyOf(bytes: Asset['plain']): BodyInit {
  if (bytes.length <= 1_000_000) return bytes;
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + pieceBytes));
      sent += pieceBytes;
      if (sent >= bytes.length) controller.close();
    },
  });
}

/** The path of the file that a URL path names, or undefined if it is outside the folder or hidden. */
function locate(root: string, path: string): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(path.endsWith('/') ? `${path}index.html` : path);
  } catch {
    return undefined;
  }
  if (name.includes('\0') || name.includes('\\') || name.split('/').some((part) => part.startsWith('.'))) {
    return undefined;
  }
  const file = normalize(join(root, name));
  return file.startsWith(normalize(root + sep)) ? file : undefined;
}

/** The encodings of an Accept-Encoding header that are not refused by `q=0`. */
function acceptedEncodings(header: string): Set<string> {
  const accepted = new Set<string>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (!parameters.some((text) => /^q=0(\.0*)?$/.test(text))) accepted.add(name);
  }
  return accepted;
}
