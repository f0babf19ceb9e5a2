// The typing indicators and message streams of conversations at all processes, for the subscribers of this one.
import type { Message } from '../../../protocol/message.ts';
import type { Signal } from '../../../protocol/signal.ts';
import { createMessageStreams } from '../../realtime/message-streams.ts';
import type { Presence } from '../../realtime/presence.ts';
import type { PubSub } from '../../realtime/pub-sub.ts';
import { signalFrame } from '../../realtime/sse-frames.ts';
import type { ConversationTopics } from '../relay/conversation-topics.ts';
import { createSharedTyping } from './shared-typing.ts';
import type { SharedStreams } from './stream-messages.ts';
import { createStreamMirrors, type StreamMirrors } from './stream-mirrors.ts';
import { tellOfStreams } from './told-streams.ts';

export type SharedPresence = Presence &
  Pick<
    StreamMirrors,
    'publishPiece' | 'publishPart' | 'abortStream' | 'share' | 'refresh' | 'beforeDelivery'
  >;

export interface SharedPresenceOptions {
  topics: ConversationTopics;
  /** Returns a message, undefined if it was deleted. */
  readMessage(id: string): Promise<Message | undefined>;
  onError(error: unknown): void;
}

export function createSharedPresence(pubSub: PubSub, options: SharedPresenceOptions): SharedPresence {
  const { topics } = options;
  const typing = createSharedTyping(pubSub, topics);
  const streams = createMessageStreams(pubSub, tellOfStreams(topics));
  let inDatabase: SharedStreams | undefined;
  const mirrors = createStreamMirrors({ ...options, pubSub, stopOwn: streams.stop });
  const { publishPiece, publishPart, abortStream, refresh, beforeDelivery } = mirrors;

  // A signal that is not in the log, as JSON.
  topics.on('o', (id, text) => pubSub.publish(id, signalFrame(JSON.parse(text) as Signal)));

  return {
    ...{ publishPiece, publishPart, abortStream, refresh, beforeDelivery },
    setTyping: typing.set,
    tell(conversationId, signal) {
      pubSub.publish(conversationId, signalFrame(signal));
      topics.send(conversationId, 'o', JSON.stringify(signal));
    },
    startStream: streams.start,
    stopStream: async (conversationId, streamId) =>
      streams.stop(conversationId, streamId) ?? mirrors.stop(conversationId, streamId),
    async stopStreams(conversationId) {
      await Promise.all(streams.stopAll(conversationId));
      for (const { streamId } of (await inDatabase?.read(conversationId)) ?? [])
        await inDatabase?.stop(conversationId, streamId);
    },
    snapshot: (conversationId, userId) => [
      ...typing.snapshot(conversationId, userId),
      ...streams.snapshot(conversationId),
      ...mirrors.snapshot(conversationId),
    ],
    share(shared) {
      inDatabase = shared;
      mirrors.share(shared);
    },
  };
}
