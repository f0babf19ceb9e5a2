// Composes what brings signals to streams, for a server of one process.
import { createPresence, type Presence } from './presence.ts';
import { createLocalFanOut, createPubSub, type FanOut, type PubSub, type StreamControl } from './pub-sub.ts';

export interface Realtime {
  pubSub: PubSub;
  fanOut: FanOut;
  streamControl: StreamControl;
  presence: Presence;
  /** Ends all streams and checks. */
  close(): void;
}

export function createRealtime(): Realtime {
  const pubSub = createPubSub();
  const stopPings = startPings(pubSub);
  return {
    pubSub,
    fanOut: createLocalFanOut(pubSub),
    streamControl: pubSub,
    presence: createPresence(pubSub),
    close() {
      stopPings();
      pubSub.closeAll();
    },
  };
}

/**
 * Milliseconds between two pings of a stream: with the time that a turn of all streams takes, 30 s. Existing clients close a
 * stream after 45 s without data.
 */
const intervalMs = 27_000;
/**
 * Milliseconds between two steps, and the part of all streams that one step pings at most. To ping 9,000 streams at once
 * would delay messages by a third of a second.
 */
const stepMs = 100;
const share = stepMs / 3_000;

/** Pings open streams, so that clients and proxies see that they are alive. Starts to ping; the result stops it. */
export function startPings(pubSub: PubSub): () => void {
  const timer = setInterval(() => pubSub.ping(performance.now() - intervalMs, share), stepMs);
  timer.unref();
  return () => clearInterval(timer);
}
