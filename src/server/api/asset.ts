// Assets: bytes with their media type, an ETag and, for text, compressed variants; and range requests for parts of them.
// Why not `range-parser`: it reads several ranges, of which none is sent, and would replace ten lines (decision 152).
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that can be sent, with the compressed variants that exist. */
export interface Asset {
  type: string;
  etag: string;
  plain: Bytes;
  brotli?: Bytes;
  gzip?: Bytes;
}

/** The maximum size for the best compression, and for any compression. Larger texts would take seconds. */
const wellCompressed = 1_000_000;
const compressed = 8_000_000;

/** Creates an asset. Text is compressed; JSON, whose type has no charset (RFC 8259, 11), if `isText` says so. */
export async function createAsset(
  plain: Buffer,
  type: string,
  isText = type.includes('charset=utf-8'),
): Promise<Asset> {
  // Weak, because the compressed variants share it.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const asset: Asset = { type, etag, plain: new Uint8Array(plain) };
  if (!isText || plain.length > compressed) return asset;
  const isSmall = plain.length <= wellCompressed;
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        [constants.BROTLI_PARAM_QUALITY]: isSmall ? 11 : 5,
      },
    }),
    promisify(gzip)(plain, { level: isSmall ? 9 : 6 }),
  ]);
  return { ...asset, brotli: new Uint8Array(brotli), gzip: new Uint8Array(zipped) };
}

export interface ByteRange {
  first: number;
  /** The last byte, inclusive. */
  last: number;
}

/**
 * Returns the requested range within `size` bytes; undefined if everything is sent; `unsatisfiable` if the range begins beyond
 * the content. For several ranges the whole content is sent (RFC 9110, 14).
 */
export function readRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    return Number(to) === 0 || size === 0
      ? 'unsatisfiable'
      : { first: Math.max(0, size - Number(to)), last: size - 1 };
  }
  const first = Number(from);
  // An end before the beginning makes the header invalid, so it is ignored.
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/** True when an If-None-Match header contains this ETag, by the weak comparison. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  const weak = (tag: string): string => tag.trim().replace(/^W\//, '');
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || weak(tag) === weak(etag));
}
