// Writes ZIP archives for tests, also such that lie about their sizes or repeat their data.
import { constants, deflateRawSync } from 'node:zlib';

export interface EntryOptions {
  /** The size that the directory states instead of the real one. */
  claimedSize?: number;
  /** Marks the entry as encrypted. */
  isEncrypted?: boolean;
  /** Repeats the content this many times in the unpacked data, without memory for it. */
  times?: number;
  /** Uses the data of this earlier entry. */
  sameDataAs?: string;
}

export class ZipWriter {
  readonly #parts: Buffer[] = [];
  readonly #directory: Buffer[] = [];
  readonly #places = new Map<string, { offset: number; packed: number; size: number }>();

  get #size(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0);
  }

  add(name: string, content: string | Uint8Array, options: EntryOptions = {}): this {
    const bytes = Buffer.from(content as string);
    let place = this.#places.get(options.sameDataAs ?? '');
    const nameBytes = Buffer.from(name);
    if (!place) {
      const { times = 1 } = options;
      // A part that ends with a flush can be followed by others.
      const part = deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
      const packed = Buffer.concat([...Array<Buffer>(times).fill(part), deflateRawSync('')]);
      place = { offset: this.#size, packed: packed.length, size: bytes.length * times };
      this.#parts.push(this.#header(0x04034b50, place, options, nameBytes), nameBytes, packed);
    }
    this.#places.set(name, place);
    this.#directory.push(this.#header(0x02014b50, place, options, nameBytes), nameBytes);
    return this;
  }

  #header(
    signature: number,
    { offset, packed, size }: { offset: number; packed: number; size: number },
    { claimedSize = size, isEncrypted = false }: EntryOptions,
    name: Buffer,
  ): Buffer {
    const isDirectory = signature === 0x02014b50;
    const header = Buffer.alloc(isDirectory ? 46 : 30);
    header.writeUInt32LE(signature, 0);
    const start = isDirectory ? 6 : 4;
    header.writeUInt16LE(20, start);
    header.writeUInt16LE((isEncrypted ? 1 : 0) | 0x800, start + 2);
    header.writeUInt16LE(8, start + 4);
    header.writeUInt32LE(packed, start + 14);
    header.writeUInt32LE(claimedSize, start + 18);
    header.writeUInt16LE(name.length, start + 22);
    if (isDirectory) header.writeUInt32LE(offset, 42);
    return header;
  }

  bytes(): Buffer {
    const offset = this.#size;
    const directory = Buffer.concat(this.#directory);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#directory.length / 2, 8);
    end.writeUInt16LE(this.#directory.length / 2, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(offset, 16);
    return Buffer.concat([...this.#parts, directory, end]);
  }
}

/** Returns an archive with these parts. */
export function zip(parts: Record<string, string | Uint8Array>): Buffer {
  const writer = new ZipWriter();
  for (const [name, content] of Object.entries(parts)) writer.add(name, content);
  return writer.bytes();
}

const relations = (...rows: [id: string, type: string, target: string][]): string =>
  `<?xml version="1.0"?><Relationships>${rows
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** The parts of a .docx document with this body and these styles. */
export const word = (body: string, more: Record<string, string> = {}): Record<string, string> => ({
  '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
  'word/_rels/document.xml.rels': relations(
    ['r1', 'styles', 'styles.xml'],
    ['r2', 'footnotes', 'footnotes.xml'],
  ),
  'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
  ...more,
});

/** The parts of a .xlsx workbook with one sheet of these rows. */
export const workbook = (rows: string, more: Record<string, string> = {}): Record<string, string> => ({
  '_rels/.rels': relations(['r1', 'officeDocument', '/xl/workbook.xml']),
  'xl/workbook.xml': '<workbook><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations(
    ['r1', 'worksheet', 'worksheets/sheet1.xml'],
    ['r2', 'sharedStrings', 'sharedStrings.xml'],
    ['r3', 'styles', 'styles.xml'],
  ),
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  ...more,
});

/** The parts of an OpenDocument file with this content. */
export const openDocument = (body: string, more: Record<string, string> = {}): Record<string, string> => ({
  mimetype: 'application/vnd.oasis.opendocument.text',
  'content.xml': `<office:document-content><office:body>${body}</office:body></office:document-content>`,
  ...more,
});
