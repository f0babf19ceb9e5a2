// Reads the parts of a ZIP archive that is not trusted. Sizes in its directory are not believed: the bytes that are
// unpacked are counted, and an archive of more is refused.
import type { Entry, ZipFile } from 'yauzl';
import { UnreadableError } from '../reader-interface.ts';

export interface Archive {
  has(name: string): boolean;
  /** Yields the bytes of a part. Throws UnreadableError when the part is missing or damaged, or unpacks to too much. */
  part(name: string): AsyncGenerator<Uint8Array>;
  /** Receives a sentence about text that could not be read. */
  warn(problem: string): void;
  close(): void;
}

export interface ArchiveLimits {
  /** The maximum number of entries. A workbook or a book has a few thousand. */
  entries: number;
  /** The maximum number of bytes that all parts together unpack to. */
  unpackedBytes: number;
}

const defaultLimits: ArchiveLimits = { entries: 20_000, unpackedBytes: 500_000_000 };

const damaged = () => new UnreadableError('The document is damaged: its archive cannot be read.');

/** Opens the archive at `path`. Throws UnreadableError when it is none. */
export async function openArchive(
  path: string,
  {
    limits = defaultLimits,
    warn = () => {},
  }: { limits?: ArchiveLimits | undefined; warn?: Archive['warn'] | undefined } = {},
): Promise<Archive> {
  // Each thread reads one file, and most files are no archives.
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw damaged();
  });
  try {
    return archiveOf(zip, await entriesOf(zip, limits.entries), limits, warn);
  } catch (error) {
    zip.close();
    throw error instanceof UnreadableError ? error : damaged();
  }
}

/** Returns the entries by name. If several have the same name, the first one counts. */
async function entriesOf(zip: ZipFile, limit: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    count += 1;
    if (count > limit) throw new UnreadableError(`The document consists of more than ${limit} parts.`);
    if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
  }
  return entries;
}

function archiveOf(
  zip: ZipFile,
  entries: Map<string, Entry>,
  { unpackedBytes }: ArchiveLimits,
  warn: Archive['warn'],
): Archive {
  let unpacked = 0;
  return {
    has: (name) => entries.has(name),
    warn,
    async *part(name) {
      const entry = entries.get(name);
      if (!entry) throw new UnreadableError(`The document is damaged: its part ${name} is missing.`);
      if (entry.isEncrypted()) throw new UnreadableError('The document is locked with a password.');
      try {
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          unpacked += (chunk as Uint8Array).byteLength;
          if (unpacked > unpackedBytes) {
            throw new UnreadableError(`The document unpacks to more than ${unpackedBytes / 1_000_000} MB.`);
          }
          yield chunk as Uint8Array;
        }
      } catch (error) {
        throw error instanceof UnreadableError ? error : damaged();
      }
    },
    close: () => zip.close(),
  };
}
