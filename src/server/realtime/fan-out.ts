// Brings the frames of the log to the subscribers of a conversation. A process of several also brings them to those at others.
import type { PubSub } from './pub-sub.ts';
import type { Frame } from './sse-frames.ts';

/** What a new subscriber of a conversation needs; it must subscribe to `pubSub` in the same turn as it joins. */
export interface Feed {
  /** Resolves when frames of other processes arrive. The log has to be read after that. */
  readonly ready: Promise<void>;
  /** Says up to which sequence number the log was read. Returns false if it has to be read again. */
  start(position: number): boolean;
  leave(): void;
}

export interface FanOut {
  /** Publishes a frame of the log. Must be called after its commit. */
  publish(conversationId: string, frame: Frame): void;
  /** A new subscriber; undefined in a server of one process, which needs nothing. */
  join(conversationId: string): Feed | undefined;
}

/** The fan-out of a server of one process. */
export const createLocalFanOut = (pubSub: PubSub): FanOut => ({
  publish: pubSub.publish,
  join: () => undefined,
});
