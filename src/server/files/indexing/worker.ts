// Reads one file in a thread of its own and hands its passages over, some at a time. It knows no database.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { Passage } from './passages.ts';
import { readPassages } from './reader.ts';
import { UnreadableError } from './unreadable-error.ts';

/** What a reader tells: some passages, upon which it waits to be asked for more; or its end. */
export type Report = { passages: Passage[] } | { done: true } | { unreadable: string };

/** Passages that are handed over at a time. */
const handful = 50;

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const report = (words: Report) => port.postMessage(words);

async function read(path: string, type: string): Promise<void> {
  let passages: Passage[] = [];
  const hand = async () => {
    const asked = once(port as NonNullable<typeof port>, 'message');
    report({ passages });
    passages = [];
    await asked;
  };
  for await (const passage of readPassages(path, type)) {
    passages.push(passage);
    if (passages.length === handful) await hand();
  }
  if (passages.length > 0) await hand();
  report({ done: true });
}

const { path, type } = workerData as { path: string; type: string };
read(path, type)
  .catch((error: unknown) =>
    report({ unreadable: error instanceof UnreadableError ? error.message : 'The file could not be read.' }),
  )
  .finally(() => port.close());
