// Selects the reader for the text of a file by its media type.
import { createReadStream } from 'node:fs';
import { baseType, charsetOf } from '../bytes/media-type.ts';
import { htmlBlocks } from './html.ts';
import { markdownBlocks } from './markdown.ts';
import { isOffice, officeBlocks, richTextBlocks } from './office/index.ts';
import { type Block, type Passage, passagesOf } from './passages.ts';
import { pdfBlocks } from './pdf.ts';
import { type ReadOptions, UnreadableError } from './reader-interface.ts';
import { csvBlocks, textBlocks } from './text.ts';

type Reader = (bytes: AsyncIterable<Uint8Array>, options: ReadOptions) => AsyncIterable<Block>;

const readers: Record<string, Reader> = {
  'text/markdown': markdownBlocks,
  'text/html': htmlBlocks,
  'application/xhtml+xml': (bytes, options) => htmlBlocks(bytes, { isXml: true, ...options }),
  'text/csv': csvBlocks,
  'text/tab-separated-values': csvBlocks,
  'application/json': textBlocks,
  'application/x-subrip': textBlocks,
  'application/rtf': richTextBlocks,
  'text/rtf': richTextBlocks,
};

/** The number of passages in one batch. */
const batchSize = 50;

type Warn = ReadOptions['warn'];

/**
 * Yields the passages of the file at `path` in batches. `type`: its media type, with the charset if one is declared. `warn`
 * receives sentences about text that could not be read. Throws UnreadableError when the file has no text, or cannot be read.
 */
export async function* readBatches(path: string, type: string, warn?: Warn): AsyncGenerator<Passage[]> {
  let batch: Passage[] = [];
  try {
    for await (const passage of readPassages(path, type, warn)) {
      batch.push(passage);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    throw error instanceof UnreadableError ? error : new UnreadableError('The file could not be read.');
  }
  if (batch.length > 0) yield batch;
}

/** Yields the passages of the file at `path`. Throws UnreadableError when it has none. */
export async function* readPassages(path: string, type: string, warn?: Warn): AsyncGenerator<Passage> {
  let count = 0;
  for await (const passage of passagesOf(blocksOf(path, type, warn))) {
    count += 1;
    yield passage;
  }
  if (count === 0) throw new UnreadableError('The file contains no text; images of pages are not read.');
}

function blocksOf(path: string, contentType: string, warn: Warn): AsyncIterable<Block> {
  const type = baseType(contentType);
  if (type === 'application/pdf') return pdfBlocks(path, { warn });
  if (isOffice(type)) return officeBlocks(path, { warn });
  const reader = readers[type] ?? (type.startsWith('text/') ? textBlocks : undefined);
  if (reader) return reader(createReadStream(path), { charset: charsetOf(contentType), warn });
  throw new UnreadableError(
    `Files of type ${type} cannot be indexed; text, Markdown, HTML, CSV, JSON, PDF, office documents and EPUB can.`,
  );
}
