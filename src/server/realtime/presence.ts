// The typing indicators and answer streams of conversations, in memory. They are neither stored nor replayed.
import type { Signal } from '../../protocol/signal.ts';
import { type AnswerStream, createAnswerStreams, type ParticipantRef } from './answer-streams.ts';
import { createConversationEntries } from './conversation-entries.ts';
import type { PubSub } from './pub-sub.ts';
import { type Frame, signalFrame } from './sse-frames.ts';
import { createVisitorPages, type VisitorPages } from './visitor-pages.ts';

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
  startStream(participant: ParticipantRef, stop: () => Promise<void>, id?: string): AnswerStream;
  /**
   * Stops a stream, also one that another process writes; does nothing when the conversation has no open stream of this
   * id.
   */
  stopStream(conversationId: string, streamId: string): Promise<void>;
  /** Stops all streams of a conversation that this process writes, and those in the database. */
  stopStreams(conversationId: string): Promise<void>;
  /** The current indicators and streams as frames for `userId`, who subscribes now. */
  snapshot(conversationId: string, userId: string): Frame[];
  /** The pages on which visitors are. */
  pages: VisitorPages;
  /** Sends a signal that is not in the log to the listeners of a conversation, at all processes. */
  publish(conversationId: string, signal: Signal): void;
}

/** The presence of a server of one process. */
export function createPresence(pubSub: PubSub): Presence {
  const typing = createTyping(pubSub);
  const streams = createAnswerStreams(pubSub);

  return {
    setTyping: typing.set,
    pages: createVisitorPages(pubSub),
    publish: (conversationId, signal) => pubSub.publish(conversationId, signalFrame(signal)),
    startStream: streams.start,
    stopStream: async (conversationId, streamId) => streams.stop(conversationId, streamId),
    stopStreams: async (conversationId) => void (await Promise.all(streams.stopAll(conversationId))),
    snapshot: (conversationId, userId) => [
      ...typing.snapshot(conversationId, userId),
      ...streams.snapshot(conversationId),
    ],
  };
}

/** Typing indicators, in memory. They are neither stored nor replayed, and expire by themselves. */
export interface Typing {
  /** See Presence.setTyping. */
  set(participant: ParticipantRef, on: boolean, timeout: number, expires?: boolean): void;
  /** The indicators of a conversation, except that of `userId`. */
  snapshot(conversationId: string, userId: string): Frame[];
}

export interface Indicator {
  participant: ParticipantRef;
  frame: Frame;
  expires: boolean;
  timer: NodeJS.Timeout | undefined;
  /** When it ends, on the clock of performance.now(). */
  until: number;
  onEnd: (() => void) | undefined;
}

/** The indicators that subscribers of this process see. */
export interface Indicators extends Typing {
  /** Changes an indicator. `endsHere`: also without `expires`; `onEnd`: called when it has ended for any reason. */
  show(
    participant: ParticipantRef,
    on: boolean,
    timeout: number,
    options: { expires: boolean; endsHere?: boolean; onEnd?: (() => void) | undefined },
  ): void;
  get(conversationId: string, userId: string): Indicator | undefined;
  list(conversationId: string): Indicator[];
  /** Forgets the indicators of a conversation. */
  forget(conversationId: string): void;
}

export function createTyping(pubSub: PubSub): Indicators {
  /** By the ids of users. */
  const entries = createConversationEntries<Indicator>();

  function drop(conversationId: string, userId: string): boolean {
    const entry = entries.delete(conversationId, userId);
    if (!entry) return false;
    clearTimeout(entry.timer);
    entry.onEnd?.();
    return true;
  }

  const show: Indicators['show'] = (participant, on, timeout, { expires, endsHere = expires, onEnd }) => {
    const { conversation, user } = participant;
    const ids = { conversationId: conversation.publicId, userId: user.publicId };
    const frame = signalFrame(
      on ? { type: 'typing_started', data: { ...ids, timeout } } : { type: 'typing_stopped', data: ids },
    );
    const wasShown = drop(conversation.id, user.id);
    if (on) {
      const end = () => show(participant, false, timeout, { expires });
      const timer = endsHere ? setTimeout(end, timeout).unref() : undefined;
      const until = performance.now() + timeout;
      entries.set(conversation.id, user.id, { participant, frame, expires, timer, until, onEnd });
    }
    if ((on && expires) || on !== wasShown) pubSub.publish(conversation.id, frame, user.id);
  };

  return {
    show,
    set: (participant, on, timeout, expires = false) => show(participant, on, timeout, { expires }),
    snapshot: (conversationId, userId) =>
      entries
        .list(conversationId)
        .filter(([id]) => id !== userId)
        .map(([, { frame }]) => frame),
    get: entries.get,
    list: (conversationId) => entries.list(conversationId).map(([, indicator]) => indicator),
    forget(conversationId) {
      for (const [userId] of entries.list(conversationId)) drop(conversationId, userId);
    },
  };
}
