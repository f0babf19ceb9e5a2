// Typing indicators and message streams of conversations, in memory. They are neither stored nor replayed.
import type { Message } from '../../protocol/message.ts';
import type { Signal } from '../../protocol/signal.ts';
import type { ConversationTopics } from '../cluster/relay/conversation-topics.ts';
import { createMessageStreams } from './message-streams.ts';
import type { MessageStream, ParticipantRef } from './participant-stream.ts';
import type { PubSub } from './pub-sub.ts';
import { type Frame, signalFrame } from './sse-frames.ts';
import { createStreamMirrors, type StreamMirrors } from './stream-mirrors.ts';
import { createTyping } from './typing.ts';

export interface Presence
  extends Pick<StreamMirrors, 'publishPiece' | 'publishPart' | 'abortStream' | 'share' | 'refresh'> {
  /**
   * Shows or hides the typing indicator for the other participants. `timeout`: milliseconds after which clients hide it
   * by themselves. With `expires` it also ends here, and each call is published again, which restarts the timeout.
   */
  setTyping(participant: ParticipantRef, on: boolean, timeout: number, expires?: boolean): void;
  /**
   * Starts a stream. `stop` is called when a visitor stops it, and resolves when the stream has ended. `id`: of the stream,
   * by default a new one.
   */
  startStream(participant: ParticipantRef, stop: () => Promise<void>, id?: string): MessageStream;
  /**
   * Stops a stream, also one that another process writes; does nothing when the conversation has no open stream of this
   * id.
   */
  stopStream(conversationId: string, streamId: string): Promise<void>;
  /** Stops all streams of a conversation that this process writes, and those in the database. */
  stopStreams(conversationId: string): Promise<void>;
  /** The current indicators and streams as frames for `userId`, who subscribes now. */
  snapshot(conversationId: string, userId: string): Frame[];
  /** Sends a signal that is not in the log to the listeners of a conversation, at all processes. */
  tell(conversationId: string, signal: Signal): void;
  /** Must be called with each frame of the log before subscribers get it, in a server of several processes. */
  beforeDelivery(conversationId: string, frame: Frame): void;
}

/** What several processes need. */
export interface SharedPresence {
  topics: ConversationTopics;
  /** Returns a message, undefined if it was deleted. */
  readMessage(id: string): Promise<Message | undefined>;
  onError(error: unknown): void;
}

/** `shared`: undefined in a server of one process. */
export function createPresence(pubSub: PubSub, shared?: SharedPresence): Presence {
  const typing = createTyping(pubSub, shared?.topics);
  const streams = createMessageStreams(pubSub, shared?.topics);
  let inDatabase: Parameters<StreamMirrors['share']>[0] | undefined;
  const mirrors = shared && createStreamMirrors({ ...shared, pubSub, stopOwn: streams.stop });

  // A signal that is not in the log, as JSON.
  shared?.topics.on('o', (id, text) => pubSub.publish(id, signalFrame(JSON.parse(text) as Signal)));

  return {
    setTyping: typing.set,
    tell(conversationId, signal) {
      pubSub.publish(conversationId, signalFrame(signal));
      shared?.topics.send(conversationId, 'o', JSON.stringify(signal));
    },
    startStream: streams.start,
    stopStream: async (conversationId, streamId) =>
      streams.stop(conversationId, streamId) ?? mirrors?.stop(conversationId, streamId),
    async stopStreams(conversationId) {
      await Promise.all(streams.stopAll(conversationId));
      for (const { streamId } of (await inDatabase?.read(conversationId)) ?? [])
        await inDatabase?.stop(conversationId, streamId);
    },
    snapshot: (conversationId, userId) => [
      ...typing.snapshot(conversationId, userId),
      ...streams.snapshot(conversationId),
      ...(mirrors?.snapshot(conversationId) ?? []),
    ],
    publishPiece: (conversationId, piece) => mirrors?.publishPiece(conversationId, piece),
    publishPart: (conversationId, parts, change) => mirrors?.publishPart(conversationId, parts, change),
    abortStream: (conversationId, streamId) => mirrors?.abortStream(conversationId, streamId),
    share(streams) {
      inDatabase = streams;
      mirrors?.share(streams);
    },
    refresh: (conversationId) => mirrors?.refresh(conversationId),
    beforeDelivery: (conversationId, frame) => mirrors?.beforeDelivery(conversationId, frame),
  };
}
