// Composes what brings signals to streams, for a server of one process.
import { createLocalFanOut, type FanOut } from './fan-out.ts';
import { startPings } from './pings.ts';
import { createPresence, type Presence } from './presence.ts';
import { createPubSub, type PubSub, type StreamControl } from './pub-sub.ts';

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
