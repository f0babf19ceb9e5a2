// Serves built files from one folder, compressed once per version of a file. It never leaves that folder.

import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { type Asset, createAsset } from '../api/asset.ts';
import { matchesEtag, readRange } from '../api/http-range.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
};

type Bytes = Asset['plain'];

/** Encodings as HTTP names them. */
const tokens = { brotli: 'br', gzip: 'gzip' } as const;

export interface AssetFolder {
  /** The file at a URL path below the folder (`/` at the end means `index.html`), or undefined. */
  find(path: string): Promise<Asset | undefined>;
}

/** The files of a folder, read when they are first asked for and again when they change. */
export function createAssetFolder(root: string): AssetFolder {
  const cache = new Map<string, { version: string; asset: Promise<Asset> }>();
  return {
    async find(path) {
      const file = locate(root, path);
      if (!file) return undefined;
      const found = await stat(file).catch(() => undefined);
      if (!found?.isFile()) return undefined;
      const version = `${found.mtimeMs}-${found.size}`;
      let entry = cache.get(file);
      if (entry?.version !== version) {
        const type = types[extname(file)] ?? 'application/octet-stream';
        entry = { version, asset: readFile(file).then((bytes) => createAsset(bytes, type)) };
        cache.set(file, entry);
      }
      return entry.asset;
    },
  };
}

/** The asset as an answer: 304 when the client has it, else in the best encoding that it takes. */
export function assetResponse(request: Request, asset: Asset, cacheControl: string): Response {
  const headers = new Headers({
    'content-type': asset.type,
    'cache-control': cacheControl,
    etag: asset.etag,
    vary: 'Accept-Encoding',
    'access-control-allow-origin': '*',
  });
  if (matchesEtag(request.headers.get('if-none-match'), asset.etag)) {
    return new Response(null, { status: 304, headers });
  }
  // Safari plays no media without ranges (RFC 9110, 14.2); what is compressed is never worth a part.
  if (!asset.brotli) {
    headers.set('accept-ranges', 'bytes');
    const range = readRange(request.headers.get('range'), asset.plain.length);
    if (range && range !== 'unsatisfiable') {
      headers.set('content-range', `bytes ${range.first}-${range.last}/${asset.plain.length}`);
      return new Response(asset.plain.subarray(range.first, range.last + 1), { status: 206, headers });
    }
  }
  const accepted = acceptedEncodings(request.headers.get('accept-encoding') ?? '');
  const encoding = (['brotli', 'gzip'] as const).find((name) => asset[name] && accepted.has(tokens[name]));
  if (encoding) headers.set('content-encoding', tokens[encoding]);
  const body = (encoding && asset[encoding]) ?? asset.plain;
  headers.set('content-length', String(body.length));
  return new Response(bodyOf(body), { headers });
}

/** The asset as an answer of an API, which no cache keeps: 304 when the client has it, else as it is. */
export function jsonResponse(request: Request, { type, etag, plain }: Asset): Response {
  const headers = { 'cache-control': 'no-store', etag };
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  return new Response(bodyOf(plain), {
    headers: { ...headers, 'content-type': type, 'content-length': String(plain.length) },
  });
}

/** Bytes of a body that are sent at a time, where it has more. */
const pieceBytes = 65_536;

/** What a Response takes for these bytes. It would copy them whole; of many it is given pieces, as the reader takes them. */
function bodyOf(bytes: Bytes): BodyInit {
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

/** The file that a URL path names, or undefined when it would lie outside the folder or is hidden. */
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
