// The composition of what differs between a server of one process and one of several, which a relay connects.
import { type BotRunnerOptions, type BotStreams, createBotStreams } from '../bots/index.ts';
import { createSharedRealtime, createSharedTeamBus } from '../cluster/fan-out/shared-realtime.ts';
import { createSharedClaims } from '../cluster/leases/shared-claims.ts';
import { createSharedCluster } from '../cluster/leases/shared-cluster.ts';
import { createSharedSlotCounts } from '../cluster/limits/shared-slot-counts.ts';
import { createSharedUsage } from '../cluster/limits/shared-usage.ts';
import { createSharedStreams } from '../cluster/mirrors/shared-streams.ts';
import { createBroadcasts, startRelayProbe } from '../cluster/relay/broadcasts.ts';
import type { Relay } from '../cluster/relay/relay.ts';
import { createSoleProcess, type Processes } from '../jobs/processes.ts';
import type { SharedUsage } from '../limits/shared-limit.ts';
import type { SlotCounts } from '../limits/slots.ts';
import { createRealtime, type Realtime } from '../realtime/realtime.ts';
import { createTeamBus, type TeamBus } from '../realtime/team-bus.ts';
import type { Wiring } from './options.ts';

export { connectRelay } from '../cluster/relay/connect-relay.ts';

export interface ProcessParts {
  processes: Processes;
  realtime: Realtime;
  team: TeamBus;
  createClaims?: BotRunnerOptions['createClaims'];
  createStreams(options: Omit<Parameters<typeof createBotStreams>[0], 'presence'>): BotStreams;
  /** The usage of limits by other processes, and the slots of all processes. */
  sharedUsage: SharedUsage | undefined;
  slotCounts: SlotCounts | undefined;
  /** Ends the connection to other processes. All other parts are closed before. */
  close(): Promise<void>;
}

/** Connects this process to the others of `wiring.relay`; without a relay it is the only one. */
export function createProcesses(wiring: Wiring): ProcessParts {
  const parts = wiring.relay ? createOneOfSeveral(wiring, wiring.relay) : createSole(wiring);
  const { db, secret, logger } = wiring;
  const sharedUsage =
    // The database has its own clock, so that nothing is shared with a clock of a test.
    db.isShared && wiring.elapsed === undefined
      ? createSharedUsage(db, secret, logger, parts.processes.count)
      : undefined;
  return {
    ...parts,
    sharedUsage,
    async close() {
      await sharedUsage?.close();
      await parts.close();
    },
  };
}

function createSole({ db, logger }: Wiring): Omit<ProcessParts, 'sharedUsage'> {
  const realtime = createRealtime();
  return {
    realtime,
    processes: createSoleProcess(db, logger),
    team: createTeamBus(),
    createStreams: (options) => createBotStreams({ ...options, presence: realtime.presence }),
    slotCounts: undefined,
    async close() {},
  };
}

function createOneOfSeveral(wiring: Wiring, relay: Relay): Omit<ProcessParts, 'sharedUsage'> {
  const { db, secret, logger } = wiring;
  const broadcasts = createBroadcasts(relay, logger);
  const processes = createSharedCluster({
    ...{ db, broadcasts, logger },
    leaseTime: wiring.leaseTime,
    botCode: wiring.botCode,
  });
  const stopProbe = startRelayProbe(broadcasts);
  const intervals = wiring.realtimeIntervals;
  const realtime = createSharedRealtime({ db, broadcasts, logger, relay, intervals });
  const slotCounts = createSharedSlotCounts({ db, processId: processes.id, secret, logger });
  return {
    ...{ processes, realtime, slotCounts },
    team: createSharedTeamBus(relay, (error) =>
      logger.error({ err: error }, 'a message of another process failed'),
    ),
    createClaims: (options) =>
      createSharedClaims({
        ...{ ...options, broadcasts },
        times: wiring.sharedEvents,
        onChange: wiring.onClaimChange,
      }),
    createStreams: (options) => createSharedStreams({ ...options, logger, presence: realtime.presence }),
    async close() {
      await slotCounts.close();
      stopProbe();
      broadcasts.close();
      await relay.close();
    },
  };
}
