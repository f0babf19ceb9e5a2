// Load of a trial: files for the search index, each with a unique word by which it must be found.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../../../src/client/index.ts';
import { retry } from '../retry.ts';

export interface IndexedFile {
  id: string;
  /** The word that no other file has. */
  word: string;
  /** Its state at the end. */
  status: string;
  /** Why it failed. */
  reason?: string | undefined;
  /** The ids of files that a search for the word finds. */
  found: string[];
}

export interface IndexedFilesLoad {
  files: IndexedFile[];
  /** Stops, and resolves when all files are indexed, or failed, and searched for. */
  finish(): Promise<void>;
}

/** A word of letters only, for each number another one. */
const wordOf = (n: number): string =>
  `zebra${[...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')}q`;

export function startIndexedFilesLoad(client: Client): IndexedFilesLoad {
  const files: IndexedFile[] = [];
  let isOver = false;
  const sending = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const word = wordOf(n);
      const paragraphs = Array.from({ length: 20 }, (_, at) => `Paragraph ${at} of a text about bicycles.`);
      const content = [...paragraphs, `The secret word is ${word}.`, ...paragraphs].join('\n\n');
      const { file } = await retry(() => client.uploadFile({ key: `text-${n}.txt`, content, index: true }));
      files.push({ id: file.id, word, status: '', found: [] });
      await pause(1_000);
    }
  })();
  sending.catch(() => {});
  return {
    files,
    async finish() {
      isOver = true;
      await sending;
      for (const one of files) {
        for (;;) {
          const { file } = await retry(() => client.getFile({ id: one.id }));
          one.status = file.status;
          one.reason = file.failedStatusReason;
          if (file.status !== 'indexing_pending' && file.status !== 'upload_pending') break;
          await pause(200);
        }
        const { passages } = await retry(() => client.searchFiles({ query: one.word }));
        one.found = passages.map(({ file }) => file.id);
      }
    },
  };
}
