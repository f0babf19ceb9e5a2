// Measures the latency of messages between processes: each process sends a message every few seconds. Frames contain no
// timestamp, so that they stay small.
import { publish } from '../../startup/events.ts';
import type { SharedBroadcasts } from './broadcasts.ts';

/** Milliseconds between two messages. */
const defaultIntervalMs = 5_000;

/**
 * Starts sending; the result stops it. The measured time includes the difference between the clocks of two machines.
 */
export function startRelayProbe(
  broadcasts: Pick<SharedBroadcasts, 'elsewhere'>,
  interval = defaultIntervalMs,
): () => void {
  // An earlier version told who sends it.
  const tell = broadcasts.elsewhere('measure the relay', (_: string, sentAt: number) =>
    publish('relayed', { ms: Math.max(0, Date.now() - sentAt) }),
  );
  const timer = setInterval(() => tell('', Date.now()), interval).unref();
  return () => clearInterval(timer);
}
