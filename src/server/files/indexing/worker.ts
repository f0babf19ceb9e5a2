// The worker thread that reads one file and sends its passages to the main thread in batches.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { Passage } from './passages.ts';
import { readPassages } from './reader.ts';
import { UnreadableError } from './unreadable-error.ts';

/**
 * A message to the main thread: a batch of passages, after which the worker waits for a request for more, or the end.
 */
export type Report = { passages: Passage[] } | { done: true } | { unreadable: string };

/** The number of passages in one batch. */
const batchSize = 50;

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const report = (message: Report) => port.postMessage(message);

async function read(path: string, type: string): Promise<void> {
  let passages: Passage[] = [];
  const sendBatch = async () => {
    const requested = once(port as NonNullable<typeof port>, 'message');
    report({ passages });
    passages = [];
    await requested;
  };
  for await (const passage of readPassages(path, type)) {
    passages.push(passage);
    if (passages.length === batchSize) await sendBatch();
  }
  if (passages.length > 0) await sendBatch();
  report({ done: true });
}

const { path, type } = workerData as { path: string; type: string };
read(path, type)
  .catch((error: unknown) =>
    report({ unreadable: error instanceof UnreadableError ? error.message : 'The file could not be read.' }),
  )
  .finally(() => port.close());
