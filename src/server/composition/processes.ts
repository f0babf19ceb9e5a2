// The composition of what connects the processes of a server: the relay, the leases, and the signals for open streams.
import { createBroadcasts } from '../cluster/broadcasts.ts';
import { createLocalCluster } from '../cluster/cluster.ts';
import { createLocalRelay } from '../cluster/relay.ts';
import { startRelayProbe } from '../cluster/relay-probe.ts';
import { createSharedCluster } from '../cluster/shared-cluster.ts';
import { createRealtime } from '../realtime/realtime.ts';
import type { CompositionOptions } from './options.ts';

/** Connects this process to the others of `options.relay`; without a relay it is the only one. */
export function createProcesses(options: CompositionOptions) {
  const { db, logger } = options;
  const relay = options.relay ?? createLocalRelay();
  const broadcasts = createBroadcasts(relay, logger);
  const cluster = options.relay
    ? createSharedCluster({
        ...{ db, broadcasts, logger },
        leaseTime: options.leaseTime,
        botCode: options.botCode,
      })
    : createLocalCluster(db, broadcasts, logger);
  const stopProbe = options.relay && startRelayProbe(broadcasts);
  const realtime = createRealtime({
    ...{ db, broadcasts, logger, relay: options.relay },
    intervals: options.realtimeIntervals,
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
