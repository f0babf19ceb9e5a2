// Measures how long a message takes from one process to the others: each process sends one every few seconds. Frames carry
// no time, so that they stay small.
import { randomUUID } from 'node:crypto';
import { publish } from '../diagnostics/events.ts';
import type { Broadcasts } from './broadcasts.ts';

/** Milliseconds between two messages. */
const defaultInterval = 5_000;

/** Starts to send; the result stops it. The time of a message includes the difference of the clocks of two machines. */
export function startRelayProbe(broadcasts: Broadcasts, interval = defaultInterval): () => void {
  const self = randomUUID();
  const tell = broadcasts.everywhere('measure the relay', (sender: string, sentAt: number) => {
    if (sender !== self) publish('relayed', { ms: Math.max(0, Date.now() - sentAt) });
  });
  const timer = setInterval(() => tell(self, Date.now()), interval).unref();
  return () => clearInterval(timer);
}
