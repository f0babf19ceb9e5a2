// Measures the latency of messages between processes: each process sends a message every few seconds. Frames contain no
// timestamp, so that they stay small.
import { randomUUID } from 'node:crypto';
import { publish } from '../../diagnostics/events.ts';
import type { Broadcasts } from '../../jobs/processes.ts';

/** Milliseconds between two messages. */
const defaultIntervalMs = 5_000;

/**
 * Starts sending; the result stops it. The measured time includes the difference between the clocks of two machines.
 */
export function startRelayProbe(broadcasts: Broadcasts, interval = defaultIntervalMs): () => void {
  const self = randomUUID();
  const tell = broadcasts.everywhere('measure the relay', (sender: string, sentAt: number) => {
    if (sender !== self) publish('relayed', { ms: Math.max(0, Date.now() - sentAt) });
  });
  const timer = setInterval(() => tell(self, Date.now()), interval).unref();
  return () => clearInterval(timer);
}
