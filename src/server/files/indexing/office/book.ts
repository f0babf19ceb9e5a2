// Reads the text of an EPUB book: its chapters in reading order.
import { htmlBlocks } from '../html.ts';
import type { Block } from '../passages.ts';
import { UnreadableError } from '../reader-interface.ts';
import type { Archive } from './archive.ts';
import { resolve } from './open-xml.ts';
import { readPart } from './xml.ts';

/** Methods that only make fonts unreadable (EPUB Open Container Format, 4). */
const fontMethods = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc/;

/** Yields the blocks of a book. Throws UnreadableError when it is protected against copying. */
export async function* bookBlocks(archive: Archive): AsyncGenerator<Block> {
  const [main = ''] = await readPart<string>(archive, 'META-INF/container.xml', (emit) => ({
    open(name, attributes) {
      if (name === 'rootfile') emit(attributes['full-path'] ?? '');
    },
  }));
  if (!archive.has(main)) throw new UnreadableError('The book is damaged: its list of chapters is missing.');
  const encrypted = await encryptedParts(archive);
  for (const chapter of await chaptersOf(archive, main)) {
    if (!archive.has(chapter)) continue;
    if (encrypted.has(chapter)) throw new UnreadableError('The book is protected against copying.');
    yield* htmlBlocks(archive.part(chapter), { isXml: true, warn: archive.warn });
  }
}

/** Returns the names of the parts with the chapters, in reading order. */
async function chaptersOf(archive: Archive, main: string): Promise<string[]> {
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const parts = new Map<string, string>();
  const ids = await readPart<string>(archive, main, (emit) => ({
    open(name, { id = '', href = '', idref = '' }) {
      if (name === 'item') parts.set(id, resolve(folder, decoded(href)));
      else if (name === 'itemref') emit(idref);
    },
  }));
  return ids.flatMap((id) => parts.get(id) ?? []);
}

async function encryptedParts(archive: Archive): Promise<Set<string>> {
  let method = '';
  const parts = await readPart<string>(archive, 'META-INF/encryption.xml', (emit) => ({
    open(name, { Algorithm, URI }) {
      if (name === 'EncryptedData') method = '';
      else if (name === 'EncryptionMethod' && method === '') method = Algorithm ?? '';
      else if (name === 'CipherReference' && !fontMethods.test(method)) emit(resolve('', decoded(URI ?? '')));
    },
  }));
  return new Set(parts);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replace(/[?#].*$/, ''));
  } catch {
    return path;
  }
}
