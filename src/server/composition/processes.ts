// The composition of what connects the processes of a server: the relay, the leases, and the signals for open streams.

import { createLocalCluster } from '../cluster/cluster.ts';
import { createSharedCluster } from '../cluster/leases/shared-cluster.ts';
import { createBroadcasts } from '../cluster/relay/broadcasts.ts';
import { createLocalRelay } from '../cluster/relay/relay.ts';
import { startRelayProbe } from '../cluster/relay/relay-probe.ts';
import { createRealtime } from '../realtime/realtime.ts';
import type { Wiring } from './options.ts';

/** Connects this process to the others of `wiring.relay`; without a relay it is the only one. */
export function createProcesses(wiring: Wiring) {
  const { db, logger } = wiring;
  const relay = wiring.relay ?? createLocalRelay();
  const broadcasts = createBroadcasts(relay, logger);
  const cluster = wiring.relay
    ? createSharedCluster({
        ...{ db, broadcasts, logger },
        leaseTime: wiring.leaseTime,
        botCode: wiring.botCode,
      })
    : createLocalCluster(db, broadcasts, logger);
  const stopProbe = wiring.relay && startRelayProbe(broadcasts);
  const realtime = createRealtime({
    ...{ db, broadcasts, logger, relay: wiring.relay },
    intervals: wiring.realtimeIntervals,
  });
  return {
    ...{ relay, broadcasts, cluster, realtime },
    /** Ends the connection to the relay. The cluster and the streams are closed before. */
    async close() {
      stopProbe?.();
      broadcasts.close();
      await relay.close();
    },
  };
}
