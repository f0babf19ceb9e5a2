// Composes what brings signals to streams: for one process, or, with a relay, for several.
import type { Logger } from 'pino';
import type { Message } from '../../protocol/message.ts';
import { serializeMessage } from '../api/serializers.ts';
import type { Broadcasts } from '../cluster/relay/broadcasts.ts';
import { createConversationTopics } from '../cluster/relay/conversation-topics.ts';
import type { Relay } from '../cluster/relay/relay.ts';
import { conversationById } from '../storage/chat/conversations.ts';
import { findMessage } from '../storage/chat/messages.ts';
import type { Database } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';
import { startAccessChecks } from './access-checks.ts';
import { createClusterFanOut, createLocalFanOut, type FanOut } from './fan-out/fan-out.ts';
import { startPings } from './pings.ts';
import { createPresence, type Presence } from './presence.ts';
import { createPubSub, type PubSub } from './pub-sub.ts';
import { createStreamControl, type StreamControl } from './stream-control.ts';

/** Milliseconds between two checks; the defaults are those of a server, and tests choose shorter ones. */
export interface RealtimeIntervals {
  /** Whether the last frame of a conversation was lost. */
  tail?: number;
  /** Whether the users of all streams still have access. */
  access?: number;
}

export interface RealtimeOptions {
  db: Database;
  /** Undefined in a server of one process. */
  relay: Relay | undefined;
  broadcasts: Broadcasts;
  logger: Logger;
  intervals?: RealtimeIntervals | undefined;
}

export interface Realtime {
  pubSub: PubSub;
  fanOut: FanOut;
  streamControl: StreamControl;
  presence: Presence;
  /** Ends all streams and checks. */
  close(): void;
}

export function createRealtime({ db, relay, broadcasts, logger, intervals = {} }: RealtimeOptions): Realtime {
  const pubSub = createPubSub();
  const streamControl = createStreamControl(pubSub, broadcasts);
  const stopPings = startPings(pubSub);
  const closeLocal = (): void => {
    stopPings();
    pubSub.closeAll();
  };
  if (!relay) {
    const fanOut = createLocalFanOut(pubSub);
    return { pubSub, fanOut, streamControl, presence: createPresence(pubSub), close: closeLocal };
  }
  const onError = (error: unknown) => logger.error({ err: error }, 'a message of another process failed');
  const topics = createConversationTopics(relay, onError);
  const presence = createPresence(pubSub, { topics, readMessage: (id) => readMessage(db, id), onError });
  const fanOut = createClusterFanOut({
    db,
    pubSub,
    relay,
    topics,
    logger,
    beforeDelivery: presence.beforeDelivery,
    onFirstSubscriber: presence.refresh,
    tailInterval: intervals.tail,
  });
  const stopChecks = startAccessChecks({ db, pubSub, logger }, intervals.access);
  return {
    pubSub,
    fanOut,
    streamControl,
    presence,
    close() {
      stopChecks();
      closeLocal();
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
