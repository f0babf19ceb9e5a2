// Writes compressed variants next to built text files. The server sends them to clients that accept them.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const text = new Set(['.html', '.js', '.css', '.json', '.map', '.svg', '.txt', '.md']);
/** The maximum size for the highest level of Brotli, which takes seconds for each megabyte. */
const smallFile = 1_000_000;

/**
 * Files of the documentation that are seldom asked for: variants of the Markdown and of the archive would be half of the bytes that
 * the documentation adds to the package.
 */
const rare = /^docs\/(?:.*\.md|decisions\/archive\/.*)$/;

/** Compresses the files below a folder of dist, several at a time. A variant that would not be smaller is not written. */
export async function precompress(dist, folder) {
  const names = (await readdir(join(dist, folder), { recursive: true })).map((name) => join(folder, name));
  const files = names
    .filter((name) => text.has(extname(name)) && !rare.test(name))
    .map((name) => join(dist, name));
  await Promise.all(files.map(compress));
}

async function compress(file) {
  const bytes = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: bytes.length <= smallFile ? constants.BROTLI_MAX_QUALITY : 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const variants = {
    '.br': promisify(brotliCompress)(bytes, { params }),
    '.gz': promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  };
  for (const [ending, compressed] of Object.entries(variants)) {
    const variant = await compressed;
    if (variant.length < bytes.length) await writeFile(file + ending, variant);
  }
}
