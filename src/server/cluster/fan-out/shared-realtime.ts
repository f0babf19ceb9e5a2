// Signals to the streams of all processes: of conversations and of teams, and the end of streams without access.
import type { Logger } from 'pino';
import type { Message } from '../../../protocol/message.ts';
import { serializeMessage } from '../../api/serializers.ts';
import type { Broadcasts } from '../../jobs/processes.ts';
import { createPubSub, type PubSub, type StreamControl, type Subscriber } from '../../realtime/pub-sub.ts';
import { type Realtime, startPings } from '../../realtime/realtime.ts';
import { createTeamBus, type TeamBus, type TeamChange } from '../../realtime/team-bus.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import { findMessage } from '../../storage/chat/messages.ts';
import { streamStates } from '../../storage/chat/participants.ts';
import type { Database } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { createSharedPresence, type SharedPresence } from '../mirrors/shared-presence.ts';
import { createConversationTopics } from '../relay/conversation-topics.ts';
import type { Relay, Subscription } from '../relay/relay.ts';
import { createClusterFanOut, startPeriodicCheck } from './fan-out.ts';

/** Milliseconds between two checks; the defaults are those of a server, and tests choose shorter ones. */
export interface RealtimeIntervals {
  /** Whether the last frame of a conversation was lost. */
  tail?: number;
  /** Whether the users of all streams still have access. */
  access?: number;
}

export interface SharedRealtimeOptions {
  db: Database;
  relay: Relay;
  broadcasts: Broadcasts;
  logger: Logger;
  intervals?: RealtimeIntervals | undefined;
}

export function createSharedRealtime({
  db,
  relay,
  broadcasts,
  logger,
  intervals = {},
}: SharedRealtimeOptions): Realtime & { presence: SharedPresence } {
  const pubSub = createPubSub();
  const stopPings = startPings(pubSub);
  const onError = (error: unknown) => logger.error({ err: error }, 'a message of another process failed');
  const topics = createConversationTopics(relay, onError);
  const presence = createSharedPresence(pubSub, {
    topics,
    readMessage: (id) => readMessage(db, id),
    onError,
  });
  const fanOut = createClusterFanOut({
    ...{ db, pubSub, relay, topics, logger },
    beforeDelivery: presence.beforeDelivery,
    onFirstSubscriber: presence.refresh,
    tailInterval: intervals.tail,
  });
  const stopChecks = startAccessChecks({ db, pubSub, logger }, intervals.access);
  return {
    pubSub,
    fanOut,
    streamControl: createStreamControl(pubSub, broadcasts),
    presence,
    close() {
      stopChecks();
      stopPings();
      pubSub.closeAll();
      fanOut.close();
    },
  };
}

const readMessage = (db: Database, id: string): Promise<Message | undefined> =>
  db.read(async (tx) => {
    const row = await findMessage(tx, id);
    const conversation = row && (await conversationById(tx, row.conversationId));
    return row && conversation && serializeMessage(row, publicId(conversation));
  });

/**
 * Ends or changes streams at every process. A message to another process can be lost; `startAccessChecks` ends the streams
 * there later.
 */
export function createStreamControl(pubSub: PubSub, { everywhere }: Broadcasts): StreamControl {
  return {
    closeUser: everywhere('closeUser', pubSub.closeUser),
    moveUser: everywhere('moveUser', pubSub.moveUser),
    closeParticipant: everywhere('closeParticipant', pubSub.closeParticipant),
    closeConversation: everywhere('closeConversation', pubSub.closeConversation),
    closeUserAndOwnedConversations: everywhere(
      'closeUserAndOwnedConversations',
      pubSub.closeUserAndOwnedConversations,
    ),
    closeBot: everywhere('closeBot', pubSub.closeBot),
  };
}

/** The workspaces whose members look at the conversations of the bots. */
const watchTopic = 'watch';

/** Notifies the clients of a team of changes, in all processes. */
export function createSharedTeamBus(relay: Relay, onError: (error: unknown) => void): TeamBus {
  const local = createTeamBus();
  const held = new Map<string, { subscription: Subscription; listeners: number }>();
  const topicOf = (workspaceId: string) => `team ${workspaceId}`;
  relay.onGap(local.announceGap);
  // All processes, also those without a member: visitors type at any of them.
  relay.subscribe(watchTopic, local.watch);

  function subscribeTo(workspaceId: string): Subscription {
    return relay.subscribe(topicOf(workspaceId), (message) => {
      try {
        local.publish(workspaceId, JSON.parse(message) as TeamChange);
      } catch (error) {
        onError(error);
      }
    });
  }

  return {
    publish(workspaceId, change) {
      local.publish(workspaceId, change);
      relay.publish(topicOf(workspaceId), JSON.stringify(change));
      if (change.kind === 'watch') relay.publish(watchTopic, workspaceId);
    },
    isWatched: local.isWatched,
    subscribe(workspaceId, listener) {
      const entry = held.get(workspaceId) ?? { subscription: subscribeTo(workspaceId), listeners: 0 };
      held.set(workspaceId, entry);
      entry.listeners += 1;
      const remove = local.subscribe(workspaceId, listener);
      let hasEnded = false;
      return () => {
        if (hasEnded) return;
        hasEnded = true;
        remove();
        entry.listeners -= 1;
        if (entry.listeners > 0) return;
        held.delete(workspaceId);
        entry.subscription.end();
      };
    },
  };
}

/** Milliseconds in which all streams are checked once. */
const defaultIntervalMs = 30_000;
/** Groups into which the streams are divided, so that they are not all checked at once. */
const groups = 30;
/** Streams of one statement. */
const maxGroupSize = 1_000;

/**
 * Ends streams whose user has lost access, in case the message of `createStreamControl` did not arrive. Starts to check the
 * streams of this process; the result stops it. `interval`: in which each is checked once.
 */
export function startAccessChecks(
  { db, pubSub, logger }: { db: Database; pubSub: Pick<PubSub, 'unchecked'>; logger: Logger },
  interval = defaultIntervalMs,
): () => void {
  async function check(): Promise<void> {
    const due = pubSub.unchecked(performance.now() - interval, 2 / groups);
    for (let from = 0; from < due.length; from += maxGroupSize) {
      const group = due.slice(from, from + maxGroupSize);
      const states = await db.read((tx) => streamStates(tx, group));
      for (const [n, subscriber] of group.entries()) apply(subscriber, states[n]);
    }
  }

  return startPeriodicCheck(check, interval / groups, logger, 'the access of streams could not be checked')
    .stop;
}

function apply(subscriber: Subscriber, state: Awaited<ReturnType<typeof streamStates>>[number]): void {
  if (state && subscriber.accepts(state)) subscriber.ownerId = state.ownerId;
  else subscriber.close();
}
