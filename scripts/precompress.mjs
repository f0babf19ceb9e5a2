// Writes compressed variants next to built text files. The server sends them to clients that accept them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const text = new Set(['.html', '.js', '.css', '.json', '.map', '.svg', '.txt', '.md']);
/** The maximum size for the highest level of Brotli, which takes seconds for each megabyte. */
const smallFile = 1_000_000;

/** Compresses the files below a folder. A variant that would not be smaller is not written. */
export function precompress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!text.has(extname(name))) continue;
    const file = join(folder, name);
    const bytes = readFileSync(file);
    const quality = bytes.length <= smallFile ? constants.BROTLI_MAX_QUALITY : 9;
    const variants = {
      '.br': brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
      '.gz': gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
    };
    for (const [ending, variant] of Object.entries(variants)) {
      if (variant.length < bytes.length) writeFileSync(file + ending, variant);
    }
  }
}
