// The worker thread that reads one file and sends its passages to the main thread in batches.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { Passage } from './passages.ts';
import { readBatches } from './reader.ts';

/**
 * A message to the main thread: a batch of passages, after which the worker waits for a request for more, or the end.
 */
export type Report = { passages: Passage[] } | { done: { warnings: string[] } } | { unreadable: string };

/** A damaged file could have one for each of its parts. */
const maxWarnings = 100;

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const report = (message: Report) => port.postMessage(message);

async function read(path: string, type: string): Promise<void> {
  const warnings = new Set<string>();
  const warn = (problem: string) => {
    if (warnings.size < maxWarnings) warnings.add(problem);
  };
  for await (const passages of readBatches(path, type, warn)) {
    const requested = once(port as NonNullable<typeof port>, 'message');
    report({ passages });
    await requested;
  }
  report({ done: { warnings: [...warnings] } });
}

const { path, type } = workerData as { path: string; type: string };
read(path, type)
  .catch((error: Error) => report({ unreadable: error.message }))
  .finally(() => port.close());
