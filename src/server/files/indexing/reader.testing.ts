// Reads files for tests: in this process, which saves the start of a thread, or in a thread as the server does.
import { writeFile } from 'node:fs/promises';
import { useFolder } from '../../testing/folder.testing.ts';
import { stripTypes } from '../../testing.ts';
import { declaredType } from '../bytes/media-type.ts';
import { createExtraction, type ExtractionOptions } from './extraction.ts';
import { passagesInProcess } from './in-process.testing.ts';
import type { Passage } from './passages.ts';

/** Returns a function that reads a file. `type`: its media type, or a name with an extension. `limits`: reads it in a thread. */
export function useReader() {
  const pathOf = useFolder();
  let count = 0;
  return async (bytes: string | Uint8Array, type: string, limits?: ExtractionOptions) => {
    const path = pathOf(`${++count}`);
    await writeFile(path, bytes);
    const extraction = createExtraction(
      limits ? { execArgv: ['--import', stripTypes], ...limits } : { passages: passagesInProcess },
    );
    const passages: Passage[] = [];
    const warnings: string[] = [];
    const warn = (problem: string) => void warnings.push(problem);
    const mediaType = type.includes('/') ? type : (declaredType(undefined, type) ?? '');
    for await (const some of extraction.passages(path, mediaType, undefined, warn)) passages.push(...some);
    return { passages, warnings, texts: passages.map(({ content }) => content) };
  };
}
