// An asset: bytes with their media type, an ETag and, for text, compressed variants.
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

/** Creates an asset. Text is compressed. */
export async function createAsset(plain: Buffer, type: string): Promise<Asset> {
  // Weak, because the compressed variants share it.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const asset: Asset = { type, etag, plain: new Uint8Array(plain) };
  if (!type.includes('charset=utf-8') || plain.length > compressed) return asset;
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
