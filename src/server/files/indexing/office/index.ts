// Reads office documents. The content decides which format a file has, because names are often wrong.
// Why not `officeparser`: it holds whole archives in memory; the libraries of this reader are streams (decision 50).
import { open } from 'node:fs/promises';
import type { Block } from '../passages.ts';
import { type ReadOptions, UnreadableError } from '../reader-interface.ts';
import { type Archive, type ArchiveLimits, openArchive } from './archive.ts';
import { bookBlocks } from './book.ts';
import { openDocumentBlocks } from './open-document.ts';
import { mainPart } from './open-xml.ts';
import { sheetBlocks } from './sheets.ts';
import { slideBlocks } from './slides.ts';
import { wordBlocks } from './word.ts';

export { richTextBlocks } from './rich-text.ts';

/** The media types of documents that are archives: Office Open XML, OpenDocument, EPUB. */
const archived =
  /^application\/(?:vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.|epub\+zip$|vnd\.ms-(?:word|excel|powerpoint)\.[\w.]+macroenabled\.12$)/;
/** The media types of the formats before 2007. */
const old = /^application\/(?:msword|vnd\.ms-(?:excel|powerpoint)|x-cfb)$/;

/** The first bytes of files of before 2007, and of encrypted documents. */
const compoundFile = 'd0cf11e0a1b11ae1';

/** True for documents that `officeBlocks` reads or whose reason it knows. */
export const isOffice = (type: string): boolean => archived.test(type) || old.test(type);

/** Yields the blocks of the document at `path`. Throws UnreadableError with the reason when it cannot be read. */
export async function* officeBlocks(
  path: string,
  { limits, warn }: Pick<ReadOptions, 'warn'> & { limits?: ArchiveLimits } = {},
): AsyncGenerator<Block> {
  await checkStart(path);
  const archive = await openArchive(path, { limits, warn });
  try {
    yield* await blocksOf(archive);
  } finally {
    archive.close();
  }
}

/** Throws with the reason when the file does not begin like an archive. */
async function checkStart(path: string): Promise<void> {
  const file = await open(path);
  try {
    const bytesAt = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const head = await bytesAt(0, 512);
    if (head.subarray(0, 2).toString('latin1') === 'PK') return;
    if (head.length === 512 && head.subarray(0, 8).toString('hex') === compoundFile) {
      // The directory of a compound file is anywhere in it ([MS-CFB] 2.2).
      const sector = 2 ** Math.min(12, head.readUInt16LE(30));
      const directory = await bytesAt((head.readUInt32LE(48) + 1) * sector, 4_096);
      throw new UnreadableError(
        directory.includes(Buffer.from('EncryptedPackage', 'utf16le'))
          ? 'The document is locked with a password.'
          : 'The document has a format of before 2007 (.doc, .xls, .ppt): save it as .docx, .xlsx or .pptx.',
      );
    }
    throw new UnreadableError('The file is not an office document, although its name or type says so.');
  } finally {
    await file.close();
  }
}

async function blocksOf(archive: Archive): Promise<AsyncIterable<Block>> {
  if (archive.has('META-INF/container.xml')) return bookBlocks(archive);
  if (archive.has('content.xml')) return openDocumentBlocks(archive);
  const main = (await mainPart(archive)) ?? '';
  const folder = main.slice(0, main.indexOf('/'));
  if (archive.has(main)) {
    if (folder === 'word') return wordBlocks(archive, main);
    if (folder === 'ppt') return slideBlocks(archive, main);
    if (folder === 'xl') return sheetBlocks(archive, main);
  }
  throw new UnreadableError('The file is an archive without a text document, sheet, presentation or book.');
}
