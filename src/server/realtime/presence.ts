// The typing indicators and message streams of conversations, in memory. They are neither stored nor replayed.
import type { Signal } from '../../protocol/signal.ts';
import { createMessageStreams } from './message-streams.ts';
import type { MessageStream, ParticipantRef } from './participant-stream.ts';
import type { PubSub } from './pub-sub.ts';
import { type Frame, signalFrame } from './sse-frames.ts';
import { createTyping } from './typing.ts';

export interface Presence {
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
}

/** The presence of a server of one process. */
export function createPresence(pubSub: PubSub): Presence {
  const typing = createTyping(pubSub);
  const streams = createMessageStreams(pubSub);

  return {
    setTyping: typing.set,
    tell: (conversationId, signal) => pubSub.publish(conversationId, signalFrame(signal)),
    startStream: streams.start,
    stopStream: async (conversationId, streamId) => streams.stop(conversationId, streamId),
    stopStreams: async (conversationId) => void (await Promise.all(streams.stopAll(conversationId))),
    snapshot: (conversationId, userId) => [
      ...typing.snapshot(conversationId, userId),
      ...streams.snapshot(conversationId),
    ],
  };
}
