// Selects the reader for the text of a file by its media type.
import { createReadStream } from 'node:fs';
import { csvBlocks } from './csv.ts';
import { htmlBlocks } from './html.ts';
import { markdownBlocks } from './markdown.ts';
import { isOffice, officeBlocks, richTextBlocks } from './office/index.ts';
import { type Block, type Passage, passagesOf } from './passages.ts';
import { pdfBlocks } from './pdf.ts';
import { textBlocks } from './text.ts';
import { UnreadableError } from './unreadable-error.ts';

type Reader = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Block>;

const readers: Record<string, Reader> = {
  'text/markdown': markdownBlocks,
  'text/html': htmlBlocks,
  'application/xhtml+xml': (bytes) => htmlBlocks(bytes, { isXml: true }),
  'text/csv': csvBlocks,
  'text/tab-separated-values': csvBlocks,
  'application/json': textBlocks,
  'application/rtf': richTextBlocks,
  'text/rtf': richTextBlocks,
};

/** The number of passages in one batch. */
const batchSize = 50;

/** Yields the passages of the file at `path` in batches. Throws UnreadableError when it has none, or cannot be read. */
export async function* readBatches(path: string, type: string): AsyncGenerator<Passage[]> {
  let batch: Passage[] = [];
  try {
    for await (const passage of readPassages(path, type)) {
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
export async function* readPassages(path: string, type: string): AsyncGenerator<Passage> {
  let count = 0;
  for await (const passage of passagesOf(blocksOf(path, type))) {
    count += 1;
    yield passage;
  }
  if (count === 0) throw new UnreadableError('The file contains no text; images of pages are not read.');
}

function blocksOf(path: string, type: string): AsyncIterable<Block> {
  if (type === 'application/pdf') return pdfBlocks(path);
  if (isOffice(type)) return officeBlocks(path);
  const reader = readers[type] ?? (type.startsWith('text/') ? textBlocks : undefined);
  if (reader) return reader(createReadStream(path));
  throw new UnreadableError(
    `Files of type ${type} cannot be indexed; text, Markdown, HTML, CSV, JSON, PDF, office documents and EPUB can.`,
  );
}
