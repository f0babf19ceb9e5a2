// Pings open streams, so that clients and proxies see that they are alive.
import type { PubSub } from './pub-sub.ts';

/** Milliseconds between two pings: existing clients close a stream after 45 s without data. */
const interval = 30_000;

/** Starts to ping; the result stops it. */
export function startPings(pubSub: PubSub): () => void {
  const timer = setInterval(() => pubSub.ping(), interval);
  timer.unref();
  return () => clearInterval(timer);
}
