// Composes what brings signals to streams at all processes.
import type { Logger } from 'pino';
import type { Message } from '../../../protocol/message.ts';
import { serializeMessage } from '../../api/serializers.ts';
import type { Broadcasts } from '../../jobs/processes.ts';
import { createPubSub } from '../../realtime/pub-sub.ts';
import { type Realtime, startPings } from '../../realtime/realtime.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import { findMessage } from '../../storage/chat/messages.ts';
import type { Database } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { createSharedPresence, type SharedPresence } from '../mirrors/shared-presence.ts';
import { createConversationTopics } from '../relay/conversation-topics.ts';
import type { Relay } from '../relay/relay.ts';
import { startAccessChecks } from './access-checks.ts';
import { createClusterFanOut } from './fan-out.ts';
import { createStreamControl } from './stream-control.ts';

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
