// Sends files. The address is the permission to read a file. No content is executed on this origin, and browsers show
// only inert types inline. Supports ranges and conditional requests (RFC 9110).
import type { Context } from 'hono';
import { matchesEtag, readRange } from '../../api/asset.ts';
import { ApiError, errorResponse } from '../../api/errors.ts';
import type { Database } from '../../storage/database.ts';
import { type FileRow, findFile, isComplete } from '../../storage/files/files.ts';
import { isChatFile, isConversationFile } from '../../storage/files/owners.ts';
import { servedAs } from './media-type.ts';
import { contentDisposition } from './name.ts';
import { type FileStore, MissingBytes } from './store.ts';
import type { FileTokens } from './tokens.ts';

/** Any page may show a file, because the address is the permission. */
const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-range, accept-ranges, etag, content-disposition',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** How long a response may be cached. */
const caching = {
  // The bytes of such an address never change.
  visitor: 'private, max-age=31536000, immutable, no-transform',
  link: 'private, no-cache, no-transform',
  note: 'private, no-cache, no-transform',
  public: 'public, no-cache, no-transform',
};

/** The purposes of each kind of address: the address of one kind of file reads no file of another kind. */
const kinds = { visitor: 'chat', link: 'platform', public: 'platform', note: 'note' } as const;
const kindOf = (file: FileRow) =>
  isChatFile(file) ? 'chat' : isConversationFile(file) ? 'note' : 'platform';

export interface DownloadOptions {
  db: Database;
  store: FileStore;
  tokens: FileTokens;
  /** Which files: those of conversations that visitors can have, or those of the Files API and of notes. */
  of: 'visitors' | 'platform';
  now(): number;
}

/**
 * Handles all methods of `{chat}/files/:token/*` and `/v1/files/content/:token/*`. The token identifies the file; the
 * name at the end is informative.
 */
export function createDownloadHandler({ db, store, tokens, of, now }: DownloadOptions) {
  /** The file that a token identifies, and the purpose of the token. */
  async function admit(token: string): Promise<{ file: FileRow; by: keyof typeof caching } | undefined> {
    const purposes = { visitor: 'download', link: 'link', public: 'public', note: 'note' } as const;
    for (const by of of === 'visitors' ? (['visitor'] as const) : (['public', 'link', 'note'] as const)) {
      const id = tokens.verify(purposes[by], token, now());
      const file = id === undefined ? undefined : await db.read((tx) => findFile(tx, id));
      if (!file || !isComplete(file) || kindOf(file) !== kinds[by]) continue;
      // The policy may have been removed, and the cleanup job may not have deleted an expired file yet.
      if (by === 'public' && file.isPublic === 0) continue;
      if (file.expiresAt !== null && file.expiresAt <= now()) continue;
      return { file, by };
    }
    return undefined;
  }

  return async (c: Context): Promise<Response> => {
    const { method, headers: requestHeaders } = c.req.raw;
    if (method === 'OPTIONS') return preflight();
    if (method !== 'GET' && method !== 'HEAD') {
      const error = new ApiError('MethodNotFound', `The methods of this address are ${allow}.`);
      return errorResponse(error, { ...openHeaders, allow });
    }
    const admitted = await admit(c.req.param('token') ?? '');
    if (!admitted) return notFound();
    const { file, by } = admitted;

    const etag = `"${file.contentId}"`;
    const headers = new Headers({ ...headersOf(file, etag), 'cache-control': caching[by] });
    if (matchesEtag(requestHeaders.get('if-none-match'), etag)) {
      headers.delete('content-type');
      return new Response(null, { status: 304, headers });
    }
    const condition = requestHeaders.get('if-range');
    const range =
      condition === null || condition.trim() === etag
        ? readRange(requestHeaders.get('range'), file.size)
        : undefined;
    if (range === 'unsatisfiable') {
      const error = new ApiError('InvalidDataFormat', `The file has ${file.size} bytes.`);
      return new Response(JSON.stringify({ ...error.body(), code: 416 }), {
        status: 416,
        headers: {
          ...openHeaders,
          'content-type': 'application/json',
          'content-range': `bytes */${file.size}`,
        },
      });
    }
    const { first, last } = range ?? { first: 0, last: file.size - 1 };
    headers.set('content-length', String(last + 1 - first));
    if (range) headers.set('content-range', `bytes ${first}-${last}/${file.size}`);
    // A HEAD response has no body whose end would close the file, so the file is not opened.
    const body = method === 'HEAD' ? null : await store.read(file.contentId, first, last).catch(unreadable);
    return body instanceof Response ? body : new Response(body, { status: range ? 206 : 200, headers });
  };
}

const allow = 'GET, HEAD, OPTIONS';

function headersOf(file: FileRow, etag: string): Record<string, string> {
  const { contentType, inline } = servedAs(file.contentType);
  return {
    ...openHeaders,
    'content-type': contentType,
    'content-disposition': contentDisposition(file.key, inline),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    etag,
    'referrer-policy': 'no-referrer',
  };
}

function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...openHeaders,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'range, if-range, if-none-match',
      'access-control-max-age': '7200',
    },
  });
}

function notFound(): Response {
  return errorResponse(new ApiError('ResourceNotFound', 'There is no file at this address.'), openHeaders);
}

/** The response for bytes that cannot be read: the cleanup job has just removed them, or the store does not answer. */
function unreadable(error: unknown): Response {
  if (error instanceof MissingBytes) return notFound();
  if (error instanceof ApiError) return errorResponse(error, openHeaders);
  throw error;
}
